//! The rules by which documents and records are judged against their schemas.

use super::columns;
use crate::diagnostic::{Rule, Severity};

/// The rules of this stage.
pub static RULES: &[&Rule] = &[
    &UNKNOWN_FIELD,
    &MISSING_FIELD,
    &MISSING_COLUMN,
    &columns::COLUMNS_SWAPPED,
    &WRONG_TYPE,
    &NOT_A_CHOICE,
    &OUT_OF_RANGE,
    &BAD_FORM,
    &SCHEMA_MISFIT,
    &OUT_OF_PLACE,
];

pub(crate) static UNKNOWN_FIELD: Rule = Rule {
    code: "unknown-field",
    severity: Severity::Error,
    summary: "a column or key that its table does not have",
    explanation: "Every table has fixed columns, completed by the attributes that `game.toml` declares. A column that is \
                  neither is most often a misspelling: `formaton`. Correct it, remove it, or declare an attribute.

Wrong:

```csv oob/demo/weapons.csv
id,name,rnage
R,Rifle,8
```

Right:

```csv oob/demo/weapons.csv
id,name
R,Rifle
```
",
};

/// A record lacks something.
pub(crate) static MISSING_FIELD: Rule = Rule {
    code: "missing-field",
    severity: Severity::Error,
    summary: "a record lacks something that every record of its table must have",
    explanation: "For instance a unit without `formation`. Fill the cell; if the value is simply not known to anybody, \
                  only attributes may be left empty, not the fields by which records are found.

Wrong:

```csv + oob/demo/units.csv
red-6,,foot,6th York,,300,R
```

Right:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,,300,R
```
",
};

pub(super) static MISSING_COLUMN: Rule = Rule {
    code: "missing-column",
    severity: Severity::Error,
    summary: "a file lacks a column that every record of its table needs",
    explanation:
        "The header does not name a column without which no record can be used. Said once, not for each row.

Wrong:

```csv
id,name
1-va,1st Va
```

Right:

```csv
id,formation,kind,name
1-va,1/1/I,foot,1st Va
```
",
};

pub(super) static WRONG_TYPE: Rule = Rule {
    code: "wrong-type",
    severity: Severity::Error,
    summary: "a value of the wrong type, such as words where a number belongs",
    explanation:
        "For instance `four` or `4½` in a column of whole numbers. Numbers are written with digits alone: no \
                  thousands separators, no footnote marks. Leave a cell empty for “not known”.

Wrong:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,three,9
red,South,3,7
blue,West,2,6
```

Right:

```csv oob/demo/effectiveness.csv
side,formation,boxes,total
red,North,3,9
red,South,3,7
blue,West,2,6
```
",
};

pub(super) static NOT_A_CHOICE: Rule = Rule {
    code: "not-a-choice",
    severity: Severity::Error,
    summary: "a value that is none of those allowed",
    explanation:
        "For instance a morale of `F` where the game knows `A` to `E`. The allowed values are declared in \
                  `game.toml`.

Wrong:

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,F
```

Right:

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```

```csv + oob/demo/units.csv
red-6,red-east,foot,6th York,5,,R
```

```csv + oob/demo/effectiveness.csv
red,East,2,5
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"red\"
units = \"East\"
reason = \"not-in-scenario\"
```
",
};

pub(super) static OUT_OF_RANGE: Rule = Rule {
    code: "out-of-range",
    severity: Severity::Error,
    summary: "a number that is too small or too large",
    explanation: "The bounds are those of the attribute in `game.toml`, or of the field itself.

Wrong:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,50,,R
```

Right:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,5,,R
```
",
};

pub(super) static BAD_FORM: Rule = Rule {
    code: "bad-form",
    severity: Severity::Error,
    summary: "a text that has not the form it must have",
    explanation:
        "For instance an id with capitals or blanks: ids are lower-case letters, digits and hyphens, such as \
                  `usa-105-pa`.

Wrong:

```csv + oob/demo/supply.csv
Blue Wagon,blue,wagon,Supply Wagon,1
```

Right:

```csv + oob/demo/supply.csv
blue-wagon,blue,wagon,Supply Wagon,1
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"blue\"
supply = { wagon = 1 }
reason = \"not-in-scenario\"
```
",
};

pub(super) static SCHEMA_MISFIT: Rule = Rule {
    code: "schema-misfit",
    severity: Severity::Error,
    summary: "a value does not fit its schema in some other way",
    explanation: "The message names the schema's keyword. The schemas are in `schema/`.

Wrong:

```toml + oob/demo/game.toml
[[maps]]
id = \"B\"
name = \"Section B\"
rows = [1, 10, 20]
columns = [1, 30]
pattern = \"RRCC\"
```

Right:

```toml + oob/demo/game.toml
[[maps]]
id = \"B\"
name = \"Section B\"
rows = [1, 20]
columns = [1, 30]
pattern = \"RRCC\"
```
",
};

/// A value that records of its sort do not have.
pub(crate) static OUT_OF_PLACE: Rule = Rule {
    code: "out-of-place",
    severity: Severity::Warning,
    summary: "a record has a value that records of its kind, echelon or role do not have",
    explanation: "The attribute is declared with `kinds`, `echelons` or `roles`, and that of the record is none of them: guns \
                  of an infantry regiment, the morale of a division where only brigades have one. Empty the cell, correct the \
                  record's kind, echelon or role, or add it to the attribute in `game.toml`.

Wrong:

```toml + oob/demo/game.toml
[[kinds]]
id = \"battery\"
name = \"Battery\"
arm = \"artillery\"

[[attributes]]
of = \"units\"
name = \"guns\"
type = \"integer\"
label = \"Guns\"
kinds = [\"battery\"]
```

```toml oob/demo/more.toml
[[units]]
id = \"red-6\"
formation = \"red-south\"
kind = \"foot\"
name = \"6th York\"
men = 300
weapon = \"R\"
guns = 6
```

Right:

```toml + oob/demo/game.toml
[[kinds]]
id = \"battery\"
name = \"Battery\"
arm = \"artillery\"

[[attributes]]
of = \"units\"
name = \"guns\"
type = \"integer\"
label = \"Guns\"
kinds = [\"battery\"]
```

```toml oob/demo/more.toml
[[units]]
id = \"red-6\"
formation = \"red-south\"
kind = \"foot\"
name = \"6th York\"
men = 300
weapon = \"R\"
```
",
};
