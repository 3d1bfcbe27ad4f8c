//! Points back from the coordinates of their bones, in a pose: the loop of a frame.

use super::{
    encode::Encoded,
    posed::{Bone, Meets, Posed, RestBone},
    real::{Real, Turn, Vector},
    section::{Ending, Profile, Section, generator, normal, sign},
};

/// How much of a bone's generator layers may crop together.
const MOST_CROPPED: f64 = 0.98;

/// Where a point is, and by how much its bone has turned it about its axis there.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<F> {
    /// The place.
    pub place: Vector<F>,
    /// Change of the azimuth since rest.
    pub twist: F,
    /// How much larger than at rest all is there.
    pub scale: F,
}

/// A point over a baseline: where on its section, and how high.
#[derive(Clone, Copy)]
struct Over<F> {
    /// From 0 to 1.
    ratio: F,
    /// In the pose.
    height: F,
}

impl<F: Real> Posed<F> {
    /// A point in this pose.
    #[inline(always)]
    pub fn decode(&self, rest: &[RestBone<F>], point: &Encoded<F>, profile: Profile) -> Decoded<F> {
        let (zero, one) = (F::default(), F::of(1.0));
        let index = point.bone as usize;
        let (rest, bone) = (&rest[index], &self.bones[index]);
        let section = self.section(rest, index, point.azimuth);
        let [near, far] = section.ends;
        let inside = point.ratio.most(zero).least(one);
        let scale = bone.ends[0].scale + (bone.ends[1].scale - bone.ends[0].scale) * inside;
        let over = Over { ratio: inside, height: point.height * scale };
        let length = section.length();
        let at = length * if point.is_drawn_out { point.ratio } else { inside };
        if !point.is_drawn_out && at < near.arc {
            let place = bone.on_sphere(0, &near, (near.arc - at) / near.arc, over);
            return Decoded { place, twist: near.change, scale };
        }
        if !point.is_drawn_out && at > near.arc + section.straight {
            let place = bone.on_sphere(1, &far, one - (length - at) / far.arc, over);
            return Decoded { place, twist: far.change, scale };
        }
        let base = near.start + (at - near.arc);
        let [from, to] = [bone.window[0].most(near.start), bone.window[1].least(bone.generator - far.start)];
        let way = (to - from).most(F::of(1e-6) * bone.generator);
        let twist = near.change + (far.change - near.change) * profile.at((base - from) / way);
        let place = bone.on_cone(rest, &section, Turn::of(point.azimuth + twist), base, over, point);
        Decoded { place, twist, scale }
    }
}

impl<F: Real> Bone<F> {
    /// A point over the half arc at an end, at a share of it from the circle of tangency to the anchor.
    #[inline(always)]
    fn on_sphere(&self, end: usize, ending: &Ending<F>, share: F, over: Over<F>) -> Vector<F> {
        let here = &self.ends[end];
        let slant = (self.sine, self.cosine);
        let around = ending.around;
        let great_circle = |angle: F| {
            let (sine, cosine) = (angle * share).sine_cosine();
            normal(slant, around) * cosine + generator(slant, around, sign(end)) * sine
        };
        let mut radius = here.radius + over.height;
        let n = match (here.meets, &ending.seen) {
            (Meets::Bone, _) => self.arc(end, around).at(share),
            (_, None) => great_circle(here.cap),
            (_, Some(seen)) => {
                let towards = if end == 1 { over.ratio } else { F::of(1.0) - over.ratio };
                radius = radius * (F::of(1.0) + (seen.reach(radius) - F::of(1.0)) * near_anchor(towards));
                great_circle(seen.angle)
            }
        };
        let center = if end == 1 { self.length } else { F::default() };
        let v = n * radius;
        self.in_world(Vector([v.0[0] + center, v.0[1], v.0[2]]))
    }

    /// A point over the straight piece. Offset sections are cropped in proportion to their radius, and the point keeps its share of its
    /// own: the height above the cone stays. Where more would be cropped than the fold limit leaves, it sinks towards the sphere's centre.
    #[inline(always)]
    fn on_cone(
        &self,
        rest: &RestBone<F>,
        section: &Section<F>,
        around: Turn<F>,
        base: F,
        over: Over<F>,
        point: &Encoded<F>,
    ) -> Vector<F> {
        let (zero, one) = (F::default(), F::of(1.0));
        // Of the baseline, of the layer, and what the layer would need.
        let (mut starts, mut crops, mut wanted) = ([zero; 2], [zero; 2], [zero; 2]);
        let mut reach = [one; 2];
        for end in 0..2 {
            let (here, ending) = (&self.ends[end], &section.ends[end]);
            let radius = (here.radius + over.height).most(zero);
            match (here.meets, &ending.seen) {
                (Meets::Nothing, _) => {}
                (_, Some(seen)) => {
                    starts[end] = ending.start;
                    wanted[end] = radius * ending.crop;
                    reach[end] = seen.reach(here.radius + over.height);
                    crops[end] = wanted[end] * reach[end];
                }
                (_, None) => {
                    let crop = here.joint.crop(around).most(zero);
                    starts[end] = (here.radius * crop).least(here.keep);
                    wanted[end] = radius * crop;
                    crops[end] = wanted[end];
                    if crops[end] > here.keep {
                        crops[end] = crops[end].least(here.keep.most(rest.crop(end, section, point)));
                        reach[end] = crops[end] / wanted[end];
                    }
                }
            }
        }
        let sum = crops[0] + crops[1];
        if sum > F::of(MOST_CROPPED) * self.generator {
            let needed = rest.crop(0, section, point) + rest.crop(1, section, point);
            let share = ((F::of(MOST_CROPPED) * self.generator).most(needed) / sum).least(one);
            for end in 0..2 {
                crops[end] = crops[end] * share;
                reach[end] = reach[end] * share;
            }
        }
        let width = self.generator - starts[0] - starts[1];
        let share = (base - starts[0]) / width;
        let x = crops[0] + share * (self.generator - crops[0] - crops[1]);
        let sunk =
            |end: usize, ratio: F| (reach[end] - one) * (self.ends[end].radius + over.height) * near_anchor(ratio);
        let y = over.height + sunk(1, over.ratio) + sunk(0, one - over.ratio);
        self.in_world(self.lift(around, x, y))
    }
}

impl<F: Real> RestBone<F> {
    /// What was cropped at rest of the layer that a point lies on, as a length.
    #[inline(never)]
    fn crop(&self, end: usize, section: &Section<F>, point: &Encoded<F>) -> F {
        let zero = F::default();
        let radius = (self.radii[end] + point.height).most(zero);
        if let Some(seen) = &section.ends[end].seen {
            return radius * (seen.at_rest * seen.at_rest - F::of(1.0)).most(zero).root();
        }
        radius * self.joints[end].crop(Turn::of(point.azimuth)).most(zero)
    }
}

/// Nothing up to the middle of a section, one at the anchor.
#[inline(always)]
fn near_anchor<F: Real>(ratio: F) -> F {
    let beyond = (F::of(2.0) * ratio - F::of(1.0)).most(F::default());
    beyond * beyond * beyond
}
