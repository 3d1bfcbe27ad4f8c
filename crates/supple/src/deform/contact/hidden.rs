//! Which points of a skin are hidden in other flesh: those at edges that go through skin, and from there as far as it goes. Specks of
//! skin that lie within what is hidden are hidden too, whatever flesh lies over them: in the bottom of a crease joints lay skin in
//! small folds, some of them inside out.

use super::crossings::{Crossings, Edges};
use crate::parallel::for_each_block;

/// Points a thread asks at a time.
const BLOCK: usize = 32;
/// A point that has not been asked.
const UNKNOWN: u32 = u32::MAX;
/// A point that is being asked, or is not hidden.
const ASKED: u32 = u32::MAX - 1;
/// One that is not hidden, and from which more of such skin is reached than a speck has.
const SEEN: u32 = u32::MAX - 2;
/// A point of a skin that may be a speck.
const SPECK: u32 = u32::MAX - 3;
/// Points of a speck, over those that are hidden round it, at the most: what comes out on the other side of a limb is more.
const LARGEST: f32 = 0.03;

/// Memory of a frame, and what was found in it.
pub struct Flood {
    hidden: Vec<u32>,
    /// The place of each point in `hidden`, or what else is known of it.
    places: Vec<u32>,
    asked: Vec<u32>,
    answers: Vec<bool>,
    /// The piece of hidden skin of each hidden point, and how many points each piece has.
    piece_of: Vec<u32>,
    pieces: Vec<u32>,
}

impl Flood {
    pub fn over(points: usize) -> Self {
        Self {
            hidden: Vec::with_capacity(points),
            places: vec![UNKNOWN; points],
            asked: Vec::with_capacity(points),
            answers: vec![false; points],
            piece_of: vec![u32::MAX; points],
            pieces: Vec::with_capacity(points),
        }
    }

    /// Finds all points that are hidden.
    pub fn find(&mut self, edges: &Edges, crossings: &Crossings, is_hidden: impl Fn(u32) -> bool + Sync + Send) {
        let Self { hidden, places, asked, answers, .. } = self;
        hidden.clear();
        asked.clear();
        places.fill(UNKNOWN);
        let mut is_new = |i: u32| std::mem::replace(&mut places[i as usize], ASKED) == UNKNOWN;
        asked.extend(crossings.points(edges).filter(|&i| is_new(i)));
        while !asked.is_empty() {
            let answers = &mut answers[..asked.len()];
            for_each_block(answers, BLOCK, |first, block| {
                block.iter_mut().zip(&asked[first..]).for_each(|(answer, &i)| *answer = is_hidden(i));
            });
            let first = hidden.len();
            hidden.extend(asked.iter().zip(&*answers).filter(|(_, is_hidden)| **is_hidden).map(|(i, _)| *i));
            asked.clear();
            for place in first..hidden.len() {
                places[hidden[place] as usize] = place as u32;
            }
            for beside in hidden[first..].iter().flat_map(|&i| edges.beside(i)) {
                if places[beside.point as usize] == UNKNOWN {
                    places[beside.point as usize] = ASKED;
                    asked.push(beside.point);
                }
            }
        }
        self.count_pieces(edges);
        self.hide_specks(edges);
    }

    fn count_pieces(&mut self, edges: &Edges) {
        let Self { hidden, places, asked, piece_of, pieces, .. } = self;
        pieces.clear();
        piece_of[..hidden.len()].fill(u32::MAX);
        for start in 0..hidden.len() {
            if piece_of[start] != u32::MAX {
                continue;
            }
            let piece = pieces.len() as u32;
            piece_of[start] = piece;
            asked.clear();
            asked.push(start as u32);
            let mut at = 0;
            while let Some(&k) = asked.get(at) {
                at += 1;
                for beside in edges.beside(hidden[k as usize]) {
                    let place = places[beside.point as usize];
                    if place < SPECK && piece_of[place as usize] == u32::MAX {
                        piece_of[place as usize] = piece;
                        asked.push(place);
                    }
                }
            }
            pieces.push(asked.len() as u32);
        }
    }

    fn hide_specks(&mut self, edges: &Edges) {
        let Self { hidden, places, asked, piece_of, pieces, .. } = self;
        for from in 0..hidden.len() {
            let largest = (LARGEST * pieces[piece_of[from] as usize] as f32) as usize;
            for start in edges.beside(hidden[from]).iter().map(|beside| beside.point) {
                if places[start as usize] != ASKED {
                    continue;
                }
                asked.clear();
                asked.push(start);
                places[start as usize] = SPECK;
                let (mut at, mut is_seen) = (0, false);
                while let Some(&i) = asked.get(at).filter(|_| !is_seen && asked.len() <= largest) {
                    at += 1;
                    for beside in edges.beside(i) {
                        let place = &mut places[beside.point as usize];
                        is_seen |= *place == SEEN;
                        if matches!(*place, ASKED | UNKNOWN) {
                            *place = SPECK;
                            asked.push(beside.point);
                        }
                    }
                }
                let is_seen = is_seen || asked.len() > largest;
                for &i in &*asked {
                    places[i as usize] = if is_seen { SEEN } else { hidden.len() as u32 };
                    if !is_seen {
                        hidden.push(i);
                    }
                }
            }
        }
    }

    /// The hidden points.
    pub fn hidden(&self) -> &[u32] {
        &self.hidden
    }

    /// Whether a point is hidden.
    pub fn is_hidden(&self, point: usize) -> bool {
        self.places[point] < SPECK
    }

    /// The place of a point among those that are hidden.
    pub fn place(&self, point: u32) -> Option<usize> {
        let place = self.places[point as usize];
        (place < SPECK).then_some(place as usize)
    }
}
