// Two fields joined into one: the twin of field/operator, where the formulas are. No bindings and no entry point: its text
// goes before that of a kernel. A field at a point is a vec4, its gradient and its value. Arc cosine and
// tangent are written out, because those of devices are right to a few digits only.

struct Operator {
    // UNION, BLEND, BULGE or BLEND_BULGE.
    kind: u32,
    size: f32,
    unused: vec2<f32>,
    // Each opening: a0, a1, a2, t0 and t1, t2, w0, w1.
    blend0: vec4<f32>,
    blend1: vec4<f32>,
    bulge0: vec4<f32>,
    bulge1: vec4<f32>,
}

// A result and its derivatives by the smaller and by the larger value.
struct Merge {
    value: f32,
    by_low: f32,
    by_high: f32,
}

// Where a pair of values lies in the fan.
struct Ray {
    e: f32,
    p: f32,
    q: f32,
    base: f32,
    inside: bool,
}

// kappa(x)^w.
fn rise(x: f32, w: f32) -> f32 {
    if x <= RISE_BEGINS {
        return 0.0;
    }
    let log_tail = 1.0 - 1.0 / x;
    let tail = exp(log_tail);
    let rest = 1.0 - tail;
    if rest < RISE_ENDS {
        return 1.0;
    }
    let r = tail / rest;
    if r < RISE_BY_SERIES {
        let series = 1.0 - r * (0.5 - r * (1.0 / 6.0 - r * (1.0 / 24.0 - r / 120.0)));
        return exp(w * (log_tail + log(series / rest)));
    }
    let kappa = 1.0 - exp(-r);
    if w == 1.0 {
        return kappa;
    }
    return exp(w * log(kappa));
}

// 1 - tan(theta) of an opening at an angle.
fn width_at(first: vec4<f32>, second: vec4<f32>, angle: f32) -> f32 {
    var theta = first.w;
    if angle > first.x {
        if angle <= first.y {
            theta = rise((first.y - angle) / (first.y - first.x), second.z) * (first.w - second.x) + second.x;
        } else if angle < first.z {
            theta = rise((angle - first.y) / (first.z - first.y), second.w) * (second.y - second.x) + second.x;
        } else {
            theta = second.y;
        }
    }
    if theta >= CLOSED {
        return 0.0;
    }
    let z = theta * theta;
    var p = TANGENT[0] * z + TANGENT[1];
    p = ((p * z + TANGENT[2]) * z + TANGENT[3]) * z;
    p = ((p + TANGENT[4]) * z + TANGENT[5]) * z;
    return 1.0 - (p * theta + theta);
}

fn angle_of(cosine: f32) -> f32 {
    let x = min(abs(cosine), 1.0);
    var p = ((ARC_COSINE[0] * x + ARC_COSINE[1]) * x + ARC_COSINE[2]) * x + ARC_COSINE[3];
    p = ((p * x + ARC_COSINE[4]) * x + ARC_COSINE[5]) * x + ARC_COSINE[6];
    let angle = sqrt(1.0 - x) * (p * x + ARC_COSINE[7]);
    return select(angle, PI - angle, cosine < 0.0);
}

fn fan_holds(low: f32, high: f32, width: f32, most: f32, slope: f32) -> bool {
    return high - low < width * min(high, (most - high) * slope);
}

fn ray_of(low: f32, high: f32, width: f32, most: f32, slope: f32, inside: bool) -> Ray {
    let e = select(width, -width * slope, inside);
    let base = select(high, most - high, inside);
    let p = min((high - low) / (abs(e) * base), 1.0);
    return Ray(e, p, 1.0 - e * p, base, inside);
}

fn level_of(ray: Ray, most: f32, scale: f32, high: f32) -> f32 {
    let c = ray.base / scale;
    return max(select(c, most - c, ray.inside), high);
}

fn blend_merge(low: f32, high: f32, width: f32) -> Merge {
    let u = (1.0 - 2.0 * low) / width;
    let z = (1.0 - 2.0 * high) / width;
    let inside = high > 0.5 || (u < 1.0 && (1.0 - u) * (1.0 - u) + (1.0 - z) * (1.0 - z) > 1.0);
    let ray = ray_of(low, high, width, BLEND_DEPTH[0], BLEND_DEPTH[1], inside);
    let tau = 1.0 - ray.e;
    let k = ray.p * tau;
    let square = 1.0 + ray.q * ray.q;
    let y = min((ray.q * k + sqrt(max(square - k * k, 0.0))) / square, 1.0);
    let x = max(ray.q * y - k, 0.0);
    let scale = 1.0 / (tau * (x + y) + ray.e);
    return Merge(level_of(ray, BLEND_DEPTH[0], tau + ray.e * y, high), x * scale, y * scale);
}

fn bulge_merge(low: f32, high: f32, width: f32, size: f32) -> Merge {
    var inside = high > 0.5;
    let u = (1.0 - 2.0 * low) / width;
    if !inside && u < 1.0 {
        let z = (1.0 - 2.0 * high) / width;
        inside = z < size * u * (1.0 - u) && z < size * u * exp(-u / (1.0 - u));
    }
    let ray = ray_of(low, high, width, BULGE_DEPTH[0], BULGE_DEPTH[1], inside);
    let p = min(ray.p, LARGEST_P);
    let rest = 1.0 - p;
    let c = size * ray.q;
    let b = 1.0 - c;
    let bound = 2.0 * p / max(b + sqrt(b * b + 4.0 * c * p), LEAST_DIVISOR);
    var r = select(max(p / rest, 2.0), bound / (1.0 - bound), bound < 2.0 / 3.0);
    let steps = select(HALLEY_STEPS[0], HALLEY_STEPS[1], inside);
    for (var i = 0u; i < steps; i++) {
        let ce = c * exp(-r);
        let k = r * (rest - ce) - p;
        let slope = rest - ce * (1.0 - r);
        r = max(r - 2.0 * k * slope / (2.0 * slope * slope - k * ce * (2.0 - r)), 0.0);
    }
    let e = exp(-r);
    let slope = size * e * (1.0 - r * (1.0 + r));
    let scale = 1.0 - ray.e * (size * e * r / (1.0 + r));
    let by_high = 1.0 / (scale * (1.0 - ray.q * slope));
    return Merge(level_of(ray, BULGE_DEPTH[0], scale, high), -slope * by_high, by_high);
}

fn combine(op: Operator, f1: vec4<f32>, f2: vec4<f32>) -> vec4<f32> {
    let first = f1.w >= f2.w;
    let low = select(f1, f2, first);
    let high = select(f2, f1, first);
    if op.kind == UNION || low.w <= 0.0 || high.w < LEAST_VALUE || high.w >= BLEND_DEPTH[0] {
        return high;
    }
    let ll = dot(low.xyz, low.xyz);
    let hh = dot(high.xyz, high.xyz);
    let short = ll < SQUARED_LENGTHS[0] || hh < SQUARED_LENGTHS[0];
    if short || ll >= SQUARED_LENGTHS[1] || hh >= SQUARED_LENGTHS[1] {
        return high;
    }
    let angle = angle_of(dot(low.xyz, high.xyz) / (sqrt(ll) * sqrt(hh)));
    var merge = Merge(high.w, 0.0, 1.0);
    var blends = false;
    if op.kind != BULGE {
        let width = width_at(op.blend0, op.blend1, angle);
        if fan_holds(low.w, high.w, width, BLEND_DEPTH[0], BLEND_DEPTH[1]) {
            merge = blend_merge(low.w, high.w, width);
            blends = true;
        }
    }
    if op.kind != BLEND && op.size > 0.0 {
        let width = width_at(op.bulge0, op.bulge1, angle);
        if fan_holds(low.w, high.w, width, BULGE_DEPTH[0], BULGE_DEPTH[1]) {
            let bulge = bulge_merge(low.w, high.w, width, min(op.size, LARGEST_SIZE));
            if !blends || bulge.value > merge.value {
                merge = bulge;
            }
        }
    }
    return vec4<f32>(low.xyz * merge.by_low + high.xyz * merge.by_high, merge.value);
}
