//! Templates: those built in, shadowed by name by those of the project's own `templates/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use minijinja::{AutoEscape, Environment, ErrorKind, UndefinedBehavior, Value};

use super::markdown;
use crate::diagnostic::{Diagnostic, Rule, Severity, Sink};
use crate::game::SheetDef;
use crate::source::{FileId, Files, Span};
use crate::suggest;
use crate::text;

/// A template that cannot be rendered.
pub static TEMPLATE_ERROR: Rule = Rule {
    code: "template-error",
    severity: Severity::Error,
    summary: "a sheet's template cannot be rendered",
    explanation: "The message says what is wrong: a syntax error, a name that the sheet does not have, or a template that \
                  does not exist. The place is in the template, or where `game.toml` names it. Templates see `game`, `edition`, `sides`, `formations`, \
                  `errata` and `sheet`; see the README.

Wrong:

```html templates/roster.html
<h1>{{ game.title </h1>
```

Right:

```html templates/roster.html
<h1>{{ game.title }}</h1>
```
",
};

/// The folder of a project's own templates.
pub const FOLDER: &str = "templates";

/// More steps than any honest sheet takes.
const FUEL: u64 = 50_000_000;

/// The templates that are built in.
static BUILT_IN: &[(&str, &str)] = &[
    ("army-list.html", include_str!("../../templates/army-list.html")),
    ("army-list.md", include_str!("../../templates/army-list.md")),
    ("base.html", include_str!("../../templates/base.html")),
    ("base.md", include_str!("../../templates/base.md")),
    ("bce.html", include_str!("../../templates/bce.html")),
    ("bce.md", include_str!("../../templates/bce.md")),
    (
        "brigade-form.html",
        include_str!("../../templates/brigade-form.html"),
    ),
    ("brigade-form.md", include_str!("../../templates/brigade-form.md")),
    ("card.html", include_str!("../../templates/card.html")),
    ("card.md", include_str!("../../templates/card.md")),
    ("charts.html", include_str!("../../templates/charts.html")),
    ("charts.md", include_str!("../../templates/charts.md")),
    ("errata.html", include_str!("../../templates/errata.html")),
    ("errata.md", include_str!("../../templates/errata.md")),
    ("markers.html", include_str!("../../templates/markers.html")),
    ("markers.md", include_str!("../../templates/markers.md")),
    ("roster.html", include_str!("../../templates/roster.html")),
    ("roster.md", include_str!("../../templates/roster.md")),
    ("schedule.html", include_str!("../../templates/schedule.html")),
    ("schedule.md", include_str!("../../templates/schedule.md")),
    ("setup.html", include_str!("../../templates/setup.html")),
    ("setup.md", include_str!("../../templates/setup.md")),
    ("stands.html", include_str!("../../templates/stands.html")),
    ("stands.md", include_str!("../../templates/stands.md")),
    ("timeline.html", include_str!("../../templates/timeline.html")),
    ("timeline.md", include_str!("../../templates/timeline.md")),
];

/// Every template at hand, ready to be rendered.
pub struct Templates {
    environment: Environment<'static>,
    files: BTreeMap<String, FileId>,
    /// Those that could not be read: that they are missing has been said.
    broken: BTreeSet<String>,
}

impl Templates {
    /// Takes the built-in templates and those of the project.
    pub fn load(files: &mut Files, root: &Path, sink: &mut Sink) -> std::io::Result<Self> {
        let mut sources: BTreeMap<String, FileId> = BTreeMap::new();
        let mut broken = BTreeSet::new();
        let own = root.join(FOLDER);
        if own.is_dir() {
            let mut names: Vec<String> = std::fs::read_dir(&own)?
                .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
                .filter(|name| name.ends_with(".html") || name.ends_with(".md"))
                .collect();
            names.sort();
            for name in names {
                let path = format!("{FOLDER}/{name}");
                match files.read(root, &path) {
                    Ok(file) => {
                        if !text::judge(files, file, sink) {
                            broken.insert(name.clone());
                        }
                        sources.insert(name, file);
                    }
                    Err(crate::source::Unreadable::Io(error)) => {
                        let why = format!("{FOLDER}/{name}: {error}");
                        return Err(std::io::Error::new(error.kind(), why));
                    }
                    Err(problem) => {
                        text::refuse(files, &problem, &path, sink);
                        let file = files.add(path, "");
                        broken.insert(name.clone());
                        sources.insert(name, file);
                    }
                }
            }
        }
        for (name, text) in BUILT_IN {
            if !sources.contains_key(*name) {
                let file = files.add(format!("{FOLDER}/{name}"), text);
                sources.insert((*name).to_owned(), file);
            }
        }
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_debug(true);
        environment.set_fuel(Some(FUEL));
        environment.set_auto_escape_callback(|name| {
            if name.ends_with(".html") {
                AutoEscape::Html
            } else {
                AutoEscape::None
            }
        });
        let mut syntax = minijinja::syntax::SyntaxConfig::builder();
        syntax.trim_blocks(true);
        syntax.lstrip_blocks(true);
        syntax.keep_trailing_newline(true);
        if let Ok(syntax) = syntax.build() {
            environment.set_syntax(syntax);
        }
        environment.add_filter("markdown", |text: String| {
            Value::from_safe_string(markdown::to_inline_html(&text))
        });
        environment.add_filter("markdown_blocks", |text: String| {
            Value::from_safe_string(markdown::to_html(&text))
        });
        environment.add_filter("cell", |text: String| text.replace('|', "\\|").replace('\n', " "));
        for (name, file) in &sources {
            if broken.contains(name) {
                continue;
            }
            let text = files.text(*file).to_owned();
            if let Err(error) = environment.add_template_owned(name.clone(), text) {
                report(&error, name, &sources, files, sink);
                broken.insert(name.clone());
            }
        }
        Ok(Templates {
            broken,
            environment,
            files: sources,
        })
    }

    /// The project's own templates that no sheet is printed with and no template names, each with the built-in one of nearly
    /// its name. `asked` are the templates of all sheets.
    pub fn strays(&self, asked: &[&str], files: &Files) -> Vec<(FileId, Option<&'static str>)> {
        let is_asked = |name: &str| {
            let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
            asked.contains(&stem) || BUILT_IN.iter().any(|(known, _)| *known == name)
        };
        let mut strays = Vec::new();
        for (name, file) in &self.files {
            let is_named = |other: &FileId| other != file && files.text(*other).contains(name.as_str());
            if is_asked(name) || self.files.values().any(is_named) {
                continue;
            }
            let known = BUILT_IN
                .iter()
                .map(|(known, _)| *known)
                .filter(|known| known.ends_with(".html") == name.ends_with(".html"));
            strays.push((*file, suggest::closest(name, known)));
        }
        strays
    }

    /// Whether there is a template of a name.
    pub fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Reports the sheets whose template does not exist; `place` says where a sheet names it.
    pub fn judge(&self, sheets: &[SheetDef], place: impl Fn(usize) -> Span, sink: &mut Sink) {
        let stems = self
            .files
            .keys()
            .filter_map(|name| Some(name.rsplit_once('.')?.0));
        // What others extend is no sheet.
        let known: BTreeSet<&str> = stems.filter(|name| *name != "base").collect();
        let known: Vec<&str> = known.into_iter().collect();
        for (number, sheet) in sheets.iter().enumerate() {
            let wanted = sheet.template.as_str();
            if known.contains(&wanted) {
                continue;
            }
            let otherwise = format!("write {FOLDER}/{wanted}.html or {FOLDER}/{wanted}.md");
            sink.push(
                Diagnostic::new(
                    &TEMPLATE_ERROR,
                    place(number),
                    format!("the sheet `{}` has no template `{wanted}`", sheet.id),
                )
                .note("no such template")
                .help(match suggest::closest(wanted, known.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`? if not, {otherwise}"),
                    None => format!("{otherwise}; there are {}", suggest::quoted(&known)),
                }),
            );
        }
    }

    /// Renders a template; what is wrong is reported at its place in the template.
    pub fn render(&self, name: &str, context: Value, files: &Files, sink: &mut Sink) -> Option<String> {
        if self.broken.contains(name) {
            return None;
        }
        let rendered = self
            .environment
            .get_template(name)
            .and_then(|template| template.render(context));
        match rendered {
            Ok(text) => Some(text),
            Err(error) => {
                let about_broken = |name: &String| format!("{error:#}").contains(name.as_str());
                let known =
                    error.kind() == ErrorKind::TemplateNotFound || error.kind() == ErrorKind::BadInclude;
                if !(known && self.broken.iter().any(about_broken)) {
                    report(&error, name, &self.files, files, sink);
                }
                None
            }
        }
    }
}

/// Reports an error where it arose: an error in an included template is the cause of one in the including.
fn report(
    error: &minijinja::Error,
    template: &str,
    sources: &BTreeMap<String, FileId>,
    files: &Files,
    sink: &mut Sink,
) {
    let mut cause = error;
    let mut next = std::error::Error::source(error);
    while let Some(inner) = next {
        if let Some(inner) = inner.downcast_ref::<minijinja::Error>() {
            cause = inner;
        }
        next = inner.source();
    }
    let what = cause.detail().map_or_else(
        || cause.kind().to_string(),
        |detail| format!("{}: {detail}", cause.kind()),
    );
    let name = cause.name().unwrap_or(template);
    let file = sources.get(name);
    let span = file.map(|file| {
        let text = files.text(*file);
        match cause.range() {
            Some(range) if range.end <= text.len() => files.whole(*file, range.start, range.end),
            _ => {
                let line = cause.line().unwrap_or(1).saturating_sub(1) as u32;
                let last = files.line_of(*file, text.len() as u32);
                let (start, end) = files.line_range(*file, line.min(last));
                Span::new(*file, start as usize, end as usize)
            }
        }
    });
    sink.push(
        Diagnostic::new(
            &TEMPLATE_ERROR,
            span,
            format!("the template `{name}` cannot be rendered: {what}"),
        )
        .note("here"),
    );
}
