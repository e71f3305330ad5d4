//! A formation or unit that alone hangs higher than its peers.

use std::collections::BTreeMap;

use super::Check;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::Game;
use crate::model::{Formation, Model};
use crate::source::Span;

pub(super) const CHECK: Check = Check { rule: &RULE, run };

static RULE: Rule = Rule {
    code: "skipped-echelon",
    severity: Severity::Warning,
    summary: "one formation or unit belongs to a higher echelon than all its peers",
    explanation: "All brigades of an army belong to divisions but one, which belongs to the army itself; or all units belong \
                  to brigades but one. Most likely its row names the wrong formation. Where the book has it so, allow it \
                  with that as the reason.

Wrong:

```csv + oob/demo/units.csv
red-6,red,foot,6th York,5,,R
```

```toml + scenarios/demo/battle.toml
[[absent]]
side = \"red\"
units = \"6 York\"
reason = \"not-in-scenario\"
```

Right:

```csv + oob/demo/units.csv
red-6,red-south,foot,6th York,,200,R
```
",
};

/// So many peers at least make one that differs suspect.
const PEERS: usize = 2;

/// The first of those of a group that belong to formations of one level and echelon, and how many they are.
struct Members<'a> {
    count: usize,
    home: usize,
    name: &'a str,
    span: Span,
    /// Whether an overlay put it there, whose author looked at just that.
    is_moved: bool,
}

/// The members of a group by the level and echelon of what they belong to.
type Group<'a> = BTreeMap<(u8, &'a str), Members<'a>>;

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    let mut groups: BTreeMap<(&str, &str), Group<'_>> = BTreeMap::new();
    let mut add = |side, what, name, home: usize, (span, is_moved)| {
        let formation = &model.formations[home];
        let group = groups.entry((side, what)).or_default();
        let members = group.entry((formation.level, formation.echelon.as_str()));
        members
            .and_modify(|members| members.count += 1)
            .or_insert(Members {
                count: 1,
                home,
                name,
                span,
                is_moved,
            });
    };
    let mut disagrees = vec![false; model.formations.len()];
    for formation in &model.formations {
        if let Some(parent) = formation.parent {
            disagrees[parent] |= model.formations[parent].level >= formation.level;
        }
    }
    for (index, formation) in model.formations.iter().enumerate() {
        // Where an echelon disagrees with those below it, that is the fault.
        if let Some(parent) = formation.parent.filter(|_| !disagrees[index]) {
            let span = (formation.parent_span, formation.is_moved);
            add(&formation.side, &formation.echelon, &formation.name, parent, span);
        }
    }
    for unit in &model.units {
        let goes_with_leader = game.kind(&unit.kind).is_some_and(|kind| kind.with_leader);
        if !goes_with_leader {
            let span = (unit.formation_span, unit.is_moved);
            add(&unit.side, "", &unit.name, unit.formation, span);
        }
    }
    for group in groups.values() {
        judge(model, group, sink);
    }
}

fn judge(model: &Model, group: &Group<'_>, sink: &mut Sink) {
    let mut members = group.iter();
    let (Some(((level, highest_echelon), highest)), Some(((below, echelon), peer)), None) =
        (members.next(), members.next(), members.next())
    else {
        return;
    };
    if highest.count > 1 || highest.is_moved || level == below || peer.count < PEERS {
        return;
    }
    // It skips an echelon only where that echelon is there to be skipped.
    let is_below = |formation: &Formation| {
        let mut at = formation.parent;
        while let Some(parent) = at {
            if parent == highest.home {
                return true;
            }
            at = model.formations[parent].parent;
        }
        false
    };
    let mut between = model
        .formations
        .iter()
        .filter(|formation| formation.echelon == *echelon);
    if !between.any(is_below) {
        return;
    }
    sink.push(
        Diagnostic::new(
            &RULE,
            highest.span,
            format!(
                "{} belongs to a formation of the echelon `{highest_echelon}`, while its {} peers all belong to one of `{echelon}`",
                highest.name, peer.count
            ),
        )
        .note("skips an echelon")
        .label(peer.span, "one of its peers")
        .help("name the formation that it belongs to; if it is so in the book, allow it with `[[lints]]` in `game.toml`"),
    );
}
