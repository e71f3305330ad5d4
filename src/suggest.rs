//! Did-you-mean: the known name nearest to a mistyped one.

/// The candidate nearest to `text`, if it is near enough to be worth offering: at most a third of the letters differ.
/// Letter case is ignored; of equally near candidates the first is taken.
pub fn closest<'c>(text: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let wanted = text.to_lowercase();
    let limit = (wanted.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (distance(&wanted, &candidate.to_lowercase()), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many letters must be changed, dropped, added or swapped with their neighbour to make one text of another.
pub fn distance(a: &str, b: &str) -> usize {
    strsim::damerau_levenshtein(a, b)
}

/// A sentence offering the nearest candidate, or else listing them all while they are few.
pub fn help(text: &str, candidates: &[&str]) -> Option<String> {
    if let Some(near) = closest(text, candidates.iter().copied()) {
        return Some(format!("did you mean `{near}`?"));
    }
    if candidates.is_empty() || candidates.len() > 16 {
        return None;
    }
    Some(format!("known here: {}", quoted(candidates)))
}

/// Names in backquotes with commas between.
pub fn quoted(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
