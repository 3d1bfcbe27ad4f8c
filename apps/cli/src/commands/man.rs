use crate::{
    args::Arguments,
    console::Console,
    output::{self, Output},
};
use anyhow::Result;
use clap::{Command, CommandFactory};
use std::{io::Write, path::Path};
use supple::write;

/// A completion script on standard output.
pub fn completions(shell: clap_complete::Shell) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "supple", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}

/// `supple.1` and a page for each subcommand.
pub fn pages(folder: &Path, console: &Console) -> Result<()> {
    output::make_folder(folder)?;
    let mut command = Arguments::command().disable_help_subcommand(true);
    command.build();
    page(command, folder, console)
}

fn page(command: Command, folder: &Path, console: &Console) -> Result<()> {
    for under in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        page(under.clone(), folder, console)?;
    }
    let page = clap_mangen::Man::new(command);
    let output = Output::file(folder.join(page.get_filename()), console)?;
    output.write(|path| write::file(path, |out| Ok(page.render(out)?)))
}
