//! Turns of joints. They add up, so they are kept in the order in which they were given, whatever their kinds.

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, error::Error};
use supple::pose::Swing;

/// Every option of this kind.
pub const NAMES: [&str; 8] = ["bend", "raise", "lower", "forward", "back", "out", "in", "twist"];

/// What is done to a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Bend,
    Twist,
    Swing(Swing),
}

/// One turn as it was given.
#[derive(Clone, Debug)]
pub struct Turn {
    pub option: &'static str,
    pub kind: Kind,
    pub word: String,
}

/// Turns from the bind pose, in the order given.
#[derive(Clone, Debug, Default)]
pub struct Turns(pub Vec<Turn>);

impl FromArgMatches for Turns {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut found = Vec::new();
        for option in NAMES {
            let swing = Swing::ALL.into_iter().find(|s| s.0 == option);
            let kind = match option {
                "bend" => Kind::Bend,
                "twist" => Kind::Twist,
                _ => Kind::Swing(swing.expect("the rest are swings").1),
            };
            let words = matches.get_many::<String>(option).into_iter().flatten();
            let places = matches.indices_of(option).into_iter().flatten();
            found.extend(places.zip(words).map(|(at, word)| (at, Turn { option, kind, word: word.clone() })));
        }
        found.sort_by_key(|f| f.0);
        Ok(Self(found.into_iter().map(|f| f.1).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for Turns {
    fn augment_args(command: Command) -> Command {
        NAMES.into_iter().fold(command, |command, name| {
            let (value, help) = match name {
                "bend" => (
                    "JOINT=DEG[@x,y,z]",
                    "Flex a joint from the bind pose; repeatable. Without an axis (in the parent's frame) as anatomy has \
                     it: `supple info --joints` tells",
                ),
                "raise" => ("JOINT=DEG", "Move a limb up from the bind pose; repeatable, as all of these"),
                "lower" => ("JOINT=DEG", "Move a limb down"),
                "forward" => ("JOINT=DEG", "Move a limb to the front of the body"),
                "back" => ("JOINT=DEG", "Move a limb to the back of the body"),
                "out" => ("JOINT=DEG", "Move a limb away from the middle of the body"),
                "in" => ("JOINT=DEG", "Move a limb towards the middle of the body"),
                _ => ("JOINT=DEG", "Twist a joint about its own bone, from the bind pose; repeatable"),
            };
            command.arg(Arg::new(name).long(name).value_name(value).help(help).action(ArgAction::Append))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_keep_the_order_in_which_they_are_given() {
        let words = ["x", "--twist", "a=1", "--raise", "b=2", "--bend", "c=3", "--raise", "d=4", "--in", "e=5"];
        let matches = Turns::augment_args(Command::new("x")).get_matches_from(words);
        let turns = Turns::from_arg_matches(&matches).unwrap();
        let said: Vec<String> = turns.0.iter().map(|t| format!("{} {}", t.option, t.word)).collect();
        assert_eq!(said, ["twist a=1", "raise b=2", "bend c=3", "raise d=4", "in e=5"]);
    }
}
