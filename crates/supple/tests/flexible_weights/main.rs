//! Cutting skin into regions, and the weights that grow from them.

mod characters;
mod segment;
mod weights;
