//! Where limbs touch, how hard, and how far the selected joint bends before they lie against each other.

use super::super::{Words, figures};
use crate::{
    model::{Command, SkinView},
    studio::Studio,
};
use eframe::egui::{RichText, Ui};

/// A joint this near to its angle of full contact is warned of, in degrees.
const NEAR: f64 = 5.0;

pub fn show(ui: &mut Ui, studio: &mut Studio, joint: Option<&str>, bend: Option<f64>, words: &mut Words) {
    let on = studio.sight.view == SkinView::Contact;
    ui.horizontal(|ui| {
        ui.label(RichText::new("Contact").strong());
        if ui.selectable_label(on, if on { "shown on the skin" } else { "show on the skin" }).clicked() {
            words.say(Command::Show { view: if on { SkinView::Shaded } else { SkinView::Contact } });
        }
    });
    studio.work.figures.on = true;
    full_contact(ui, studio, joint, bend);
    match studio.work.figures.latest().cloned() {
        None => {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.weak("measuring…");
            });
        }
        Some(latest) if latest.contacts.is_empty() => {
            drop(ui.label(RichText::new("nothing touches").size(11.5).weak()))
        }
        Some(latest) => {
            if studio.sight.view != SkinView::Contact {
                let points: usize = latest.contacts.iter().map(|c| c.points).sum();
                ui.label(RichText::new(format!("{points} points of the skin are pressed")).size(11.5).weak());
            }
            figures::contacts(ui, studio, &latest.contacts);
        }
    }
}

fn full_contact(ui: &mut Ui, studio: &mut Studio, joint: Option<&str>, bend: Option<f64>) {
    let (Some(joint), Some(document)) = (joint, &studio.open.document) else { return };
    let rig = document.rig().clone();
    match studio.work.figures.full_contact(&rig, joint, &studio.work.wake) {
        None => drop(ui.label(RichText::new("looking for the angle of full contact…").size(11.5).weak())),
        Some(Err(why)) => {
            let text = format!("looking for the angle of full contact ended without a result: {why}");
            ui.colored_label(ui.visuals().error_fg_color, text);
        }
        Some(Ok(None)) => {
            let text = format!("{joint} comes to full contact at no bend");
            ui.label(RichText::new(text).size(11.5).weak());
        }
        Some(Ok(Some(full))) => {
            let now = bend.map_or(String::new(), |b| format!(", now {b:.0}°"));
            ui.label(format!("full contact at {full:.0}°{now}"));
            let warn = ui.visuals().warn_fg_color;
            match bend {
                Some(b) if b >= full => {
                    ui.colored_label(
                        warn,
                        format!("{joint} is past its angle of full contact: skin has nowhere to go"),
                    );
                }
                Some(b) if b >= full - NEAR => {
                    drop(ui.colored_label(warn, format!("{joint} is close to full contact")))
                }
                _ => {}
            }
        }
    }
}
