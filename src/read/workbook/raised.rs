//! Text in runs, some of which are raised as the marks of footnotes are.

use super::Content;

/// A text as it grows, run by run.
#[derive(Default)]
pub(super) struct Text {
    plain: String,
    raised: String,
    is_raised: bool,
}

impl Text {
    /// Says whether what follows is raised.
    pub(super) fn raise(&mut self, is_raised: bool) {
        self.is_raised = is_raised;
    }

    /// Adds a run. The raised letters of an ordinal belong to it.
    pub(super) fn push(&mut self, run: &str) {
        const ORDINALS: [&str; 14] = [
            "st", "nd", "rd", "th", "d", "e", "er", "re", "me", "ème", "o", "a", "º", "ª",
        ];
        let bare = run.trim().to_lowercase();
        let is_ordinal = ORDINALS.contains(&bare.as_str())
            && self.plain.ends_with(|c: char| c.is_ascii_digit())
            // `510` with a raised `a` has a mark; an ordinal is followed by what it counts.
            && (bare.len() > 1 || self.plain.len() < 3);
        if self.is_raised && !is_ordinal && !self.plain.is_empty() {
            self.raised.push_str(run);
        } else {
            self.plain.push_str(run);
        }
    }

    /// The text without what is raised.
    pub(super) fn plain(&self) -> &str {
        &self.plain
    }

    /// Whether a part of it is raised.
    pub(super) fn is_marked(&self) -> bool {
        !self.raised.trim().is_empty()
    }

    /// What the cell holds.
    pub(super) fn content(self) -> Content {
        if self.is_marked() {
            Content::Raised(Box::new((self.plain, self.raised)))
        } else {
            Content::Text(self.plain.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(runs: &[(&str, bool)]) -> Content {
        let mut text = Text::default();
        for (run, is_raised) in runs {
            text.raise(*is_raised);
            text.push(run);
        }
        text.content()
    }

    #[test]
    fn marks_are_left_out_and_ordinals_are_not() {
        let raised = |text: &str, mark: &str| Content::Raised(Box::new((text.into(), mark.into())));
        assert_eq!(read(&[("510", false), ("2", true)]), raised("510", "2"));
        assert_eq!(
            read(&[("7th Essex", false), ("a", true)]),
            raised("7th Essex", "a")
        );
        assert_eq!(read(&[("510", false), ("a", true)]), raised("510", "a"));
        let whole = |text: &str| Content::Text(text.into());
        assert_eq!(
            read(&[("7", false), ("th", true), (" Essex", false)]),
            whole("7th Essex")
        );
        assert_eq!(read(&[("6", true)]), whole("6"));
    }
}
