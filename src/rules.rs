//! Every rule that any stage can report, in one list: what `orbat explain` knows.

use crate::diagnostic::Rule;
use crate::{
    apportion, cell, chart, check, definition, emit, errata, expression, fill, lower, project, read, resolve,
    scenario, schema, suggest, suppression, text,
};

/// All rules, in the order in which the pipeline comes to them.
pub fn all() -> Vec<&'static Rule> {
    let stages: &[&[&'static Rule]] = &[
        crate::RULES,
        project::RULES,
        text::RULES,
        definition::RULES,
        read::RULES,
        read::workbook::RULES,
        cell::RULES,
        errata::RULES,
        schema::rules::RULES,
        resolve::RULES,
        scenario::resolve::RULES,
        scenario::account::RULES,
        scenario::arrival::RULES,
        chart::RULES,
        expression::RULES,
        fill::RULES,
        apportion::RULES,
        lower::RULES,
        emit::RULES,
        suppression::RULES,
    ];
    let mut rules: Vec<&'static Rule> = stages.concat();
    rules.extend(check::CHECKS.iter().map(|check| check.rule));
    rules.extend(check::FURTHER.iter().copied());
    rules
}

/// The rule of a code.
pub fn find(code: &str) -> Option<&'static Rule> {
    all().into_iter().find(|rule| rule.code == code)
}

/// What to do about a code that no rule has.
pub fn near(code: &str) -> String {
    let all = all();
    match suggest::closest(code, all.iter().map(|rule| rule.code)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => "`orbat explain` lists the codes".to_owned(),
    }
}

/// A file of an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Example {
    /// The language of the block: `csv`, `toml`, …
    pub language: String,
    /// The file in the demonstration project; none where any one file will do.
    pub path: Option<String>,
    /// Whether the text stands at the end of the file, not in place of it.
    pub is_added: bool,
    /// The text.
    pub text: String,
}

/// The project that examples change: small, and without a finding.
pub const DEMO: &str = include_str!("rules/demo.md");

/// The files of a Markdown text: fenced blocks as ```` ```csv oob/demo/units.csv ````, with `+` before the path where the
/// text stands at the end of the file.
pub fn blocks(markdown: &str) -> Vec<Example> {
    markdown
        .split("```")
        .skip(1)
        .step_by(2)
        .filter_map(|block| {
            let (info, text) = block.split_once('\n')?;
            let mut words: Vec<&str> = info.split(' ').collect();
            let is_added = words.get(1) == Some(&"+");
            if is_added {
                words.remove(1);
            }
            Some(Example {
                language: words[0].to_owned(),
                path: words.get(1).map(|path| (*path).to_owned()),
                is_added,
                text: text.to_owned(),
            })
        })
        .collect()
}

/// What is wrong in just the way that a rule is about, and the same mended; nothing where the rule shows no example.
pub fn examples(rule: &Rule) -> (Vec<Example>, Vec<Example>) {
    let Some((_, examples)) = rule.explanation.split_once("\nWrong:\n") else {
        return (Vec::new(), Vec::new());
    };
    let (wrong, right) = examples.split_once("\nRight:\n").unwrap_or((examples, ""));
    (blocks(wrong), blocks(right))
}

/// The page `docs/diagnostics.md`.
pub fn page() -> String {
    let mut text = include_str!("rules/introduction.md").to_owned();
    text += "| code | severity | what it finds |\n|---|---|---|\n";
    for rule in all() {
        text += &format!(
            "| [`{code}`](#{code}) | {} | {} |\n",
            rule.severity.name(),
            rule.summary.replace('|', "\\|"),
            code = rule.code
        );
    }
    for rule in all() {
        text += &format!(
            "\n## {}\n\n{}: {}.\n\n{}\n",
            rule.code,
            rule.severity.name(),
            rule.summary,
            rule.explanation.trim_end()
        );
    }
    text += "\n## The demonstration project\n\n";
    text + DEMO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_every_rule_is_explained() {
        let mut codes: Vec<&str> = all().iter().map(|rule| rule.code).collect();
        let count = codes.len();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), count, "a code is used twice");
        for rule in all() {
            let kebab = rule
                .code
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'-');
            assert!(kebab, "{} is not kebab-case", rule.code);
            assert!(
                !rule.summary.ends_with('.'),
                "{}: the summary is a headline",
                rule.code
            );
            let (wrong, right) = examples(rule);
            assert_eq!(
                wrong.is_empty(),
                right.is_empty(),
                "{} shows half an example",
                rule.code
            );
            assert!(rule.explanation.len() > 60, "{} is not explained", rule.code);
        }
    }
}
