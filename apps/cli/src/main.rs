//! The `supple` command; what it does is in the library beside it.

fn main() -> std::process::ExitCode {
    supple_cli::main()
}
