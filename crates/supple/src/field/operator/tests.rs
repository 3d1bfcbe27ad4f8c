//! Against f64, by other means: the reference solves the papers' equations by bisection on the result, knows no ray and no
//! closed form, and is differentiated by differences.

use super::{Kind, LARGEST_SIZE, Opening, Operator, PRESETS};
use crate::field::Sample;
use glam::Vec3A;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

/// Evenly spread numbers in 0..1 (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    }

    fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[(self.next() * list.len() as f32) as usize]
    }
}

/// Two fields whose gradients are `degrees` apart.
fn pair(a: f32, b: f32, degrees: f64) -> [Sample; 2] {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let turned = Vec3A::new(cos as f32, sin as f32, 0.0);
    [Sample { value: a, gradient: Vec3A::X }, Sample { value: b, gradient: turned }]
}

/// Value and derivatives of an operator that is open by θ at every angle: gradients along x and y show them apart.
fn at(kind: Kind, size: f32, theta: f32, a: f32, b: f32) -> [f32; 3] {
    let opening = Opening::fixed(theta).unwrap();
    let operator = Operator { kind, opening, contact: opening, size };
    let [a, b] = pair(a, b, 90.0);
    let a = Sample { gradient: Vec3A::X, ..a };
    let b = Sample { gradient: Vec3A::Y, ..b };
    let sample = operator.combine(a, b);
    [sample.value, sample.gradient.x, sample.gradient.y]
}

struct Reference {
    t: f64,
    m: f64,
    size: Option<f64>,
}

impl Reference {
    fn of(kind: Kind, size: f32, theta: f32) -> Self {
        let t = f64::from(theta).min(FRAC_PI_4).tan();
        match kind {
            Kind::Blend => Self { t, m: f64::from(0.7f32), size: None },
            _ => Self { t, m: f64::from(0.55f32), size: Some(size.into()) },
        }
    }

    fn k(&self, c: f64) -> f64 {
        let s = (self.m - self.t / 2.0) / (self.m - 0.5);
        if c <= 0.5 { self.t * c } else { s * c + self.m * (1.0 - s) }
    }

    /// How far (a, b) is above the profile of level c; 0 at the result.
    fn residual(&self, a: f64, b: f64, c: f64) -> f64 {
        let k = self.k(c);
        let (x, y) = ((a - k) / (c - k), (b - k) / (c - k));
        match self.size {
            None => x.hypot(y) - 1.0,
            Some(_) if x <= 0.0 => y - 1.0,
            Some(size) => y - (1.0 - size * (1.0 - x) * (1.0 - 1.0 / x).exp()),
        }
    }

    fn is_union(&self, a: f64, b: f64) -> bool {
        let (a, b) = (a.min(b), a.max(b));
        a <= 0.0 || b >= self.m || self.t >= 1.0 || a <= self.k(b)
    }

    fn value(&self, a: f64, b: f64) -> f64 {
        let (a, b) = (a.min(b), a.max(b));
        if self.is_union(a, b) {
            return b;
        }
        // Between the larger value and the level whose k is the smaller value.
        let (mut low, mut high) = (b, self.m);
        for _ in 0..200 {
            let c = (low + high) / 2.0;
            if self.k(c) < a && self.residual(a, b, c) > 0.0 { low = c } else { high = c }
        }
        (low + high) / 2.0
    }

    fn derivatives(&self, a: f64, b: f64) -> [f64; 2] {
        let h = 1e-6;
        [
            (self.value(a + h, b) - self.value(a - h, b)) / (2.0 * h),
            (self.value(a, b + h) - self.value(a, b - h)) / (2.0 * h),
        ]
    }
}

/// With the paper's own w0.
fn published_bulge() -> Opening {
    let mut values = <[f32; 8]>::from(Opening::BULGE);
    values[6] = 0.05;
    Opening::new(values).unwrap()
}

fn published_elbow() -> Opening {
    let degrees = [0.0f32, 45.0, 90.0, 45.0, 24.0, 45.0].map(f32::to_radians);
    let [a0, a1, a2, t0, t1, t2] = degrees;
    Opening::new([a0, a1, a2, t0, t1, t2, 1.0, 1.0]).unwrap()
}

fn theta64(opening: Opening, angle: f64) -> f64 {
    let kappa = |x: f64| match x {
        ..=0.0 => 0.0,
        1.0.. => 1.0,
        _ => {
            // 1 - 1/(1 - E) is -E/(1 - E): said so, no digits are lost where E is tiny.
            let tail = (1.0 - 1.0 / x).exp();
            -(-tail / (1.0 - tail)).exp_m1()
        }
    };
    let [a0, a1, a2, t0, t1, t2, w0, w1] = <[f32; 8]>::from(opening).map(f64::from);
    if angle <= a0 {
        t0
    } else if angle <= a1 {
        kappa((angle - a1) / (a0 - a1)).powf(w0) * (t0 - t1) + t1
    } else if angle < a2 {
        kappa((angle - a1) / (a2 - a1)).powf(w1) * (t2 - t1) + t1
    } else {
        t2
    }
}

const CURVED: [(Kind, f32); 5] =
    [(Kind::Blend, 0.0), (Kind::Bulge, 0.1), (Kind::Bulge, 0.3), (Kind::Bulge, 0.7), (Kind::Bulge, LARGEST_SIZE)];

#[test]
fn values_are_those_of_the_equation() {
    let mut random = Random(1);
    let mut curved = 0;
    for (kind, size) in CURVED {
        for _ in 0..4000 {
            let theta = random.next() * FRAC_PI_4 as f32;
            let a = random.next() * 0.75;
            let b = a * (1.0 - 0.4 * random.next());
            let reference = Reference::of(kind, size, theta);
            let expected = reference.value(a.into(), b.into());
            let [value, ..] = at(kind, size, theta, a, b);
            let off = (f64::from(value) - expected).abs();
            assert!(off < 5e-7, "{kind:?} {size} at {theta}: ({a}, {b}) is {value}, not {expected}: {off}");
            curved += usize::from(!reference.is_union(a.into(), b.into()));
        }
    }
    assert!(curved > 10_000, "{curved}");
}

/// The residual divides by C - k, so it is a fair measure only where that is not tiny.
#[test]
fn results_solve_the_equation() {
    let mut random = Random(2);
    for (kind, size) in CURVED {
        for _ in 0..4000 {
            let theta = random.next() * 0.7;
            let a = 0.01 + random.next() * 0.5;
            let b = a * (1.0 - 0.3 * random.next());
            let reference = Reference::of(kind, size, theta);
            if reference.is_union(a.into(), b.into()) {
                continue;
            }
            let c = f64::from(at(kind, size, theta, a, b)[0]);
            let span = c - reference.k(c);
            let residual = reference.residual(b.into(), a.into(), c) * span;
            assert!(residual.abs() < 1e-6, "{kind:?} {size} at {theta}: ({a}, {b}) leaves {residual}");
        }
    }
}

/// Differences of f64 values with a step of 1e-6, away from the corners of the operators by 1e-3.
#[test]
fn gradients_are_those_of_the_values() {
    let mut random = Random(3);
    let mut worst = 0.0f64;
    let mut compared = 0;
    for (kind, size) in CURVED {
        for _ in 0..4000 {
            let theta = random.next() * 0.75;
            let a = 0.01 + random.next() * 0.69;
            let b = a * (1.0 - 0.5 * random.next());
            let reference = Reference::of(kind, size, theta);
            let (x, y) = (f64::from(a), f64::from(b));
            let c = reference.value(x, y);
            let near_union = (y - reference.k(x)).abs() < 1e-3 || (x - reference.m).abs() < 2e-3;
            if near_union || (c - 0.5).abs() < 1e-3 || x - y < 1e-3 {
                continue;
            }
            let expected = reference.derivatives(x, y);
            let [_, by_a, by_b] = at(kind, size, theta, a, b);
            let scale = expected[0].hypot(expected[1]);
            let off = (f64::from(by_a) - expected[0]).hypot(f64::from(by_b) - expected[1]) / scale;
            worst = worst.max(off);
            compared += 1;
            assert!(off < 2e-4, "{kind:?} {size} at {theta}: ({a}, {b}) has {by_a}, {by_b}, not {expected:?}");
        }
    }
    assert!(compared > 15_000 && worst < 2e-4, "{worst} of the length in {compared}");
}

/// The chain rule through fields whose gradients keep their directions, so that θ stands still: f1 and f2 are linear in x.
#[test]
fn the_joined_gradient_is_that_of_the_joined_field() {
    let mut random = Random(4);
    for name in ["blend", "bulge", "finger", "blend-bulge"] {
        let operator = Operator::preset(name).unwrap();
        for _ in 0..500 {
            let degrees = 180.0 * f64::from(random.next());
            let [a, b] = pair(0.1 + 0.38 * random.next(), 0.1 + 0.38 * random.next(), degrees);
            let direction = Vec3A::new(random.next() - 0.5, random.next() - 0.5, 0.0).normalize_or(Vec3A::X);
            let moved = |by: f32| {
                let go = |s: Sample| Sample { value: s.value + by * s.gradient.dot(direction), ..s };
                operator.combine(go(a), go(b))
            };
            let (before, here, after) = (moved(-2e-3), moved(0.0), moved(2e-3));
            // A corner between the two is no place for differences.
            if before.gradient.distance(after.gradient) > 0.1 {
                continue;
            }
            let (slope, expected) = (here.gradient.dot(direction), (after.value - before.value) / 4e-3);
            assert!((slope - expected).abs() < 0.02, "{name} at {degrees}: {slope}, not {expected} ({a:?}, {b:?})");
        }
    }
}

#[test]
fn never_below_the_larger_value_and_finite_everywhere() {
    let special = [
        0.0,
        -0.0,
        1.0,
        1e-45,
        1e-38,
        1e-30,
        1e-20,
        1e-7,
        0.5,
        0.55,
        0.7,
        0.500_000_06,
        0.549_999_95,
        0.699_999_9,
        0.299_999_98,
        -0.1,
        1.5,
        0.35,
    ];
    let mut random = Random(5);
    for _ in 0..200_000 {
        let mut value = |other: f32| match random.pick(&[0, 1, 2, 3]) {
            0 => random.pick(&special),
            1 => other * (1.0 - 1e-6 * random.next()),
            _ => random.next(),
        };
        let a = value(0.3);
        let b = value(a);
        let size = random.pick(&[0.0, 1e-6, 0.3, 0.7, LARGEST_SIZE, 7.0, -1.0, f32::NAN]);
        let w = random.pick(&[0.05, 0.3, 1.0, 1e-4, 1e4]);
        let t = random.pick(&[0.0, 1e-7, 0.3, 0.78, FRAC_PI_4 as f32 - 6e-8, FRAC_PI_4 as f32]);
        let opening = Opening::new([0.2, 1.0, 3.0, FRAC_PI_4 as f32, t, 0.1, w, w]).unwrap();
        let kind = random.pick(&[Kind::Union, Kind::Blend, Kind::Bulge, Kind::BlendBulge]);
        let operator = Operator { kind, opening, contact: Opening::fixed(t).unwrap(), size };
        let mut gradient = || {
            let scale = random.pick(&[1.0, 1e-20, 1e12, 1e-15, 3.0, 0.0]);
            scale * Vec3A::new(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5)
        };
        let first = Sample { value: a, gradient: gradient() };
        let turned = random.pick(&[0, 1, 2, 3]);
        let second = Sample {
            value: b,
            gradient: match turned {
                0 => first.gradient,
                1 => -first.gradient,
                _ => Vec3A::new(first.gradient.y, -0.3 * first.gradient.z, first.gradient.x),
            },
        };
        let g = operator.combine(first, second);
        assert!(g.value.is_finite() && g.gradient.is_finite(), "{operator:?} {first:?} {second:?}: {g:?}");
        assert!(g.value >= a.max(b), "{operator:?} {first:?} {second:?}: {g:?}");
        assert!(g.value <= a.max(b).max(0.7), "{operator:?} {first:?} {second:?}: {g:?}");
        let longest = first.gradient.length().max(second.gradient.length());
        assert!(g.gradient.length() <= 20.0 * longest, "{operator:?} {first:?} {second:?}: {g:?}");
        let swapped = operator.combine(second, first);
        assert_eq!(swapped.value, g.value);
        assert!(a == b || swapped.gradient == g.gradient);
    }
}

#[test]
fn a_field_alone_or_without_direction_is_joined_by_a_union() {
    for (name, operator) in PRESETS {
        let [a, b] = pair(0.45, 0.44, 60.0);
        for (a, b) in [
            (Sample { value: 0.0, ..a }, b),
            (Sample { gradient: Vec3A::ZERO, ..a }, b),
            (a, Sample { gradient: Vec3A::ZERO, ..b }),
            (Sample { value: 0.8, ..a }, b),
        ] {
            let larger = if a.value >= b.value { a } else { b };
            assert_eq!(operator.combine(a, b), larger, "{name}");
        }
        // In line: no swelling, or that of a blend with the paper's opening.
        let [a, b] = pair(0.45, 0.44, 0.0);
        let blends = matches!(operator.kind, Kind::Blend | Kind::BlendBulge);
        let operator = if blends { Operator { opening: published_elbow(), ..operator } } else { operator };
        assert_eq!(operator.combine(a, b), a, "{name}");
    }
}

/// A step across a border may change the value by its length times the steepest slope, and no more.
#[test]
fn values_do_not_jump() {
    let mut random = Random(6);
    let step = 1e-5;
    for (_, operator) in PRESETS {
        for _ in 0..20_000 {
            let degrees = 180.0 * f64::from(random.next());
            // Most of them where two borders meet.
            let any = random.next() * 0.75;
            let center = random.pick(&[any, 0.5, 0.55, 0.7]);
            let (a, b) = (center, (center * (1.0 - 0.1 * random.next() * random.next())).max(0.0));
            let [x, y] = pair(a, b, degrees);
            let here = operator.combine(x, y);
            for (da, db) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                let there = operator.combine(Sample { value: a + da, ..x }, Sample { value: b + db, ..y });
                let jump = (there.value - here.value).abs();
                assert!(jump <= 12.0 * step, "{operator:?} at {degrees}, ({a}, {b}): {jump}");
            }
            let [x, y] = pair(a, b, degrees + 1e-3);
            let jump = (operator.combine(x, y).value - here.value).abs();
            assert!(jump <= 2e-5, "{operator:?} from {degrees} on, ({a}, {b}): {jump}");
        }
    }
}

/// k has a corner at one half, so the length of the gradient jumps there; its direction must not, or tracking sees a
/// contact.
#[test]
fn the_border_at_one_half_keeps_the_direction() {
    for (kind, size) in CURVED {
        for theta in [0.0, 0.2, 0.42, 0.7] {
            let reference = Reference::of(kind, size, theta);
            for ratio in [0.99, 0.95, 0.9, 0.8] {
                let (mut low, mut high) = (0.2f64, 0.5f64);
                for _ in 0..60 {
                    let b = (low + high) / 2.0;
                    if reference.value(b * ratio, b) < 0.5 { low = b } else { high = b }
                }
                let direction = |b: f64| {
                    let [_, x, y] = at(kind, size, theta, (b * ratio) as f32, b as f32);
                    glam::Vec2::new(x, y).normalize()
                };
                let (outside, inside) = (direction(low - 1e-5), direction(low + 1e-5));
                assert!(outside.dot(inside) > 0.999_99, "{kind:?} {size} at {theta}: {outside} and {inside}");
            }
        }
    }
}

#[test]
fn a_wide_open_blend_is_smooth() {
    for (a, b) in [(0.1f32, 0.2f32), (0.3, 0.3), (0.25, 0.4), (1e-4, 0.49)] {
        let [value, x, y] = at(Kind::Blend, 0.0, 0.0, a, b);
        assert!((value - a.hypot(b)).abs() < 1e-7);
        assert!((x - a / value).abs() < 1e-6 && (y - b / value).abs() < 1e-6);
    }
    // No crease on the diagonal, outside or inside.
    for b in [0.1f32, 0.3, 0.36, 0.5, 0.6] {
        let sides = [b * 0.999_9, b * 1.000_1].map(|a| at(Kind::Blend, 0.0, 0.0, a, b));
        assert!((sides[0][1] - sides[1][1]).abs() < 2e-3 && (sides[0][2] - sides[1][2]).abs() < 2e-3, "{sides:?}");
    }
}

#[test]
fn the_crease_of_a_bulge_is_as_steep_as_its_size_says() {
    for size in [0.1, 0.3, 0.7, LARGEST_SIZE] {
        for theta in [0.0, 0.3, 0.7] {
            for b in [0.01, 0.3, 0.499, 0.51, 0.54] {
                let [value, by_a, by_b] = at(Kind::Bulge, size, theta, b, b);
                let steep = 1.0 / (1.0 - size);
                assert_eq!(value, b);
                assert!((by_a.max(by_b) / steep - 1.0).abs() < 1e-5, "{size} {theta} {b}: {by_a} {by_b}");
                assert!((by_a + by_b - 1.0).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn an_opening_has_its_values_at_its_angles() {
    for (_, operator) in PRESETS {
        for opening in [operator.opening, operator.contact] {
            let [a0, a1, a2, t0, t1, t2, ..] = <[f32; 8]>::from(opening);
            for (angle, theta) in [(a0, t0), (a1, t1), (a2, t2), (0.0, t0)] {
                assert!((opening.theta(angle) - theta).abs() < 1e-7, "{opening:?} at {angle}");
            }
        }
    }
    let published = published_bulge();
    let thin = Opening::new([0.5, 0.500_001, 2.0, 0.7, 0.1, 0.6, 1e-3, 50.0]).unwrap();
    for opening in
        [Opening::ELBOW, Opening::BULGE, Opening::FINGER, Opening::CONTACT, published, published_elbow(), thin]
    {
        for i in 0..=20_000 {
            let angle = (f64::from(i) / 20_000.0 * PI) as f32;
            let expected = theta64(opening, angle.into());
            // One rounding of the angle moves the published bulge by 4e-6 where it is steepest, and the thin one anywhere.
            let limit = if opening == thin && (0.5..0.500_002).contains(&angle) { 1.0 } else { 1e-5 };
            assert!((f64::from(opening.theta(angle)) - expected).abs() < limit, "{opening:?} at {angle}: {expected}");
            let width = 1.0 - expected.tan();
            assert!((f64::from(opening.width(angle)) - width).abs() < 4.0 * limit);
        }
    }
}

#[test]
fn elementary_functions_are_right_to_the_last_digits() {
    use super::elementary::{arc_cosine, tangent};
    for i in 0..=10_000 {
        let part = i as f32 / 10_000.0;
        for cosine in [part, -part] {
            let off = f64::from(arc_cosine(cosine)) - f64::from(cosine).acos();
            assert!(off.abs() < 6e-7, "arc cosine of {cosine}: {off}");
        }
        let x = part * FRAC_PI_4 as f32;
        let off = f64::from(tangent(x)) - f64::from(x).tan();
        assert!(off.abs() < 1.5e-7, "tangent of {x}: {off}");
    }
    assert_eq!(arc_cosine(1.000_001), 0.0);
    assert!((f64::from(arc_cosine(0.0)) - FRAC_PI_2).abs() < 1e-7);
}

/// From the prototype of the method in Python (f64), its functions `theta`, `blend`, `bulge` and `combine` run without
/// changes: name, degrees between gradients, values; result and derivatives.
#[test]
fn results_are_those_of_the_prototype() {
    let bulge = Operator { opening: published_bulge(), ..Operator::bulge() };
    let elbow = Operator { opening: published_elbow(), ..Operator::blend() };
    for (name, degrees, a, b, expected) in [
        ("published elbow", 30.0, 0.4, 0.45, [0.498263786, 0.496044491, 0.666324421]),
        ("published elbow", 30.0, 0.5, 0.49, [0.549163943, 0.382352700, 0.354121508]),
        ("published elbow", 50.0, 0.3, 0.2, [0.311274523, 0.827730120, 0.314777436]),
        ("published elbow", 50.0, 0.02, 0.03, [0.031127452, 0.314777436, 0.827730120]),
        ("published elbow", 80.0, 0.53, 0.52, [0.530612200, 0.758261264, 0.224907696]),
        ("published elbow", 120.0, 0.5, 0.49, [0.5, 1.0, 0.0]),
        ("bulge", 50.0, 0.4, 0.45, [0.455200405, 0.337177921, 0.711842747]),
        ("bulge", 50.0, 0.53, 0.52, [0.533922156, 0.612674378, 0.127478539]),
        ("bulge", 80.0, 0.5, 0.49, [0.517023077, 1.985481020, -1.104952141]),
        ("bulge", 80.0, 0.02, 0.03, [0.033904343, 0.208170117, 0.991364696]),
        ("bulge", 120.0, 0.4, 0.45, [0.504316919, -0.282837604, 0.881087217]),
        ("published bulge", 50.0, 0.5, 0.49, [0.501122757, 0.623552861, 0.294993327]),
        ("published bulge", 80.0, 0.4, 0.45, [0.471545027, 0.152484016, 0.912336491]),
        ("finger", 50.0, 0.3, 0.2, [0.302948219, 0.816359845, 0.290201328]),
        ("finger", 80.0, 0.5, 0.49, [0.517604542, 2.072402986, -1.187078194]),
    ] {
        let operator = match name {
            "published elbow" => elbow,
            "published bulge" => bulge,
            _ => Operator::preset(name).unwrap(),
        };
        let [first, second] = pair(a, b, degrees);
        let found = operator.combine(first, second);
        let gradient = first.gradient * expected[1] as f32 + second.gradient * expected[2] as f32;
        assert!(
            (f64::from(found.value) - expected[0]).abs() < 1e-6,
            "{name} at {degrees}: {found:?}, not {expected:?}"
        );
        assert!(found.gradient.distance(gradient) < 2e-5, "{name} at {degrees}: {found:?}, not {gradient}");
    }
}

/// How far the operator is above a union where the values are these.
fn swelling(operator: Operator, a: f32, b: f32, degrees: f64) -> f32 {
    let [x, y] = pair(a, b, degrees);
    operator.combine(x, y).value - a.max(b)
}

#[test]
fn a_blend_bulge_is_round_first_and_swells_later() {
    let both = Operator::blend_bulge();
    let bulge = Operator { opening: both.contact, ..Operator::bulge() };
    for a in [0.3f32, 0.36, 0.42, 0.45, 0.46, 0.49] {
        for i in 0..=180 {
            let degrees = f64::from(i);
            let s = swelling(both, a, 0.46, degrees);
            assert_eq!(s, swelling(Operator::blend(), a, 0.46, degrees).max(swelling(bulge, a, 0.46, degrees)));
        }
    }
    // Round: on the diagonal, where a bulge has its crease, it is highest.
    assert!(swelling(both, 0.46, 0.46, 45.0) > 0.04);
    assert_eq!(swelling(bulge, 0.4, 0.46, 45.0), 0.0);
    // A crease between swollen sides.
    for degrees in [90.0, 120.0, 180.0] {
        assert_eq!(swelling(both, 0.46, 0.46, degrees), 0.0);
        assert!(swelling(both, 0.43, 0.46, degrees) > 0.02);
        assert_eq!(swelling(Operator::blend(), 0.45, 0.46, degrees), 0.0);
    }
}

#[test]
fn operators_survive_being_saved() {
    let custom = Opening::new([0.1, 0.723_456_7, 2.9, 0.7, 0.123_456_78, 0.2, 0.05, 3.3]).unwrap();
    let changed = [Operator::blend(), Operator::bulge(), Operator::finger(), Operator::blend_bulge()].map(|o| {
        let contact = if o.kind == Kind::BlendBulge { custom } else { o.contact };
        Operator { opening: custom, contact, ..o }
    });
    let large = Operator { size: 0.85, ..Operator::bulge() };
    for operator in PRESETS.iter().map(|(_, o)| *o).chain(changed).chain([large]) {
        let text = serde_json::to_string(&operator).unwrap();
        assert_eq!(serde_json::from_str::<Operator>(&text).unwrap(), operator, "{text}");
        let value = serde_json::to_value(operator).unwrap();
        assert_eq!(serde_json::from_value::<Operator>(value).unwrap(), operator, "{text}");
    }
    let written = |o| serde_json::to_string(&o).unwrap();
    assert_eq!(written(Operator::finger()), "\"finger\"");
    assert_eq!(written(large), r#"{"kind":"bulge","size":0.85,"theta":[22.5,90.0,180.0,45.0,0.0,0.0,0.3,1.0]}"#);
    assert_eq!(
        written(Operator { size: 0.5, ..Operator::blend_bulge() }),
        concat!(
            r#"{"kind":"blend-bulge","size":0.5,"theta":[0.0,60.0,90.0,30.0,18.0,45.0,0.3,1.0],"#,
            r#""contact":[60.0,100.0,180.0,45.0,0.0,0.0,0.3,1.0]}"#
        )
    );
    for (text, same) in [
        (r#""knee""#, Operator::blend()),
        (r#"{"kind": "bulge"}"#, Operator::bulge()),
        (r#"{"kind": "bulge", "theta": [22.5, 67.5, 180, 45, 0, 0, 0.3, 1]}"#, Operator::finger()),
        (r#"{"kind": "union"}"#, Operator::UNION),
    ] {
        assert_eq!(serde_json::from_str::<Operator>(text).unwrap(), same, "{text}");
    }
}

#[test]
fn what_is_wrong_with_a_saved_operator_is_said_in_one_line() {
    for (text, message) in [
        (r#""elbw""#, "no operator is called \"elbw\"; did you mean \"elbow\"?"),
        (r#"3"#, "found 3, where the name of an operator or an object is expected"),
        (r#"{"kind": "blnd"}"#, "no kind of operator is called \"blnd\"; did you mean \"blend\"?"),
        (r#"{"size": 0.5}"#, "\"kind\" is missing"),
        (r#"{"kind": "bulge", "size": 1.2}"#, "the size 1.2 of a bulge is not from 0 to 0.9"),
        (r#"{"kind": "blend", "size": 0.2}"#, "an operator of the kind \"blend\" has no \"size\""),
        (r#"{"kind": "bulge", "contact": []}"#, "an operator of the kind \"bulge\" has no \"contact\""),
        (r#"{"kind": "bulge", "sise": 0.2}"#, "no field is called \"sise\"; did you mean \"size\"?"),
        (
            r#"{"kind": "bulge", "theta": [1, 2]}"#,
            "\"theta\" has 2 values, where 8 are expected: a0, a1, a2, t0, t1, t2, w0, w1",
        ),
        (
            r#"{"kind": "blend", "theta": [20, 20, 90, 45, 24, 45, 1, 1]}"#,
            "\"theta\": a0 = 20, a1 = 20, a2 = 90 degrees do not rise",
        ),
        (
            r#"{"kind": "blend", "theta": [0, 45, 190, 45, 24, 45, 1, 1]}"#,
            "\"theta\": a2 = 190 degrees is not from 0 to 180",
        ),
        (
            r#"{"kind": "blend", "theta": [0, 45, 90, 46, 24, 45, 1, 1]}"#,
            "\"theta\": t0 = 46 degrees is not from 0 to 45",
        ),
        (
            r#"{"kind": "blend-bulge", "contact": [0, 45, 90, 45, 24, 45, 1, 0]}"#,
            "\"contact\": w1 = 0 is not a number above 0",
        ),
    ] {
        let error = serde_json::from_str::<Operator>(text).unwrap_err();
        let said = crate::json::plain(&error);
        assert!(said.ends_with(message), "{text}: {said}");
        assert!(!said.contains('\n'));
    }
}
