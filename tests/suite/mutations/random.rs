//! A small generator of numbers that are the same on every machine: splitmix64.

pub struct Random(u64);

impl Random {
    /// A generator whose numbers follow from a text.
    pub fn new(seed: &str) -> Self {
        // FNV-1a.
        let hash = seed.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Random(hash)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `end`, which is not 0.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// One of several.
    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> Option<&'t T> {
        if all.is_empty() {
            return None;
        }
        let at = self.below(all.len());
        all.get(at)
    }
}
