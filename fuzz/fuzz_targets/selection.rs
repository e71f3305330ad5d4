//! See `orbat_fuzz::selection`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| orbat_fuzz::selection(data));
