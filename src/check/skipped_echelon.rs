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

/// Something of which its peers all belong to one echelon.
struct Member<'a> {
    home: usize,
    name: &'a str,
    level: u8,
    echelon: &'a str,
    span: Span,
    /// Whether an overlay put it there, whose author looked at just that.
    is_moved: bool,
}

fn run(game: &Game, model: &Model, sink: &mut Sink) {
    let mut groups: BTreeMap<(&str, &str), Vec<Member<'_>>> = BTreeMap::new();
    let mut add = |side, what, name, home: usize, (span, is_moved)| {
        let formation = &model.formations[home];
        groups.entry((side, what)).or_default().push(Member {
            home,
            name,
            level: formation.level,
            echelon: &formation.echelon,
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
    for members in groups.values() {
        judge(model, members, sink);
    }
}

fn judge(model: &Model, members: &[Member<'_>], sink: &mut Sink) {
    let Some(highest) = members.iter().min_by_key(|member| member.level) else {
        return;
    };
    let mut peers = members.iter().filter(|member| member.level > highest.level);
    let Some(peer) = peers.next().filter(|_| !highest.is_moved) else {
        return;
    };
    let is_like = |member: &Member<'_>| member.echelon == peer.echelon;
    if members.len() - 1 < PEERS
        || members.iter().filter(|member| is_like(member)).count() + 1 != members.len()
    {
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
        .filter(|formation| formation.echelon == peer.echelon);
    if !between.any(is_below) {
        return;
    }
    sink.push(
        Diagnostic::new(
            &RULE,
            highest.span,
            format!(
                "{} belongs to a formation of the echelon `{}`, while its {} peers all belong to one of `{}`",
                highest.name,
                highest.echelon,
                members.len() - 1,
                peer.echelon
            ),
        )
        .note("skips an echelon")
        .label(peer.span, "one of its peers")
        .help("name the formation that it belongs to; if it is so in the book, allow it with `[[lints]]` in `game.toml`"),
    );
}
