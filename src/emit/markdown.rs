//! Markdown to HTML, for texts that authors write: notes, summaries, briefings.
//!
//! Raw HTML is shown as the text that it is, and only harmless links are kept: what authors write reaches a page as text.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd, html};

use crate::diagnostic::{Rule, Severity};

/// Raw HTML in a text.
pub static RAW_HTML: Rule = Rule {
    code: "raw-html",
    severity: Severity::Error,
    summary: "a text holds raw HTML",
    explanation: "Texts are Markdown. HTML in them is refused, so that what authors write reaches a page as \
                  text and nothing else; write \
                  `*emphasis*`, `**strong**`, lists and tables instead.

Wrong:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
briefing = \"second.md\"
```

```md scenarios/demo/second.md
Nobody moves at <b>night</b>.
```

Right:

```toml scenarios/demo/second.toml
id = \"second\"
title = \"Second Day\"
source = \"made up\"
extends = \"battle\"
briefing = \"second.md\"
```

```md scenarios/demo/second.md
Nobody moves at **night**.
```
",
};

fn options() -> Options {
    Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH
}

/// Where a text holds raw HTML, as byte ranges.
pub fn raw_html(text: &str) -> Vec<std::ops::Range<usize>> {
    Parser::new_ext(text, options())
        .into_offset_iter()
        .filter(|(event, _)| matches!(event, Event::Html(_) | Event::InlineHtml(_)))
        .map(|(_, range)| range)
        .collect()
}

/// Markdown as HTML blocks.
pub fn to_html(text: &str) -> String {
    let mut out = String::new();
    html::push_html(&mut out, harmless(text).into_iter());
    out
}

/// Markdown of one paragraph as HTML without the paragraph around it.
pub fn to_inline_html(text: &str) -> String {
    let html = to_html(text);
    let html = html.trim();
    match html
        .strip_prefix("<p>")
        .and_then(|rest| rest.strip_suffix("</p>"))
    {
        Some(inner) if !inner.contains("<p>") => inner.to_owned(),
        _ => html.to_owned(),
    }
}

/// The events of a text with raw HTML as text and without links that are not plain.
fn harmless(text: &str) -> Vec<Event<'_>> {
    let mut open_links: Vec<bool> = Vec::new();
    let mut events = Vec::new();
    for event in Parser::new_ext(text, options()) {
        match event {
            Event::Html(raw) | Event::InlineHtml(raw) => events.push(Event::Text(raw)),
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => {}
            Event::Start(Tag::Link { ref dest_url, .. }) => {
                let kept = is_plain(dest_url);
                open_links.push(kept);
                if kept {
                    events.push(event);
                }
            }
            Event::End(TagEnd::Link) => {
                if open_links.pop().unwrap_or(false) {
                    events.push(event);
                }
            }
            other => events.push(other),
        }
    }
    events
}

fn is_plain(url: &str) -> bool {
    match url.split_once(':') {
        None => true,
        Some((scheme, _)) => {
            scheme.contains(['/', '?', '#'])
                || matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https" | "mailto")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_and_scripts_do_not_pass() {
        let html = to_html(
            "<b onclick=x>hi</b> [a](JaVa&#115;cript:alert) ![p](http://x/y.png) [ok](https://example.org)",
        );
        assert!(!html.contains("<b"), "{html}");
        assert!(!html.to_lowercase().contains("javascript"), "{html}");
        assert!(!html.contains("<img"), "{html}");
        assert!(html.contains("<a href=\"https://example.org\">ok</a>"), "{html}");
    }

    #[test]
    fn one_paragraph_becomes_inline() {
        assert_eq!(to_inline_html("a *b*"), "a <em>b</em>");
        assert_eq!(to_inline_html("a\n\nb"), "<p>a</p>\n<p>b</p>");
    }
}
