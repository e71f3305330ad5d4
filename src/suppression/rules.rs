//! What can be wrong with what is allowed.

use crate::diagnostic::{Rule, Severity};

/// All rules of suppression, for the list of rules.
pub static RULES: &[&Rule] = &[
    &UNKNOWN_CODE,
    &ALLOWED_ERROR,
    &MISSING_REASON,
    &UNREADABLE_ALLOW,
    &STALE_ALLOW,
    &STALE_BASELINE,
];

pub(super) static UNKNOWN_CODE: Rule = Rule {
    code: "unknown-code",
    severity: Severity::Error,
    summary: "what is to be allowed has a code that no diagnostic has",
    explanation:
        "A comment `# orbat: allow(code) reason` or an entry of `[[lints]]` names a diagnostic by its code. \
                  `orbat explain` lists the codes.

Wrong:

```toml + oob/demo/game.toml
[[lints]]
code = \"empty-fromation\"
reason = \"its units are not known\"
```

Right:

```toml + oob/demo/game.toml
[[lints]]
code = \"empty-formation\"
reason = \"its units are not known\"
```

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```
",
};

pub(super) static ALLOWED_ERROR: Rule = Rule {
    code: "allowed-error",
    severity: Severity::Error,
    summary: "an error is to be allowed",
    explanation: "Warnings and notes can be allowed, because they say that something is probably not meant. Errors cannot: \
                  with one, no right pack can be made. Mend the data, or correct them by a ruling.

Wrong:

```toml scenarios/demo/battle.toml
id = \"battle\"
title = \"The Battle\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"
turns = 5 # orbat: allow(turn-count) the book counts otherwise

[[absent]]
side = \"red\"
units = \"North, South\"
supply = { wagon = 1 }
reason = \"not-in-scenario\"

[[absent]]
side = \"blue\"
units = \"West\"
reason = \"not-in-scenario\"
```

Right:

```toml scenarios/demo/battle.toml
id = \"battle\"
title = \"The Battle\"
source = \"made up\"
start = \"1800-06-01 0800\"
end = \"1800-06-01 1200\"

[[absent]]
side = \"red\"
units = \"North, South\"
supply = { wagon = 1 }
reason = \"not-in-scenario\"

[[absent]]
side = \"blue\"
units = \"West\"
reason = \"not-in-scenario\"
```
",
};

pub(super) static MISSING_REASON: Rule = Rule {
    code: "missing-reason",
    severity: Severity::Error,
    summary: "something is allowed without a reason",
    explanation: "Whoever reads the data later must learn why a finding is no fault. In a comment the reason stands behind \
                  the bracket: `# orbat: allow(code) reason`.

Wrong:

```toml + oob/demo/game.toml
[[lints]]
code = \"empty-formation\"
of = \"East\"
reason = \"\"
```

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```

Right:

```toml + oob/demo/game.toml
[[lints]]
code = \"empty-formation\"
of = \"East\"
reason = \"the book names no units of it\"
```

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```
",
};

pub(super) static UNREADABLE_ALLOW: Rule = Rule {
    code: "unreadable-allow",
    severity: Severity::Warning,
    summary: "a comment to orbat cannot be read",
    explanation: "A comment that begins with `# orbat:` is an instruction, and there is one: `# orbat: allow(code) reason`, or \
                  `allow(code, code) reason`. On a line of its own it is about the next item below it, and above a header \
                  about that whole table; at the end of a line it is about that line.

Wrong:

```toml + oob/demo/game.toml
# orbat: alow(empty-formation) the book says so
```

Right:

```toml + oob/demo/game.toml
# the book says so
```
",
};

pub(super) static STALE_ALLOW: Rule = Rule {
    code: "stale-allow",
    severity: Severity::Warning,
    summary: "what is allowed was not found",
    explanation: "A comment `# orbat: allow(code) reason` or an entry of `[[lints]]` allows something that was not found: it \
                  has been mended since, or the entry is about another place. Remove the entry, lest it hide what comes \
                  later. This is judged by `check` and `build`, where there is no error and all errata are applied.

Wrong:

```toml + oob/demo/game.toml
[[lints]]
code = \"empty-formation\"
at = \"oob/demo/formations.csv\"
of = \"South\"
reason = \"the book names no units of it\"
```

Right:

```toml + oob/demo/game.toml
[[lints]]
code = \"empty-formation\"
at = \"oob/demo/formations.csv\"
of = \"East\"
reason = \"the book names no units of it\"
```

```csv + oob/demo/formations.csv
red-east,,red,brigade,East,East's Brigade,C
```
",
};

pub(super) static STALE_BASELINE: Rule = Rule {
    code: "stale-baseline",
    severity: Severity::Warning,
    summary: "an entry of the baseline was not found",
    explanation: "The file of `--baseline` lists a finding that is no longer there. Write the baseline again with `orbat check \
                  --write-baseline FILE`, lest the entry hide the same fault when it comes back.",
};
