//! The order in which ids are listed.

use std::cmp::Ordering;

/// Compares ids as people do: runs of digits by their value. Equal values are told apart by their text.
pub fn natural(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let start = alike(a, b);
    let (mut left, mut right) = (&a[start..], &b[start..]);
    loop {
        let (x, y) = (next_chunk(left), next_chunk(right));
        match (x, y) {
            ([], []) => return a.cmp(b),
            ([], _) => return Ordering::Less,
            (_, []) => return Ordering::Greater,
            _ => {
                let order = if x[0].is_ascii_digit() && y[0].is_ascii_digit() {
                    let (p, q) = (value(x), value(y));
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

/// How far two ids are alike, to the beginning of the chunk in which they differ: most ids of a table begin alike.
fn alike(a: &[u8], b: &[u8]) -> usize {
    let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let Some(last) = common.checked_sub(1) else {
        return 0;
    };
    let is_digit = a[last].is_ascii_digit();
    let chunk = a[..common]
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_digit() == is_digit);
    common - chunk.count()
}

/// The digits that count.
fn value(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    &digits[zeros..]
}

fn next_chunk(text: &[u8]) -> &[u8] {
    let Some(first) = text.first().map(u8::is_ascii_digit) else {
        return text;
    };
    let end = text.iter().position(|byte| byte.is_ascii_digit() != first);
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_as_people_count() {
        let mut ids = [
            "a-10", "a-2", "a-2-b", "a-1", "a", "b-1", "a-02", "ab-1", "a1", "é2", "è10",
        ];
        ids.sort_by(|a, b| natural(a, b));
        assert_eq!(
            ids,
            [
                "a", "a1", "a-1", "a-02", "a-2", "a-2-b", "a-10", "ab-1", "b-1", "è10", "é2"
            ]
        );
    }
}
