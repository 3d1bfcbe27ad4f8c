use crate::{
    args::Arguments,
    console::Console,
    output::{self, Output},
};
use anyhow::{Result, bail};
use clap::{Command, CommandFactory};
use clap_mangen::Man;
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
    let mut pages = Vec::new();
    collect(command, &mut pages);
    let outputs = pages.iter().map(|page| Output::file(folder.join(page.get_filename()), console));
    let outputs = outputs.collect::<Result<Vec<_>>>()?;
    for output in &outputs {
        // Manual pages say what they are of.
        if std::fs::read(output.path()).is_ok_and(|there| !there.windows(HEADING.len()).any(|w| w == HEADING)) {
            bail!("{}: is there already, and is no manual page of this program", output.path().display());
        }
    }
    for (page, output) in pages.iter().zip(&outputs) {
        output.write(|path| write::file(path, |out| Ok(page.render(out)?)))?;
    }
    console.say(&format!("supple: wrote {} manual pages into {}", pages.len(), folder.display()));
    Ok(())
}

/// What stands in every page.
const HEADING: &[u8] = b".TH supple";

fn collect(command: Command, pages: &mut Vec<Man>) {
    for under in command.get_subcommands().filter(|c| !c.is_hide_set()) {
        collect(under.clone(), pages);
    }
    pages.push(Man::new(command));
}
