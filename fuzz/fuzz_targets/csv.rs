//! See `orbat_fuzz::csv`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| orbat_fuzz::csv(data));
