//! Did-you-mean: the known name nearest to a mistyped one.

/// The candidate nearest to `text`, if it is near enough to be worth offering: at most a third of the letters differ.
/// Letter case is ignored; of equally near candidates the first is taken.
pub fn closest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = text.to_lowercase();
    let limit = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be changed, dropped, added or swapped with their neighbour to make one text of another.
pub fn distance(a: &str, b: &str) -> usize {
    strsim::damerau_levenshtein(a, b)
}

/// How many edits make one text of another, where they are not more than a limit.
pub fn distance_within(a: &str, b: &str, limit: usize) -> Option<usize> {
    // What differs more in length needs no closer look.
    if a.chars().count().abs_diff(b.chars().count()) > limit {
        return None;
    }
    Some(distance(a, b)).filter(|distance| *distance <= limit)
}

/// A question that offers candidates, each as it is shown.
pub fn did_you_mean<T: ToString>(candidates: &[T]) -> Option<String> {
    (!candidates.is_empty()).then(|| format!("did you mean {}?", either(candidates)))
}

/// Texts with commas and an “or” between.
pub fn either<T: ToString>(texts: &[T]) -> String {
    join(texts, "or")
}

/// Texts with commas and an “and” between.
pub fn both<T: ToString>(texts: &[T]) -> String {
    join(texts, "and")
}

fn join<T: ToString>(texts: &[T], word: &str) -> String {
    let texts: Vec<String> = texts.iter().map(T::to_string).collect();
    match texts.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {word} {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

/// How several are written in one cell, where a text is a list with other marks between and all its parts are known.
pub fn separated(text: &str, is_known: &dyn Fn(&str) -> bool) -> Option<String> {
    [';', ',', '/', '&', '+', ' '].into_iter().find_map(|mark| {
        let parts: Vec<&str> = text.split(mark).map(str::trim).collect();
        let all = parts.len() > 1 && parts.iter().all(|part| !part.is_empty() && is_known(part));
        all.then(|| format!("several are separated by `|`: `{}`", parts.join("|")))
    })
}

/// A noun with its article: `a list`, `an id`, also in backquotes.
pub fn with_article(noun: &str) -> String {
    let first = noun.trim_start_matches('`').chars().next();
    let article = if first.is_some_and(|c| "aeioAEIO".contains(c)) {
        "an"
    } else {
        "a"
    };
    format!("{article} {noun}")
}

/// A sentence offering the nearest candidate, or else listing them all while they are few.
pub fn help(text: &str, candidates: &[&str]) -> Option<String> {
    if let Some(near) = closest(text, candidates.iter().copied()) {
        return did_you_mean(&[format!("`{near}`")]);
    }
    if candidates.is_empty() || candidates.len() > 16 {
        return None;
    }
    Some(format!("known here: {}", quoted(candidates)))
}

/// Names in backquotes with commas between.
pub fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end_in_a_word() {
        assert_eq!(either(&["a"]), "a");
        assert_eq!(either(&["a", "b"]), "a or b");
        assert_eq!(both(&["a", "b", "c"]), "a, b and c");
        assert_eq!(did_you_mean::<&str>(&[]), None);
    }

    #[test]
    fn an_article_suits_its_noun() {
        assert_eq!(with_article("`id`"), "an `id`");
        assert_eq!(with_article("brigade"), "a brigade");
        // Spoken with a consonant at its beginning.
        assert_eq!(with_article("unit"), "a unit");
    }

    #[test]
    fn a_list_with_another_mark_between_is_written_right() {
        let known = |part: &str| ["South", "North"].contains(&part);
        let told = separated("South; North", &known);
        assert_eq!(
            told.as_deref(),
            Some("several are separated by `|`: `South|North`")
        );
        assert_eq!(separated("South; Nroth", &known), None);
    }
}
