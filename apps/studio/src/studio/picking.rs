//! What lies under the mouse: places that were asked about, in the order in which they were, and what the device has told
//! of them since. Nothing waits for it: whoever asks gets a ticket, and the answer with the same ticket some frames later.

use crate::viewport::{PLACES, Picked, Picker, Place, Shown, Skin, Spot, Viewport};
use std::collections::VecDeque;
use supple_gpu::{Fetch, GpuError};
use supple_render::Camera;

/// See the module.
#[derive(Default)]
pub struct Picking {
    picker: Option<Picker>,
    asked: VecDeque<Ask>,
    sent: VecDeque<Sent>,
    answers: VecDeque<(Ticket, Option<Spot>)>,
    next: Ticket,
    /// Whoever holds an older ticket is told that there is nothing: it was of another character.
    oldest: Ticket,
}

/// Counts what was asked.
pub type Ticket = u64;

/// A place, and the picture it is in.
#[derive(Clone, Copy)]
struct Ask {
    ticket: Ticket,
    camera: Camera,
    size: [u32; 2],
    place: Place,
}

/// Places that the device was asked about at once; without a skin to ask about, none.
struct Sent {
    asks: Vec<Ask>,
    fetch: Option<Fetch<Picked>>,
}

/// Places farther apart than so many pixels are asked about one after the other: the skin is drawn between them.
const APART: f32 = 256.0;

impl Picking {
    /// Asks what lies under a place of a picture of this size.
    pub fn ask(&mut self, camera: &Camera, size: [u32; 2], place: Place) -> Ticket {
        let ticket = self.next;
        self.next += 1;
        self.asked.push_back(Ask { ticket, camera: *camera, size, place });
        ticket
    }

    /// What lies there, once it is known; each answer is given once, in the order of the tickets.
    pub fn answer(&mut self, ticket: Ticket) -> Option<Option<Spot>> {
        if ticket < self.oldest {
            return Some(None);
        }
        self.answers.pop_front_if(|(of, _)| *of == ticket).map(|(_, spot)| spot)
    }

    /// Forgets what was asked: it was about another skin.
    pub fn clear(&mut self) {
        self.asked.clear();
        self.sent.clear();
        self.answers.clear();
        self.oldest = self.next;
    }

    /// Something was asked and is not answered yet.
    pub fn is_busy(&self) -> bool {
        !(self.asked.is_empty() && self.sent.is_empty() && self.answers.is_empty())
    }

    /// Sends what was asked, to be answered by the skin as it is on the device now.
    pub fn send(&mut self, viewport: &Viewport, scene: Option<(&Skin, &Shown)>) -> Result<(), GpuError> {
        let scene = scene.filter(|(skin, _)| !skin.is_point_set());
        while let Some(first) = self.asked.front().copied() {
            let mut asks = vec![first];
            self.asked.pop_front();
            let fits = |asks: &[Ask], next: &Ask| {
                let of_one = (next.camera, next.size) == (first.camera, first.size) && asks.len() < PLACES;
                of_one && asks.iter().all(|a| (a.place.at - next.place.at).abs().max_element() < APART)
            };
            while let Some(next) = self.asked.pop_front_if(|next| fits(&asks, next)) {
                asks.push(next);
            }
            let places: Vec<Place> = asks.iter().map(|ask| ask.place).collect();
            let fetch = scene.map(|(skin, shown)| {
                if self.picker.is_none() {
                    self.picker = Some(Picker::new(viewport.gpu())?);
                }
                let picker = self.picker.as_mut().expect("made above");
                picker.ask(skin, shown, &first.camera, first.size, &places)
            });
            let (fetch, failed) = match fetch.transpose() {
                Ok(fetch) => (fetch, None),
                Err(error) => (None, Some(error)),
            };
            // Whoever asked is answered all the same: there is nothing.
            self.sent.push_back(Sent { asks, fetch });
            if let Some(error) = failed {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Takes what the device has told since.
    pub fn receive(&mut self) -> Result<(), GpuError> {
        while let Some(mut first) = self.sent.pop_front() {
            let mut failed = None;
            let picked = match first.fetch.as_mut().map(Fetch::try_take) {
                Some(Ok(None)) => {
                    self.sent.push_front(first);
                    return Ok(());
                }
                Some(Ok(Some(picked))) => Some(picked),
                None => None,
                Some(Err(error)) => {
                    self.answers.extend(first.asks.into_iter().map(|ask| (ask.ticket, None)));
                    return Err(error);
                }
            };
            if let (Some(picked), Some(picker)) = (&picked, &mut self.picker) {
                let made = picker.make_room(picked.gathered);
                if picked.gathered > picked.room && made.is_ok() {
                    // Once more, and what was asked later after it.
                    let later = self.sent.drain(..).flat_map(|sent| sent.asks);
                    let again: Vec<Ask> = first.asks.into_iter().chain(later).chain(self.asked.drain(..)).collect();
                    self.asked.extend(again);
                    return Ok(());
                }
                failed = made.err();
            }
            let spots = picked.map_or_else(|| vec![None; first.asks.len()], |picked| picked.spots);
            // Whoever asked goes on, with what there is room for.
            self.answers.extend(first.asks.into_iter().map(|ask| ask.ticket).zip(spots));
            if let Some(error) = failed {
                return Err(error);
            }
        }
        Ok(())
    }
}
