use crate::{args::Arguments, output};
use anyhow::{Context, Result};
use clap::CommandFactory;
use std::{io::Write, path::Path};

/// A completion script on standard output.
pub fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "supple", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}

/// `supple.1` and a page for each subcommand.
pub fn pages(folder: &Path) -> Result<()> {
    output::make_folder(folder)?;
    let cannot = || format!("{}: cannot write the pages there", folder.display());
    clap_mangen::generate_to(Arguments::command(), folder).with_context(cannot)?;
    Ok(())
}
