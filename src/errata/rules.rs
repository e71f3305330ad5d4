//! What can be wrong with an overlay.

use crate::diagnostic::{Rule, Severity};

/// The rules of this stage.
pub static RULES: &[&Rule] = &[
    &DUPLICATE_OVERLAY,
    &NO_SUCH_DATE,
    &INCOMPLETE_ERRATUM,
    &KEY_OF_ANOTHER_OPERATION,
    &CHANGED_ID,
    &STALE_ERRATUM,
    &MISSING_TARGET,
    &AMBIGUOUS_TARGET,
    &OVER_BROAD_TARGET,
    &ERRATA_CONFLICT,
];

pub(super) static DUPLICATE_OVERLAY: Rule = Rule {
    code: "duplicate-overlay",
    severity: Severity::Error,
    summary: "two overlays have one id",
    explanation: "Overlays are chosen, listed and put in order by id, so each needs its own: that of its file's name. Most \
                  often one of the two is a copy.

Wrong:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"
```

```toml oob/demo/errata/second.toml
id = \"sheet\"
title = \"Second errata sheet\"
date = 1802-01-01
source = \"the publisher\"
kind = \"official\"
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"
```

```toml oob/demo/errata/second.toml
id = \"second\"
title = \"Second errata sheet\"
date = 1802-01-01
source = \"the publisher\"
kind = \"official\"
```
",
};

pub(super) static NO_SUCH_DATE: Rule = Rule {
    code: "no-such-date",
    severity: Severity::Error,
    summary: "an overlay's date is no date of the calendar",
    explanation: "Overlays apply in the order of their dates, and `--as-of` chooses by them, so `1977-02-30` cannot stand. \
                  Write the date of publication as `1977-02-22`.

Wrong:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = \"1801-02-30\"
source = \"the publisher\"
kind = \"official\"
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = \"1801-02-28\"
source = \"the publisher\"
kind = \"official\"
```
",
};

pub(super) static INCOMPLETE_ERRATUM: Rule = Rule {
    code: "incomplete-erratum",
    severity: Severity::Error,
    summary: "an entry lacks something that its operation needs",
    explanation: "`set`, `rename` and `move` need `table`, `target` and `now` (and `was` for every value that is there \
                  before); `add` needs `table` and `record`; `remove` needs `table` and `target`; `swap` needs two \
                  `targets`, a `field` and `was = { field = [one, other] }`; `remap` needs `targets` and `into`; `counter` needs `side` as well. Entries \
                  of rulings need a `reason`.

Wrong:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"West has three boxes.\"
op = \"set\"
table = \"effectiveness\"
target = \"West\"
was = { boxes = 2 }
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"West has three boxes.\"
op = \"set\"
table = \"effectiveness\"
target = \"West\"
was = { boxes = 2 }
now = { boxes = 3 }
```
",
};

pub(super) static KEY_OF_ANOTHER_OPERATION: Rule = Rule {
    code: "key-of-another-operation",
    severity: Severity::Error,
    summary: "an entry has a key that its operation does not use",
    explanation: "`now` in an entry that removes, `record` in one that sets: either the key is left over or the operation is \
                  not the one that is meant. Nothing is applied of what would be guessed.

Wrong:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"The 1st Kent is the 11th.\"
op = \"remove\"
table = \"units\"
target = \"red-1\"
was = { name = \"1st Kent\" }
now = { name = \"11th Kent\" }
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"The 1st Kent is the 11th.\"
op = \"set\"
table = \"units\"
target = \"red-1\"
was = { name = \"1st Kent\" }
now = { name = \"11th Kent\" }
```
",
};

pub(super) static CHANGED_ID: Rule = Rule {
    code: "changed-id",
    severity: Severity::Error,
    summary: "an entry of an overlay gives a record another id",
    explanation: "An id never changes: it is what references, saved games and other editions know a record by. An entry that \
                  corrects a name gives another `name` and `abbr`; one that puts another record in the place of the first \
                  removes it and adds the other.

Wrong:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"The 2nd Kent is the 9th Kent.\"
op = \"set\"
table = \"units\"
target = \"red-2\"
now = { id = \"red-9\" }
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"The 1st Kent has a strength of 4.\"
op = \"set\"
table = \"units\"
target = \"red-1\"
was = { strength = 4 }
now = { strength = 4 }
```
",
};

pub(super) static STALE_ERRATUM: Rule = Rule {
    code: "stale-erratum",
    severity: Severity::Error,
    summary: "an erratum expects a value that is not there",
    explanation: "The entry says `was = { total = 24 }` and the cell holds neither 24 nor the new value: either the entry \
                  is wrong, or the base data were changed. Base data say what is printed, errors included; undo a \
                  correction made there, or correct `was`.

Wrong:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"West has three boxes.\"
op = \"set\"
table = \"effectiveness\"
target = \"West\"
was = { boxes = 4 }
now = { boxes = 3 }
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"West has three boxes.\"
op = \"set\"
table = \"effectiveness\"
target = \"West\"
was = { boxes = 2 }
now = { boxes = 3 }
```
",
};

pub(super) static MISSING_TARGET: Rule = Rule {
    code: "missing-target",
    severity: Severity::Error,
    summary: "an erratum names a record that does not exist",
    explanation:
        "The `target` finds nothing in its table. Write an id, a name, an abbreviation or an alias, with the \
                  formation's designation where the name alone is not enough: `105 Pa/1/1/III`.

Wrong:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"deletion\"
summary = \"There is no 9th Kent.\"
op = \"remove\"
table = \"units\"
target = \"9 Kent\"
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"deletion\"
summary = \"There is no 4th York.\"
op = \"remove\"
table = \"units\"
target = \"4 York\"
```
",
};

pub(super) static AMBIGUOUS_TARGET: Rule = Rule {
    code: "ambiguous-target",
    severity: Severity::Error,
    summary: "an erratum names more than one record",
    explanation: "The `target` finds several records. Qualify it by its formation (`1st NC/Steuart/Johnson/II`), use the \
                  id, add a `where`, or say with `expect` how many are meant.

Wrong:

```csv + oob/demo/formations.csv
blue-north,,blue,brigade,North,North's Brigade,A
```

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"change\"
summary = \"North has the morale B.\"
op = \"set\"
table = \"formations\"
target = \"North\"
was = { morale = \"A\" }
now = { morale = \"B\" }
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"change\"
summary = \"North has the morale B.\"
op = \"set\"
table = \"formations\"
target = \"North/Red\"
was = { morale = \"A\" }
now = { morale = \"B\" }
```
",
};

pub(super) static OVER_BROAD_TARGET: Rule = Rule {
    code: "over-broad-target",
    severity: Severity::Error,
    summary: "an erratum's target matches another number of records than it says",
    explanation: "`expect` says how many records the target means. The number guards against a selection that silently \
                  grows or shrinks when the base data change.

Wrong:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"change\"
summary = \"What South's regiments carry is not known.\"
op = \"set\"
table = \"units\"
target = \"all of South\"
expect = 3
was = { weapon = \"R\" }
now = { weapon = \"?\" }
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"change\"
summary = \"What South's regiments carry is not known.\"
op = \"set\"
table = \"units\"
target = \"all of South\"
expect = 2
was = { weapon = \"R\" }
now = { weapon = \"?\" }
```
",
};

pub(super) static ERRATA_CONFLICT: Rule = Rule {
    code: "errata-conflict",
    severity: Severity::Error,
    summary: "two errata give one field different values",
    explanation: "Two entries start from the same value and end at different ones. Remove one of them; or, if the later \
                  is meant to correct the result of the earlier, let its `was` be the earlier one's `now`.

Wrong:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"West has three boxes.\"
op = \"set\"
table = \"effectiveness\"
target = \"West\"
was = { boxes = 2 }
now = { boxes = 3 }

[[entries]]
ref = \"1.2\"
kind = \"correction\"
summary = \"West has four boxes.\"
op = \"set\"
table = \"effectiveness\"
target = \"West\"
was = { boxes = 2 }
now = { boxes = 4 }
```

Right:

```toml oob/demo/errata/sheet.toml
id = \"sheet\"
title = \"Errata sheet\"
date = 1801-01-01
source = \"the publisher\"
kind = \"official\"

[[entries]]
ref = \"1.1\"
kind = \"correction\"
summary = \"West has three boxes.\"
op = \"set\"
table = \"effectiveness\"
target = \"West\"
was = { boxes = 2 }
now = { boxes = 3 }

[[entries]]
ref = \"1.2\"
kind = \"correction\"
summary = \"West has four boxes after all.\"
op = \"set\"
table = \"effectiveness\"
target = \"West\"
was = { boxes = 3 }
now = { boxes = 4 }
```
",
};
