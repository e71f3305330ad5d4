//! The order in which ids are listed.

use std::cmp::Ordering;

/// Compares ids as people do: runs of digits by their value. Equal values are told apart by their text.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (mut left, mut right) = (a, b);
    loop {
        let (x, y) = (next_chunk(left), next_chunk(right));
        match (x, y) {
            (None, None) => return a.cmp(b),
            (None, Some(_)) => return Ordering::Less,
            (Some(_), None) => return Ordering::Greater,
            (Some(x), Some(y)) => {
                let digits = |text: &str| text.as_bytes()[0].is_ascii_digit();
                let order = if digits(x) && digits(y) {
                    let (p, q) = (x.trim_start_matches('0'), y.trim_start_matches('0'));
                    p.len().cmp(&q.len()).then_with(|| p.cmp(q))
                } else {
                    x.cmp(y)
                };
                if order != Ordering::Equal {
                    return order;
                }
                left = &left[x.len()..];
                right = &right[y.len()..];
            }
        }
    }
}

fn next_chunk(text: &str) -> Option<&str> {
    let first = text.as_bytes().first()?.is_ascii_digit();
    let end = text
        .bytes()
        .position(|byte| byte.is_ascii_digit() != first)
        .unwrap_or(text.len());
    Some(&text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_as_people_count() {
        let mut ids = ["a-10", "a-2", "a-2-b", "a-1", "a", "b-1", "a-02"];
        ids.sort_by(|a, b| natural(a, b));
        assert_eq!(ids, ["a", "a-1", "a-02", "a-2", "a-2-b", "a-10", "b-1"]);
    }
}
