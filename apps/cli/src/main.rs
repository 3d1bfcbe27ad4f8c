//! The `supple` command.

fn main() {}
