//! Diagnostics as a SARIF 2.1.0 log, the format that code scanning services take.

use crate::diagnostic::{Diagnostic, Rule};
use crate::source::{Files, Span};
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool<'a>,
    column_kind: &'static str,
    results: Vec<Finding<'a>>,
}

#[derive(Serialize)]
struct Tool<'a> {
    driver: Driver<'a>,
}

#[derive(Serialize)]
struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor<'a> {
    id: &'a str,
    short_description: Text<'a>,
    full_description: Text<'a>,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

/// A text, as it is and, if it is Markdown, again as such.
#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    rule_id: &'a str,
    rule_index: usize,
    level: &'static str,
    message: Message,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Location<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Repair>,
}

/// All replacements of a finding together.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Repair {
    artifact_changes: Vec<Change>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change {
    artifact_location: Artifact,
    replacements: Vec<Replacement>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement {
    deleted_region: Region,
    inserted_content: Message,
}

#[derive(Serialize)]
struct Message {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'a> {
    physical_location: Physical,
    /// The cell of a workbook, whose rows and columns no viewer of texts shows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    logical_locations: Vec<Logical>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

pub(super) fn render(diagnostics: &[&Diagnostic], files: &Files) -> String {
    let mut rules: BTreeMap<&str, (&Rule, usize)> = BTreeMap::new();
    for found in diagnostics {
        rules.entry(found.rule.code).or_insert((found.rule, 0));
    }
    for (index, (_, place)) in rules.values_mut().enumerate() {
        *place = index;
    }
    let results = diagnostics
        .iter()
        .map(|found| Finding {
            rule_id: found.rule.code,
            rule_index: rules[found.rule.code].1,
            level: found.rule.severity.name(),
            message: Message {
                text: match &found.help {
                    Some(help) => format!("{}\nhelp: {help}", found.message),
                    None => found.message.clone(),
                },
            },
            locations: found
                .span
                .iter()
                .map(|span| locate(files, *span, &found.note))
                .collect(),
            related_locations: found
                .labels
                .iter()
                .map(|label| locate(files, label.span, &label.message))
                .collect(),
            fixes: repair(found, files).into_iter().collect(),
        })
        .collect();
    let log = Log {
        schema: "https://json.schemastore.org/sarif-2.1.0.json",
        version: "2.1.0",
        runs: [Run {
            tool: Tool {
                driver: Driver {
                    name: "orbat",
                    version: env!("CARGO_PKG_VERSION"),
                    rules: rules.values().map(|(rule, _)| describe(rule)).collect(),
                },
            },
            column_kind: "unicodeCodePoints",
            results,
        }],
    };
    let json = serde_json::to_string_pretty(&log).expect("strings and numbers serialise");
    json + "\n"
}

fn describe(rule: &Rule) -> Descriptor<'_> {
    Descriptor {
        id: rule.code,
        short_description: Text {
            text: rule.summary,
            markdown: None,
        },
        full_description: Text {
            text: rule.explanation,
            markdown: Some(rule.explanation),
        },
        default_configuration: Configuration {
            level: rule.severity.name(),
        },
    }
}

/// The replacements of a finding, which are all in one file.
fn repair(found: &Diagnostic, files: &Files) -> Option<Repair> {
    let file = found.fix.as_ref()?.span.file;
    let replacements = found
        .fixes()
        .map(|fix| Replacement {
            deleted_region: region(files, fix.span),
            inserted_content: Message {
                text: fix.replacement.clone(),
            },
        })
        .collect();
    Some(Repair {
        artifact_changes: vec![Change {
            artifact_location: Artifact {
                uri: uri(files.path(file)),
            },
            replacements,
        }],
    })
}

fn region(files: &Files, span: Span) -> Region {
    let place = files.place(span);
    Region {
        start_line: place.line,
        start_column: place.column,
        end_line: place.end_line,
        end_column: place.end_column,
    }
}

fn locate<'a>(files: &Files, span: Span, message: &'a str) -> Location<'a> {
    Location {
        physical_location: Physical {
            artifact_location: Artifact {
                uri: uri(files.path(span.file)),
            },
            region: region(files, span),
        },
        logical_locations: files
            .cell(span)
            .map(|cell| Logical {
                fully_qualified_name: cell,
            })
            .into_iter()
            .collect(),
        message: (!message.is_empty()).then_some(Text {
            text: message,
            markdown: None,
        }),
    }
}

/// The path as a relative URI: everything but slashes and RFC 3986's unreserved characters is percent-encoded.
fn uri(path: &str) -> String {
    path.bytes()
        .map(|byte| match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{ERROR, NOTE, WARNING};
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn the_log_holds_rules_and_results() {
        let mut files = Files::default();
        let id = files.add("oob/Ligne é.csv", "id,x\r\n1,é\r\n");
        let found = [
            Diagnostic::new(&WARNING, Span::new(id, 8, 10), "late")
                .note("turn 9")
                .label(Span::new(id, 0, 2), "the column")
                .help("earlier"),
            Diagnostic::new(&ERROR, None, "nowhere").fix(Span::new(id, 8, 10), "e"),
            Diagnostic::new(&NOTE, Span::file_start(id), "a"),
            Diagnostic::new(&WARNING, Span::new(id, 12, 12), "end"),
        ];
        let out = render(&found.each_ref(), &files);
        assert!(out.ends_with("}\n"));
        assert_eq!(out, render(&found.each_ref(), &files));
        let log: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        assert_eq!(run["columnKind"], "unicodeCodePoints");
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let ids: Vec<_> = rules.iter().map(|rule| &rule["id"]).collect();
        assert_eq!(ids, ["corrected", "late-arrival", "unknown-leader"]);
        assert_eq!(
            rules[2],
            json!({
                "id": "unknown-leader",
                "shortDescription": {"text": ERROR.summary},
                "fullDescription": {"text": ERROR.explanation, "markdown": ERROR.explanation},
                "defaultConfiguration": {"level": "error"},
            })
        );
        for result in run["results"].as_array().unwrap() {
            let index = result["ruleIndex"].as_u64().unwrap() as usize;
            assert_eq!(result["ruleId"], rules[index]["id"]);
        }
        assert_eq!(
            run["results"][0],
            json!({
                "ruleId": "late-arrival",
                "ruleIndex": 1,
                "level": "warning",
                "message": {"text": "late\nhelp: earlier"},
                "locations": [{
                    "physicalLocation": {
                        "artifactLocation": {"uri": "oob/Ligne%20%C3%A9.csv"},
                        "region": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 4},
                    },
                    "message": {"text": "turn 9"},
                }],
                "relatedLocations": [{
                    "physicalLocation": {
                        "artifactLocation": {"uri": "oob/Ligne%20%C3%A9.csv"},
                        "region": {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 3},
                    },
                    "message": {"text": "the column"},
                }],
            })
        );
        assert_eq!(run["results"][1].get("locations"), None);
        assert_eq!(
            run["results"][1]["fixes"],
            json!([{"artifactChanges": [{
                "artifactLocation": {"uri": "oob/Ligne%20%C3%A9.csv"},
                "replacements": [{
                    "deletedRegion": {"startLine": 2, "startColumn": 3, "endLine": 2, "endColumn": 4},
                    "insertedContent": {"text": "e"},
                }],
            }]}])
        );
    }

    #[test]
    fn a_clean_run_still_is_a_log() {
        let log: Value = serde_json::from_str(&render(&[], &Files::default())).unwrap();
        assert_eq!(log["runs"][0]["results"], json!([]));
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"], json!([]));
    }
}
