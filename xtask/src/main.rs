//! Chores of the repository: `cargo xtask bless` writes the goldens anew.

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Chores of the repository")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Write the golden of every method anew; look at the difference before you commit it
    Bless,
}

fn main() -> Result<()> {
    match Arguments::parse().chore {
        Chore::Bless => bless(),
    }
}

fn bless() -> Result<()> {
    for method in supple::graph::methods() {
        supple_testkit::golden::bless(method.name)?;
        println!("golden/{}.json", method.name);
    }
    Ok(())
}
