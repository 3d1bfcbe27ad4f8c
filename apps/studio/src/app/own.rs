//! Panels that methods have beside their settings, for what is edited by hand: a line for each, which also names the settings
//! that the panel shows in place of a widget. Nothing else of the window knows which methods have one.

use super::{Words, implicit::LimbsPanel, tool::Tool};
use crate::{
    model::{Command, Edit},
    studio::Studio,
};
use eframe::egui::Ui;
use supple::graph::NodeFile;

/// A method's own panel, and what it does with the mouse in the view.
pub trait OwnPanel: Tool {
    /// Shows a node of the method.
    fn show(&mut self, ui: &mut Ui, node: &NodeFile, studio: &mut Studio, words: &mut Words);
}

/// A line of the table.
struct Registered {
    method: &'static str,
    title: &'static str,
    /// Settings that the panel shows.
    settings: &'static [&'static str],
    /// What is said where the graph has no node of the method, and on the button that takes it.
    absent: [&'static str; 2],
    make: fn() -> Box<dyn OwnPanel>,
}

const OWN: [Registered; 1] = [Registered {
    method: "implicit",
    title: "Limbs",
    settings: &["joints"],
    absent: ["Limbs are volumes in implicit skinning alone, and the method is another one.", "Use implicit skinning"],
    make: || Box::<LimbsPanel>::default(),
}];

/// Methods with a panel of their own, and its title.
pub fn titles() -> impl Iterator<Item = (&'static str, &'static str)> {
    OWN.iter().map(|registered| (registered.method, registered.title))
}

/// Whether the panel of a method shows a setting, which then needs no widget.
pub fn shows(method: &str, setting: &str) -> bool {
    OWN.iter().any(|registered| registered.method == method && registered.settings.contains(&setting))
}

/// All of them, for one document.
pub struct OwnPanels([Box<dyn OwnPanel>; OWN.len()]);

impl Default for OwnPanels {
    fn default() -> Self {
        Self(OWN.each_ref().map(|registered| (registered.make)()))
    }
}

impl OwnPanels {
    /// Shows the panel of a method; where the graph does not have the method, how to get it.
    pub fn show(&mut self, method: &str, ui: &mut Ui, studio: &mut Studio, words: &mut Words) {
        let Some((registered, panel)) = OWN.iter().zip(&mut self.0).find(|(known, _)| known.method == method) else {
            return;
        };
        ui.heading(registered.title);
        let Some(project) = studio.open.document.as_ref().map(|document| document.project().clone()) else { return };
        if let Some(node) = project.graph.nodes.iter().rfind(|node| node.method == method) {
            return panel.show(ui, node, studio, words);
        }
        let [why, take] = registered.absent;
        ui.label(why);
        if ui.button(take).clicked() {
            words.edit(Edit::Method { name: method.to_owned() });
            words.say(Command::Settle);
        }
    }

    /// What the panel of a method does in the view.
    pub fn tool(&mut self, method: &str) -> Option<&mut (dyn Tool + 'static)> {
        let panel = OWN.iter().zip(&mut self.0).find(|(known, _)| known.method == method);
        panel.map(|(_, panel)| &mut **panel as &mut (dyn Tool + 'static))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_panel_is_of_a_method_and_has_a_title_of_its_own() {
        for (i, (method, title)) in titles().enumerate() {
            let known = supple::graph::method(method).expect(method);
            let is_known = |name: &&str| known.settings.iter().any(|s| s.name == *name);
            assert!(OWN[i].settings.iter().all(is_known), "{method}");
            assert!(titles().take(i).all(|(other, of_other)| other != method && of_other != title), "{method}");
        }
    }
}
