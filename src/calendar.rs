//! The track of turns.

use crate::game::{CalendarDef, CalendarKind, DayPartDef};

/// A turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Its place on the track, from 0.
    pub index: usize,
    /// The date, as the calendar's days name it; empty in a calendar of numbers.
    pub date: String,
    /// The time, `0740`, or the turn's number.
    pub time: String,
    /// The part of the day; empty in a calendar of numbers.
    pub part: String,
    /// What sheets call it: `July 1 0740`.
    pub label: String,
    /// What is special about it.
    pub marks: Vec<String>,
    /// Whether something can arrive in it.
    pub arrivals: bool,
}

/// Every turn that a game can have, in order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Calendar {
    turns: Vec<Turn>,
}

/// The most turns of a calendar of numbers.
const MOST_NUMBERED: usize = 200;

impl Calendar {
    /// The track that a definition describes.
    pub fn new(definition: &CalendarDef) -> Self {
        let mut turns = Vec::new();
        if definition.kind == CalendarKind::Numbered {
            for number in 1..=MOST_NUMBERED {
                turns.push(Turn {
                    index: number - 1,
                    date: String::new(),
                    time: number.to_string(),
                    part: String::new(),
                    label: format!("Turn {number}"),
                    marks: Vec::new(),
                    arrivals: true,
                });
            }
            return Calendar { turns };
        }
        for (number, day) in definition.days.iter().enumerate() {
            for part in &definition.parts {
                for minute in minutes(part) {
                    // After midnight it is the next day; 2400 is still the old one.
                    let next = minute > 24 * 60;
                    let (date, name) = match definition.days.get(number + 1) {
                        Some(day) if next => (day.id.clone(), day.name.clone()),
                        None if next => (format!("{} +1", day.id), format!("after {}", day.name)),
                        _ => (day.id.clone(), day.name.clone()),
                    };
                    let clock = if next { minute - 24 * 60 } else { minute };
                    let time = format!("{:02}{:02}", clock / 60, clock % 60);
                    let marks: Vec<_> = part
                        .marks
                        .iter()
                        .filter(|mark| mark.times.contains(&time))
                        .collect();
                    turns.push(Turn {
                        index: turns.len(),
                        label: format!("{name} {time}"),
                        date,
                        part: part.id.clone(),
                        marks: marks.iter().map(|mark| mark.label.clone()).collect(),
                        arrivals: marks.iter().all(|mark| !mark.no_arrivals),
                        time,
                    });
                }
            }
        }
        Calendar { turns }
    }

    /// The turns.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Whether any turn is on this day.
    pub fn has_day(&self, day: &str) -> bool {
        self.turns.iter().any(|turn| turn.date == day.trim())
    }

    /// Whether turns are on days, and not only numbered.
    pub fn has_days(&self) -> bool {
        self.turns.first().is_none_or(|turn| !turn.date.is_empty())
    }

    /// How the first turn is written.
    pub fn example(&self) -> String {
        match self.turns.first() {
            Some(turn) if turn.date.is_empty() => turn.time.clone(),
            Some(turn) => format!("{} {}", turn.date, turn.time),
            None => "1863-07-01 0740".to_owned(),
        }
    }

    /// The turn that a text names: `1863-07-02 0800`, or a number.
    pub fn find(&self, text: &str) -> Option<usize> {
        let (date, time) = text.trim().rsplit_once(' ').unwrap_or(("", text.trim()));
        let found = self
            .turns
            .iter()
            .find(|turn| turn.date == date.trim() && turn.time == time);
        found.map(|turn| turn.index)
    }

    /// The turns nearest before and after a moment that is not on the track.
    pub fn around(&self, text: &str) -> Vec<&Turn> {
        let Some((date, time)) = text.trim().rsplit_once(' ') else {
            return Vec::new();
        };
        let of_day: Vec<&Turn> = self
            .turns
            .iter()
            .filter(|turn| turn.date == date.trim())
            .collect();
        let before = of_day
            .iter()
            .filter(|turn| turn.time.as_str() < time)
            .max_by_key(|turn| turn.time.clone());
        let after = of_day
            .iter()
            .filter(|turn| turn.time.as_str() > time)
            .min_by_key(|turn| turn.time.clone());
        before.into_iter().chain(after).copied().collect()
    }
}

/// The minutes after midnight of a part's turns; past 1440 it is the next day.
fn minutes(part: &DayPartDef) -> Vec<u32> {
    let minute = |text: &str| -> u32 {
        let number: u32 = text.parse().unwrap_or(0);
        number / 100 * 60 + number % 100
    };
    let from = minute(&part.from);
    let mut to = minute(&part.to);
    if to < from {
        to += 24 * 60;
    }
    (from..=to).step_by(part.minutes.max(1) as usize).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{DayDef, TurnMarkDef};
    use proptest::prelude::*;

    fn three_days() -> Calendar {
        let part = |id: &str, from: &str, to: &str, minutes: u32| DayPartDef {
            id: id.into(),
            name: id.into(),
            from: from.into(),
            to: to.into(),
            minutes,
            marks: vec![TurnMarkDef {
                label: "march".into(),
                times: vec!["2100".into(), "0100".into()],
                no_arrivals: false,
            }],
        };
        Calendar::new(&CalendarDef {
            kind: CalendarKind::Clock,
            days: (1..=3)
                .map(|day| DayDef {
                    id: format!("1863-07-0{day}"),
                    name: format!("July {day}"),
                })
                .collect(),
            parts: vec![part("day", "0400", "1940", 20), part("night", "2000", "0300", 60)],
        })
    }

    #[test]
    fn turns_are_counted_as_the_book_counts_them() {
        let calendar = three_days();
        let count = |from: &str, to: &str| calendar.find(to).unwrap() - calendar.find(from).unwrap() + 1;
        assert_eq!(count("1863-07-01 0740", "1863-07-01 1700"), 29);
        assert_eq!(count("1863-07-02 0800", "1863-07-02 2300"), 40);
        assert_eq!(count("1863-07-01 0740", "1863-07-03 1940"), 149);
        assert_eq!(calendar.find("1863-07-01 0750"), None);
        assert_eq!(
            calendar.find("1863-07-02 0100"),
            Some(calendar.find("1863-07-01 2400").unwrap() + 1)
        );
    }

    proptest! {
        #[test]
        fn a_turn_is_found_by_its_own_date_and_time(index in 0usize..168) {
            let calendar = three_days();
            let turn = &calendar.turns()[index];
            prop_assert_eq!(calendar.find(&format!("{} {}", turn.date, turn.time)), Some(index));
            prop_assert!(turn.label.ends_with(&turn.time));
        }
    }
}
