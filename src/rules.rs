//! Every rule that any stage can report, in one list: what `orbat explain` knows.

use crate::diagnostic::Rule;
use crate::{
    apportion, cell, chart, check, emit, errata, expression, fill, lower, project, read, resolve, scenario,
    schema,
};

/// All rules, in the order in which the pipeline comes to them.
pub fn all() -> Vec<&'static Rule> {
    let stages: [&[&'static Rule]; 14] = [
        project::RULES,
        read::RULES,
        cell::RULES,
        errata::RULES,
        schema::judge::RULES,
        resolve::RULES,
        scenario::resolve::RULES,
        scenario::account::RULES,
        chart::RULES,
        expression::RULES,
        fill::RULES,
        apportion::RULES,
        lower::RULES,
        emit::RULES,
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
            assert!(rule.explanation.len() > 60, "{} is not explained", rule.code);
        }
    }
}
