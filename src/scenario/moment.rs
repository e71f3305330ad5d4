//! Moments that are on no track because a program rewrote them.

use crate::calendar::Calendar;
use crate::cell::{self, Wanted};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Why a text is no turn, if a program or a habit of typists explains it.
pub fn damaged(calendar: &Calendar, text: &str, span: Span) -> Option<Diagnostic> {
    let accepts = |moment: &str| calendar.find(moment).is_some();
    cell::explain(
        text,
        Wanted::Moment,
        "a moment",
        span,
        &accepts,
        std::iter::empty(),
    )
}

/// The same for a day and a time that stand in cells of their own.
pub fn damaged_cells(
    calendar: &Calendar,
    (day, day_span): (Option<&str>, Span),
    (time, time_span): (&str, Span),
    of: &str,
) -> Option<Diagnostic> {
    let on_day = |time: &str| match day {
        Some(day) => calendar.find(&format!("{day} {time}")).is_some(),
        None => calendar.find(time).is_some(),
    };
    let at_time = |day: &str| calendar.turns().iter().any(|turn| turn.date == day);
    if let Some(day) = day
        && !at_time(day)
    {
        let subject = format!("`day` of {of}");
        let days = calendar.turns().iter().map(|turn| turn.date.clone());
        return cell::explain(day, Wanted::Moment, &subject, day_span, &at_time, days);
    }
    let subject = format!("`time` of {of}");
    cell::explain(
        time,
        Wanted::Moment,
        &subject,
        time_span,
        &on_day,
        std::iter::empty(),
    )
}
