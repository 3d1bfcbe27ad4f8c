//! Chores of the repository: `cargo xtask bless` writes the goldens and the schema of projects anew, `cargo xtask gallery` the pictures, `cargo xtask
//! figures` the table that compares methods, `cargo xtask implicit` the page of figures of implicit skinning, `cargo xtask studio`
//! pictures of the window, `cargo xtask web` the studio for browsers.

mod figures;
mod gallery;
mod implicit;
#[path = "../../crates/supple-render/tests/scene/mod.rs"]
mod render_scene;
mod studio;
mod web;

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
    /// Write the golden of every method and of the renderer and the settings in the schema of projects anew; look at the difference before you commit it
    Bless,
    /// Measure the methods of one pass anew, and write the table of docs/src/methods/comparison.md
    Figures,
    /// Measure implicit skinning widely (minutes, in a release build), and write docs/src/methods/implicit-figures.md
    Implicit {
        /// Only the sections whose name contains this; the page is then left alone
        #[arg(default_value = "")]
        only: String,
    },
    /// Draw the pictures of the studio anew, in a real window; look at every one before you commit it
    Studio {
        /// Only those whose name contains this
        #[arg(default_value = "")]
        only: String,
    },
    /// Draw the pictures of the README and the book anew; look at every one before you commit it
    Gallery {
        /// Only those whose name contains this
        #[arg(default_value = "")]
        only: String,
    },
    /// Build the studio for browsers into dist/: static files that `supple studio --web` serves
    Web {
        /// The profile of the build; `dev` is quick to build and slow to run
        #[arg(long, default_value = "web")]
        profile: String,
        /// Where to
        #[arg(long, default_value = "dist")]
        out: std::path::PathBuf,
    },
}

fn main() -> Result<()> {
    match Arguments::parse().chore {
        Chore::Bless => bless(),
        Chore::Figures => figures::run(),
        Chore::Implicit { only } => implicit::run(&only),
        Chore::Studio { only } => studio::run(&only),
        Chore::Gallery { only } => gallery::run(&only),
        Chore::Web { profile, out } => web::run(&profile, &out),
    }
}

fn bless() -> Result<()> {
    for method in supple::graph::methods() {
        supple_testkit::golden::bless(method.name)?;
        println!("golden/{}.json", method.name);
    }
    supple_testkit::project_schema::bless()?;
    println!("docs/schema/project.json");
    render_scene::picture().write(render_scene::golden())?;
    println!("golden/render.png");
    Ok(())
}
