//! Work on many records at once. Results come in the order of the records, so that no output depends on how many threads
//! there were.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZero;
use std::ops::Range;
use std::thread;

/// Fewer records than this are not worth a thread.
const LEAST: usize = 8_192;

/// Divides `0..len` into ranges, works on them at the same time, and gives their results in order.
pub fn ranges<T: Send>(len: usize, work: impl Fn(Range<usize>) -> T + Sync) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let parts = (len / LEAST).clamp(1, threads);
    if parts == 1 {
        return vec![work(0..len)];
    }
    let part = |number: usize| len * number / parts..len * (number + 1) / parts;
    let work = &work;
    thread::scope(|scope| {
        let others: Vec<_> = (1..parts)
            .map(|number| scope.spawn(move || work(part(number))))
            .collect();
        let mut results = vec![work(part(0))];
        for other in others {
            match other.join() {
                Ok(result) => results.push(result),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        results
    })
}

/// One result for each of `0..len`, in order.
pub fn each<T: Send>(len: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let mut parts = ranges(len, |range| range.map(&work).collect::<Vec<T>>());
    if parts.len() == 1 {
        return parts.remove(0);
    }
    parts.into_iter().flatten().collect()
}

/// Those of `0..len` that have the same key as an earlier one, each with the first that has it, in order; what has no key
/// is like no other.
pub fn doubles<K: Hash + Eq>(len: usize, key: impl Fn(usize) -> Option<K> + Sync) -> Vec<(usize, usize)> {
    let parts = ranges(len, |range| {
        let hashed = range.filter_map(|index| {
            let mut hasher = DefaultHasher::new();
            key(index)?.hash(&mut hasher);
            Some((hasher.finish(), index as u32))
        });
        let mut part: Vec<(u64, u32)> = hashed.collect();
        part.sort_unstable();
        part
    });
    let mut all = parts.concat();
    // Stable sorting makes use of the parts being sorted.
    all.sort();
    let mut found = Vec::new();
    for alike in all
        .chunk_by(|one, other| one.0 == other.0)
        .filter(|alike| alike.len() > 1)
    {
        let mut first = HashMap::new();
        for (_, index) in alike {
            let index = *index as usize;
            let Some(key) = key(index) else { continue };
            match first.entry(key) {
                Entry::Occupied(earlier) => found.push((*earlier.get(), index)),
                Entry::Vacant(place) => {
                    place.insert(index);
                }
            }
        }
    }
    found.sort_unstable_by_key(|(_, later)| *later);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_told_with_the_first_of_their_kind() {
        let keys = ["a", "b", "", "a", "c", "b", "a", ""];
        let key = |index: usize| Some(keys[index]).filter(|key| !key.is_empty());
        assert_eq!(doubles(keys.len(), key), [(0, 3), (1, 5), (0, 6)]);
        let many = doubles(3 * LEAST, |index| Some(index % (2 * LEAST)));
        assert_eq!(many.len(), LEAST);
        assert!(many.iter().all(|(first, later)| later - first == 2 * LEAST));
    }

    #[test]
    fn results_come_in_order_and_none_is_left_out() {
        for len in [0, 1, LEAST - 1, LEAST, 3 * LEAST + 7, 20 * LEAST] {
            let doubled = each(len, |index| 2 * index);
            assert!(
                doubled
                    .iter()
                    .enumerate()
                    .all(|(index, value)| 2 * index == *value)
            );
            assert_eq!(doubled.len(), len);
            let covered: usize = ranges(len, |range| range.len()).into_iter().sum();
            assert_eq!(covered, len);
        }
    }
}
