//! What `supple measure` says of the frame that is shown.

use crate::studio::Studio;
use eframe::egui::{self, RichText, Ui};
use supple::deform::implicit::Contact;

pub fn show(ui: &mut Ui, studio: &mut Studio) {
    studio.work.figures.on = true;
    ui.heading("Figures");
    let Some(latest) = studio.work.figures.latest().cloned() else {
        if studio.work.figures.is_busy() {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.weak("measuring…");
            });
        } else {
            ui.weak("nothing is shown yet");
        }
        return;
    };
    let mut rows: Vec<(&str, Option<String>, &str)> = Vec::new();
    let share = |x: Option<f64>| x.map(|x| format!("{:.3} %", x * 100.0));
    let plain = |x: Option<f64>| x.map(|x| format!("{x:.3}"));
    if let Some(s) = &latest.surface {
        rows.push((
            "overlap",
            share(s.overlap),
            "volume that lies in two places of the skin at once, over the volume at rest",
        ));
        rows.push(("inverted", share(s.inverted), "volume that is turned inside out"));
        rows.push(("volume drift", share(s.volume_drift), "change of the enclosed volume"));
        rows.push(("stretch 1 %", plain(s.stretch_p1), "length over rest length that 1 % of the edges do not reach"));
        rows.push(("stretch 99 %", plain(s.stretch_p99), "and that 1 % exceed"));
        rows.push(("stretch max", plain(s.stretch_max), "the largest"));
    }
    if let Some(r) = &latest.rig {
        rows.push(("collapse", plain(r.collapse), "smallest distance to the bone, over the same at rest"));
        rows.push(("bulge", plain(r.bulge), "largest distance to the skeleton, over the same at rest"));
        rows.push(("flipped", share(r.flipped), "triangles that face the wrong way"));
        rows.push(("detail", share(r.detail), "how much small shapes change away from the joints"));
    }
    if let Some(h) = &latest.harm {
        rows.push((
            "withering",
            plain(h.withering),
            "thinnest section of a limb, over that of the method's start there",
        ));
        rows.push((
            "gape",
            share(h.gape),
            "skin across a gap that the start does not have, over the square of the radius",
        ));
        rows.push(("tear", plain(h.tear), "largest stretch beside creases, over that of the start there"));
    }
    rows.push(("largest move", Some(format!("{:.4} D", latest.largest_move)), "over the diagonal at rest"));
    rows.push(("volume", Some(format!("{:.5}", latest.volume)), "signed volume of the skin"));
    egui::Grid::new("figures").num_columns(2).striped(true).show(ui, |ui| {
        for (name, value, help) in rows {
            ui.label(name).on_hover_text(help);
            ui.monospace(value.unwrap_or_else(|| "–".to_owned()));
            ui.end_row();
        }
    });
    if let Some(why) = latest.surface.and_then(|s| s.unjudged) {
        ui.weak(format!("overlap, inverted and volume cannot be judged: {why}"));
    }
    if !latest.contacts.is_empty() {
        ui.separator();
        ui.label(RichText::new("Contact").strong());
        contacts(ui, studio, &latest.contacts);
    }
}

/// Which limbs touch and how hard; red where a joint is at its end.
pub fn contacts(ui: &mut Ui, studio: &Studio, contacts: &[Contact]) {
    let skin = studio.open.document.as_ref().map_or(1.0, |d| d.rig().mesh.area()).max(f64::MIN_POSITIVE);
    egui::Grid::new("contacts").num_columns(3).striped(true).show(ui, |ui| {
        ui.weak("limbs");
        ui.weak("area").on_hover_text("how much of the skin is pressed, in thousandths of all of it");
        ui.weak("pressure");
        ui.end_row();
        for contact in contacts {
            let [a, b] = &contact.limbs;
            let text = RichText::new(format!("{a} · {b}")).size(11.5);
            if contact.is_full() {
                let warn = text.color(ui.visuals().warn_fg_color);
                ui.label(warn).on_hover_text("at the angle of full contact: bending it further presses skin into skin");
            } else {
                ui.label(text);
            }
            ui.monospace(format!("{:.1} ‰", 1e3 * contact.area / skin));
            ui.monospace(format!("{:.2}", contact.mean_pressure));
            ui.end_row();
        }
    });
    let full: Vec<&str> = contacts.iter().filter(|c| c.is_full()).filter_map(|c| c.joint.as_deref()).collect();
    if !full.is_empty() {
        let words = format!("full contact at {}: skin has nowhere left to go", full.join(", "));
        ui.colored_label(ui.visuals().warn_fg_color, words);
    }
    if let (Some(document), Some(joint)) = (&studio.open.document, studio.open.selected) {
        let name = &document.rig().skeleton.joints()[joint].name;
        if let Some(angle) = contacts.iter().find(|c| c.joint.as_deref() == Some(name)).and_then(|c| c.reach) {
            ui.weak(format!("{name}: contact reaches {:.0} % of what it can", angle * 100.0));
        }
    }
}
