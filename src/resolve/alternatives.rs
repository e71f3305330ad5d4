//! Alternatives: units that players may field in place of others.

use super::Resolver;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::model::{Model, Unit};
use crate::suggest;

pub(super) static BAD_ALTERNATIVE: Rule = Rule {
    code: "bad-alternative",
    severity: Severity::Error,
    summary: "a unit would take the place of one that is not in its formation, or is an alternative itself",
    explanation: "`instead_of` names the units, `|` between them, that a unit takes the place of if players choose so: two \
                  weak regiments for the provisional one that they form, or the two battalions for the whole regiment. \
                  They are units of the same formation that are fielded where nobody chooses.

Wrong:

```csv oob/demo/units.csv
id,formation,kind,name,strength,men,weapon,instead_of
red-1,red-north,foot,1st Kent,4,,R,
red-2,red-north,foot,2nd Kent,5,,R,
red-3,red-south,foot,3rd York,,300,R,
red-4,red-south,foot,4th York,,400,R,
blue-5,blue-west,foot,5th Essex,6,,R,
red-9,red-north,foot,1st/2nd Kent,9,,R,1st Kent|3rd York
```

Right:

```csv oob/demo/units.csv
id,formation,kind,name,strength,men,weapon,instead_of
red-1,red-north,foot,1st Kent,4,,R,
red-2,red-north,foot,2nd Kent,5,,R,
red-3,red-south,foot,3rd York,,300,R,
red-4,red-south,foot,4th York,,400,R,
blue-5,blue-west,foot,5th Essex,6,,R,
red-9,red-north,foot,1st/2nd Kent,9,,R,1st Kent|2nd Kent
```

",
};

/// Fills in what each alternative takes the place of.
pub(super) fn alternatives(resolver: &Resolver<'_>, model: &mut Model, sink: &mut Sink) {
    let Some(table) = resolver.records.table("units") else {
        return;
    };
    if table.column("instead_of").is_none() {
        return;
    }
    let by_formation = model.units_by_formation();
    let named = |unit: &Unit| -> Vec<String> {
        table
            .field(unit.row, "instead_of")
            .map_or_else(Vec::new, |datum| datum.value.list())
    };
    let folder = resolver.index.folder();
    let is_called = |unit: &Unit, text: &str| {
        unit.id == text
            || [&unit.name, &unit.abbr]
                .iter()
                .any(|name| folder.loose(name) == folder.loose(text))
    };
    let mut found: Vec<(usize, Vec<usize>)> = Vec::new();
    for (index, unit) in model.units.iter().enumerate() {
        let names = named(unit);
        let mut replaced = Vec::new();
        for name in &names {
            let mates = &by_formation[unit.formation];
            let hits: Vec<usize> = mates
                .iter()
                .copied()
                .filter(|mate| *mate != index && is_called(&model.units[*mate], name))
                .collect();
            let problem = match hits.as_slice() {
                [one] if named(&model.units[*one]).is_empty() => {
                    replaced.push(*one);
                    continue;
                }
                [_] => format!(
                    "`{name}` is an alternative itself, so {} cannot take its place",
                    unit.name
                ),
                [] => format!(
                    "{} would take the place of `{name}`, which {} does not have",
                    unit.name, model.formations[unit.formation].designation
                ),
                _ => format!("`{name}` may be {} units of the formation", hits.len()),
            };
            let abbreviations: Vec<&str> = mates
                .iter()
                .filter(|mate| **mate != index && named(&model.units[**mate]).is_empty())
                .map(|mate| model.units[*mate].abbr.as_str())
                .collect();
            sink.push(
                Diagnostic::new(&BAD_ALTERNATIVE, table.span(unit.row, "instead_of"), problem)
                    .note(format!("`{name}`"))
                    .help(format!(
                        "name units of its formation: {}",
                        suggest::quoted(&abbreviations)
                    )),
            );
        }
        if !names.is_empty() {
            replaced.sort_unstable();
            replaced.dedup();
            found.push((index, replaced));
        }
    }
    for (index, replaced) in found {
        model.units[index].instead_of = replaced;
    }
}
