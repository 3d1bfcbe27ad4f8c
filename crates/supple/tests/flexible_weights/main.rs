//! Cutting skin into regions, and the weights that grow from them.

#![expect(clippy::print_stdout, reason = "figures to be read with --nocapture")]

mod characters;
mod hostile;
mod segment;
mod weights;
