//! What had to be left out or guessed: the first lines at once, all of them for who wants to know.

use eframe::egui::{self, RichText, Ui};

/// So many are read; more are a wall.
const AT_ONCE: usize = 2;

pub fn show(ui: &mut Ui, id: &str, notes: &[String]) {
    let line = |ui: &mut Ui, note: &String| {
        ui.colored_label(ui.visuals().warn_fg_color, RichText::new(note).size(11.5));
    };
    notes.iter().take(AT_ONCE).for_each(|note| line(ui, note));
    let Some(rest) = notes.get(AT_ONCE..).filter(|rest| !rest.is_empty()) else { return };
    let title = RichText::new(format!("and {} more", rest.len())).size(11.5);
    egui::CollapsingHeader::new(title).id_salt(id).show(ui, |ui| rest.iter().for_each(|note| line(ui, note)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_kittest::{Harness, kittest::Queryable};

    #[test]
    fn of_many_the_first_two_are_seen_and_all_are_one_click_away() {
        let notes: Vec<String> = (0..40).map(|i| format!("limb {i} has no volume")).collect();
        let mut panel = Harness::new_ui(|ui| show(ui, "test", &notes));
        let seen = |panel: &Harness<'_>| panel.query_all_by_label_contains("has no volume").count();
        assert_eq!(seen(&panel), 2);
        panel.get_by_label("and 38 more").click();
        panel.run();
        assert_eq!(seen(&panel), 40);
        let few = Harness::new_ui(|ui| show(ui, "few", &notes[..2]));
        assert!(seen(&few) == 2 && few.query_by_label_contains("more").is_none());
    }
}
