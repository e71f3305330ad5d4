use super::*;
use proptest::prelude::*;

/// Synonyms as a game would declare them.
fn folder() -> Folder {
    let groups = [
        "Ala|Alabama",
        "Ark|Arkansas",
        "Ct|Conn|Connecticut",
        "Del|Dela|Delaware",
        "Fla|Florida",
        "Ga|Georgia",
        "Ill|Illinois",
        "Ind|Indiana",
        "La|Louisiana",
        "Ma|Mass|Massachusetts",
        "Md|Maryland",
        "Me|Maine",
        "Mich|Michigan",
        "Mn|Minn|Minnesota",
        "Ms|Miss|Mississippi",
        "NC|N. Carolina|North Carolina",
        "NH|New Hampshire",
        "NJ|New Jersey",
        "NY|New York",
        "Pa|Penn|Penna|Pennsylvania",
        "RI|Rhode Island",
        "SC|S. Carolina|South Carolina",
        "Tenn|Tennessee",
        "Tex|Texas",
        "US|U.S. Regulars",
        "Va|Virginia",
        "Vt|Vermont",
        "WVa|West Virginia",
        "Wis|Wisc|Wisconsin",
        "Art|Arty|Artillery",
        "Bat|Bn|Batt|Battalion",
        "Battery|Btry|Batteries",
        "Bde|Bgde|Brigade",
        "Cav|Cavalry",
        "Co|Company",
        "Lt|Light",
        "Res|Reserves",
        "Rif|Rifles",
        "Rgt|Regt|Regiment",
        "ESH|Eastern Shore",
        "First|1st",
        "Second|2nd",
    ];
    let groups: Vec<Vec<String>> = groups
        .iter()
        .map(|group| group.split('|').map(str::to_owned).collect())
        .collect();
    Folder::new(&groups)
}

/// Spellings of one name on a line.
const SAME: &[&[&str]] = &[
    &[
        "11th Miss.",
        "11Miss",
        "11 Miss",
        "11 Ms",
        "11th Mississippi",
        "11TH MISSISSIPPI",
        "11thMiss",
    ],
    &["20th Me", " 20th  me ", "20\u{a0}Maine"],
    &[
        "2d Ga",
        "2nd Ga",
        "2 Ga.",
        "2Ga",
        "2nd Georgia",
        "2ND GA",
        "2D GA",
        "2dGa",
    ],
    &["3d Ala", "3rd Ala", "3Ala", "3 Alabama"],
    &[
        "33d NY (Detachment)",
        "33rd New York (Detachment)",
        "33 N.Y. Detachment",
    ],
    &[
        "3d SC Bn.",
        "3rd S. Carolina Battalion",
        "3SCBn",
        "3 SC Bat",
        "3d S.C. Bn",
    ],
    &["2nd NC Bn.", "2NCBat", "2 NC Bat."],
    &[
        "1st Md Bn.",
        "1 MdBn",
        "1MDBN",
        "1st Maryland Battalion",
        "1st Md. Batt.",
    ],
    &["1st SC Rifles", "1SCRif", "1 SC Rif."],
    &[
        "1st SC (Provisional Army)",
        "1 S.C. Provisional Army",
        "1st South Carolina (provisional army)",
    ],
    &[
        "1st Md, Eastern Shore",
        "1st MD, ESH",
        "1Md Eastern Shore",
        "1st Md.-Eastern Shore",
    ],
    &["56th Penna", "56Pa", "56th Pa.", "56 Penn", "56th Pennsylvania"],
    &["12th N.H.", "12 NH", "12NH", "12th N. H.", "12th New Hampshire"],
    &["2nd R.I", "2 RI", "2nd R.I.", "2nd Rhode Island"],
    &["7th W.Va", "7 WVa", "7th W. Va.", "7th West Virginia"],
    &["17th Ct", "17 Conn", "17th Connecticut"],
    &["19th Indiana", "19Ind"],
    &["2nd Wisc", "2Wis", "2d Wisconsin"],
    &["1st R.I. Lt, Battery A", "1RILt Battery A", "1st RI Light Btry A"],
    &[
        "1st NY Lt., Battery D",
        "1NYLt, Battery D",
        "1st N.Y. Light Battery D",
    ],
    &["2nd US, Battery A", "2US Battery A", "2d U.S., Battery A"],
    &[
        "Palmetto (SC) Lt.Art.",
        "Palmetto (SC) Lt. Art.",
        "Palmetto SC Light Artillery",
        "palmetto (S.C.) Lt Arty",
    ],
    &["Madison (La) Lt. Art.", "Madison (La) Lt Arty"],
    &[
        "Phillip's Legion",
        "Phillip’s Legion",
        "PHILLIPʼS  LEGION",
        "Phillip`s legion",
    ],
    &["W.S. Lee", "WS Lee", "W S Lee"],
    &["W.H.F. Lee", "WHF Lee", "W. H. F. Lee", "WHFLee"],
    &["A.P. Hill", "AP Hill", "A. P. Hill"],
    &["Fitz. Lee", "Fitz.Lee", "Fitz Lee", "FITZLEE"],
    &["Von Steinwehr", "von Steinwehr", "VonSteinwehr"],
    &["De Trobriand", "de Trobriand", "DeTrobriand"],
    &["3/Heth/III", "3d / Heth / III", "3rd/heth/iii"],
    &["First Brigade", "1st Brigade", "1 Bde", "first bde."],
    &["Georgia Battery", "Ga. Btry"],
    &["Brigade Müller", "BRIGADE MÜLLER"],
    &[
        "Purnell Legion, Co. A",
        "Purnell Legion Co A",
        "Purnell Legion, Company A",
    ],
    &["12-lb", "12 lb", "12lb"],
];

/// Different things that look alike.
const DIFFERENT: &[&[&str]] = &[
    &[
        "1st Md",
        "1st Md, Eastern Shore",
        "1st Md Bn.",
        "1st Md Potomac Home Bde",
        "1st Maryland Battery",
        "1st Me",
    ],
    &[
        "2nd US",
        "2nd US Sharpshooters",
        "2nd US, Battery A",
        "12th US",
        "2nd US, Battery M",
        "2",
    ],
    &["3d SC", "3d SC Bn.", "3d SC Rifles", "13th SC", "03 SC"],
    &[
        "2nd NY",
        "2nd NY Lt",
        "2nd NY Lt, Battery B",
        "12nd NY",
        "12th NY",
        "12d NY",
    ],
    &[
        "1st SC",
        "1st SC Rifles",
        "1st SC (Provisional Army)",
        "11th SC",
        "1st NC",
    ],
    &[
        "1NY Lt, Battery L&E",
        "1NY Lt, Battery L+E",
        "1NY Lt, Battery L/E",
        "1NY Lt, Battery L and E",
    ],
    &[
        "Me Lt, 2nd Battery (B)",
        "Me Lt, 2nd Battery",
        "Me Lt, 5th Battery (E)",
        "2nd Me",
    ],
    &["1st Pa", "1st Pa Res.", "1st Pa Lt., Battery B", "13th Pa Res."],
    &["7th Va", "7th W.Va", "7th Vt"],
    &[
        "1st Co.",
        "1st Co. Ma. Sharpshooters",
        "2nd Co.",
        "Co. A",
        "Co. B",
    ],
    &["1/1/I", "11/I", "1/11", "1 1 I", "11 I", "1/1/II"],
    &["B0705", "B705", "B 07 05"],
    &["2d", "2 D", "22d"],
    &["Hay's", "Hays'", "Hays", "Hay"],
    &["Paul", "Pa", "Pennsylvaniaul"],
    &["Melton", "Me Lt on"],
    &["Jones", "Jones, J.", "Jones, W."],
    &["Müller", "Muller"],
    &["2Dela", "2 Ela", "2nd Louisiana"],
    &["4Thomas", "4 Omas"],
    &["Jeff Davis Legion", "Jeff Davis (Ala) Art."],
    &["Hart (SC) Battery", "Hart (NC) Battery"],
    &["1.5", "15"],
];

const ALIKE: &[&[&str]] = &[
    &["Hay's", "Hays'", "Hays", "Hay", "HAY’S"],
    &["McLaw's", "McLaws", "McLaws'", "McLaws's", "Mclaw"],
    &["Nicholl's Brigade", "Nicholls Brigade", "Nicholls' Bde"],
    &["Semme's", "Semmes'", "Semmes"],
    &["Rode's Division", "Rodes' Division", "Rodes Division"],
    &["Jenkin's", "Jenkins'", "Jenkins"],
    &["Doles", "Doles'", "Dole's"],
    &["Cobb's Legion", "Cobbs Legion", "Cobb Legion"],
    &["Tompkin's Artillery Brigade", "Tompkins' Arty Brigades"],
    &["O'Neal's", "O’Neal", "ONeals"],
    &["1st SC Rifles", "1st SC Rifle"],
    &["Ross's", "Ross", "Ross'"],
    &["Li's", "Li"],
];

const UNALIKE: &[&[&str]] = &[
    &["Hays", "Hayes", "Hardaway"],
    &["2nd US", "2nd U", "2nd USA"],
    &["11 Ms", "11 Ma", "11 Me"],
    &["Robertson", "Robinson", "Robert"],
    &["Lane", "Lang", "Law"],
    &["1st Md", "1st Md, Eastern Shore"],
];

fn all_equal(table: &[&[&str]], key: impl Fn(&str) -> String) {
    for row in table {
        for text in *row {
            assert_eq!(key(row[0]), key(text), "{:?} and {text:?}", row[0]);
        }
    }
}

fn all_different(table: &[&[&str]], key: impl Fn(&str) -> String) {
    for row in table {
        for (index, a) in row.iter().enumerate() {
            for b in &row[..index] {
                assert_ne!(key(a), key(b), "{a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn spellings_of_one_name_meet() {
    let folder = folder();
    all_equal(SAME, |text| folder.strict(text));
    all_equal(SAME, |text| folder.loose(text));
}

#[test]
fn different_names_stay_apart() {
    let folder = folder();
    all_different(DIFFERENT, |text| folder.strict(text));
    let firsts: Vec<&str> = SAME.iter().map(|row| row[0]).collect();
    all_different(&[&firsts], |text| folder.strict(text));
    all_different(UNALIKE, |text| folder.loose(text));
}

#[test]
fn possessives_and_plurals_meet_in_the_loose_key_only() {
    let folder = folder();
    all_equal(ALIKE, |text| folder.loose(text));
    all_different(&[&["Hay's", "Hays'", "Hays", "Hay"]], |text| folder.strict(text));
}

#[test]
fn keys_can_be_read() {
    let folder = folder();
    assert_eq!(folder.strict("11Miss"), "11 mississippi");
    assert_eq!(
        folder.strict("1st NY Lt., Battery L&E"),
        "1 newyorklight batteries l&e"
    );
    assert_eq!(folder.strict("3d/Heth/III"), "3/heth/iii");
    assert_eq!(folder.strict("Hay’s Cav. Bde"), "hay's cavalrybrigade");
    assert_eq!(folder.loose("Hay’s Cav. Bde"), "haycavalrybrigade");
    assert_eq!(Folder::default().strict("2d Ms"), "2 ms");
    assert_eq!(folder.strict(" .,- "), "");
}

#[test]
fn groups_that_share_a_spelling_are_one() {
    let group = |text: &str| text.split('|').map(str::to_owned).collect();
    let groups: Vec<Vec<String>> = vec![
        group("Lt|Light"),
        group("Ga|Georgia"),
        group("Lieutenant|Lt.|Lieut"),
    ];
    let mut backwards = groups.clone();
    backwards.reverse();
    for folder in [Folder::new(&groups), Folder::new(&backwards)] {
        all_equal(&[&["Lt", "Light", "Lieutenant", "lieut."]], |text| {
            folder.strict(text)
        });
        assert_eq!(folder.strict("Ga"), "georgia");
    }
}

#[test]
fn synonyms_of_synonyms_are_found() {
    let group = |text: &str| text.split('|').map(str::to_owned).collect();
    let folder = Folder::new(&[group("N|North"), group("NC|Northcarolina")]);
    all_equal(
        &[&["N Carolina", "North Carolina", "NC", "N.C.", "northcarolina"]],
        |text| folder.strict(text),
    );
    all_equal(&[&["2d N Carolina/I", "2NC/I", "2nd N.C. / I"]], |text| {
        folder.strict(text)
    });
}

/// Names made of what names are made of.
fn words() -> impl Strategy<Value = Vec<String>> {
    let word = prop_oneof![
        "[1-9][0-9]{0,2}",
        prop::sample::select(vec![
            "1st",
            "2nd",
            "2d",
            "3d",
            "33rd",
            "11th",
            "Miss",
            "Ms",
            "Pa",
            "Penna",
            "NC",
            "Md",
            "Bn",
            "Lt",
            "Art",
            "Battery",
            "Me",
            "W",
            "Va",
            "Hays'",
            "Hay's",
            "O’Neal",
            "McLaws",
            "Legion",
            "A",
            "D",
            "&",
            "+",
            "/",
            "Müller",
            "Eastern",
            "Shore",
            "New",
            "York",
            "III",
            "Sharpshooters",
            "Ωmega",
            "Straße",
        ])
        .prop_map(str::to_owned),
    ];
    prop::collection::vec(word, 0..8)
}

proptest! {
    #[test]
    fn case_spaces_and_dots_change_nothing(words in words(), gaps in prop::collection::vec(0..6_usize, 9)) {
        let folder = folder();
        let plain = words.join(" ");
        let gap = |index: usize| [" ", "  ", ".", ". ", " . ", ", "][gaps[index]];
        let mut other = String::new();
        for (index, word) in words.iter().enumerate() {
            other.push_str(gap(index));
            other.push_str(word);
        }
        other.push_str(gap(words.len()));
        for key in [Folder::strict, Folder::loose] {
            let expected = key(&folder, &plain);
            prop_assert_eq!(&key(&folder, &other), &expected);
            prop_assert_eq!(&key(&folder, &other.to_uppercase()), &expected);
            prop_assert_eq!(&key(&folder, &other.to_lowercase()), &expected);
        }
    }

    #[test]
    fn a_key_is_its_own_key(words in words()) {
        let folder = folder();
        let key = folder.strict(&words.join(" "));
        prop_assert_eq!(folder.strict(&key), key);
    }

    #[test]
    fn without_synonyms_a_key_is_its_own_key_whatever_the_text(text in any::<String>()) {
        let folder = Folder::default();
        let key = folder.strict(&text);
        prop_assert_eq!(folder.strict(&key), key);
    }

    #[test]
    fn nothing_panics(
        text in any::<String>(),
        groups in prop::collection::vec(prop::collection::vec("\\PC{0,4}", 0..4), 0..5),
    ) {
        let folder = Folder::new(&groups);
        folder.strict(&text);
        folder.loose(&text);
        for member in groups.iter().flatten() {
            folder.strict(&format!("1{member}{text}{member}"));
            folder.loose(&format!("{text} 2d{member} {member}"));
        }
    }
}
