//! What the command prints, word for word.

#[test]
fn the_command_says_what_it_should() {
    trycmd::TestCases::new().case("tests/cmd/*.trycmd");
}
