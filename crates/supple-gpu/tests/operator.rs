//! The operators of fields on the device against those on the processor, for pairs of fields of every sort.

use glam::{Quat, Vec3, Vec3A};
use supple::field::{
    Sample,
    operator::{Kind, LARGEST_SIZE, Opening, Operator, PRESETS},
};
use supple_gpu::{Gpu, KernelOperator, fetch, operator_text, wgpu};

const KERNEL: &str = "
@group(0) @binding(0) var<storage, read> operators: array<Operator>;
@group(0) @binding(1) var<storage, read> fields: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read_write> joined: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) thread: vec3<u32>) {
    let i = thread.x;
    if i < arrayLength(&joined) {
        joined[i] = combine(operators[i % arrayLength(&operators)], fields[2u * i], fields[2u * i + 1u]);
    }
}
";

const PAIRS: usize = 30_000;

/// Evenly spread numbers in 0..1 (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 40) as f32 / (1u64 << 24) as f32
    }
}

fn operators() -> Vec<Operator> {
    let mut list: Vec<Operator> = PRESETS.iter().map(|(_, operator)| *operator).collect();
    let abrupt = Opening::new([0.4, 1.5, 3.0, 0.78, 0.0, 0.1, 0.05, 0.5]).expect("a sound opening");
    for size in [0.0, 0.2, LARGEST_SIZE, 5.0] {
        list.push(Operator { size, ..Operator::bulge() });
        list.push(Operator { size, opening: abrupt, ..Operator::bulge() });
    }
    for theta in [0.0, 0.3, 0.7] {
        let opening = Opening::fixed(theta).expect("a sound opening");
        for kind in [Kind::Blend, Kind::Bulge, Kind::BlendBulge] {
            list.push(Operator { kind, opening, contact: abrupt, size: 0.6 });
        }
    }
    list
}

fn pairs() -> Vec<[Sample; 2]> {
    let mut random = Random(1);
    let mut pair = |i: usize| {
        let a = random.next() * 0.75;
        let b = match i % 5 {
            0 => a,
            1 => random.next(),
            _ => a * (1.0 - 0.3 * random.next()),
        };
        let mut direction = || Vec3::new(random.next() - 0.5, random.next() - 0.5, random.next() - 0.5);
        let (first, axis) = (direction(), direction().normalize_or(Vec3::X));
        let length = 1.0 + 5.0 * random.next();
        // By up to 180 degrees about an axis at right angles, so that every angle between gradients is there.
        let axis = axis.reject_from(first).normalize_or(Vec3::Z);
        let second = Quat::from_axis_angle(axis, 3.15 * random.next()) * first * length;
        let second = if i.is_multiple_of(97) { Vec3::ZERO } else { second };
        let low = Sample { value: if i.is_multiple_of(101) { 0.0 } else { b }, gradient: second.into() };
        let high = Sample { value: a, gradient: first.into() };
        if i.is_multiple_of(2) { [low, high] } else { [high, low] }
    };
    (0..PAIRS).map(&mut pair).collect()
}

/// What the device makes of the pairs, operator by operator in turns.
fn on_device(gpu: &Gpu, text: &str, operators: &[Operator], pairs: &[[Sample; 2]]) -> Vec<Sample> {
    let rows: Vec<KernelOperator> = operators.iter().map(KernelOperator::from).collect();
    let fields: Vec<[f32; 4]> = pairs.iter().flatten().map(|s| s.gradient.extend(s.value).to_array()).collect();
    let bytes = (pairs.len() * 16) as u64;
    let (out, copy) = (wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC, wgpu::BufferUsages::COPY_DST);
    let joined = gpu.room("joined", bytes, out).expect("it fits");
    let staging = gpu.room("read back", bytes, copy | wgpu::BufferUsages::MAP_READ).expect("it fits");
    let operators = gpu.storage("operators", &rows).expect("it fits");
    let fields = gpu.storage("fields", &fields).expect("it fits");
    let source = wgpu::ShaderSource::Wgsl(format!("{text}{KERNEL}").into());
    let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });
    let entry = |binding, buffer: &wgpu::Buffer| (binding, buffer.clone());
    let buffers = [entry(0, &operators), entry(1, &fields), entry(2, &joined)];
    let bindings = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &buffers
            .each_ref()
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding: *binding, resource: buffer.as_entire_binding() }),
    });
    let mut encoder = gpu.device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &bindings, &[]);
        pass.dispatch_workgroups(pairs.len().div_ceil(64) as u32, 1, 1);
    }
    gpu.queue.submit([encoder.finish()]);
    let mut found = Vec::new();
    fetch(gpu, &joined, &staging, bytes, |view| {
        let word = |i: usize| f32::from_le_bytes(view[4 * i..4 * i + 4].try_into().expect("four bytes"));
        for i in 0..pairs.len() {
            let gradient = Vec3A::new(word(4 * i), word(4 * i + 1), word(4 * i + 2));
            found.push(Sample { value: word(4 * i + 3), gradient });
        }
    })
    .expect("it comes back");
    found
}

/// The largest differences, of values over the value and of gradients over their length, and how many gradients were
/// compared. Where a rounding of the inputs turns the processor's own gradient, there is nothing to compare.
fn differences(operators: &[Operator], pairs: &[[Sample; 2]], found: &[Sample]) -> (f32, f32, usize) {
    let (mut by_value, mut by_gradient, mut compared) = (0.0f32, 0.0f32, 0);
    for (i, (&[a, b], found)) in pairs.iter().zip(found).enumerate() {
        let operator = operators[i % operators.len()].prepare();
        let expected = operator.combine(a, b);
        let value = (found.value - expected.value).abs() / expected.value.abs().max(1e-6);
        by_value = if value > by_value || value.is_nan() { value } else { by_value };
        let length = expected.gradient.length().max(1e-6);
        let off = |sample: Sample| sample.gradient.distance(expected.gradient) / length;
        let turn = b.gradient.cross(a.gradient).normalize_or_zero().cross(a.gradient);
        let moved = |by_a: f32, by_b: f32, by_angle: f32| {
            let a = Sample { value: a.value * (1.0 + by_a), gradient: a.gradient + turn * by_angle };
            operator.combine(a, Sample { value: b.value * (1.0 + by_b), ..b })
        };
        let step = 1e-6;
        let near = [(step, 0.0, 0.0), (-step, 0.0, 0.0), (0.0, step, 0.0), (0.0, -step, 0.0)];
        let near = near.into_iter().chain([(0.0, 0.0, step), (0.0, 0.0, -step)]);
        // Equal values are no rounding of unequal ones: both sides take the first.
        if a.value != b.value && near.into_iter().any(|(x, y, z)| off(moved(x, y, z)) > 5e-4) {
            continue;
        }
        compared += 1;
        by_gradient = if off(*found) > by_gradient || off(*found).is_nan() { off(*found) } else { by_gradient };
    }
    (by_value, by_gradient, compared)
}

fn agrees((by_value, by_gradient, _): (f32, f32, usize)) -> bool {
    by_value <= 1e-5 && by_gradient <= 1e-3
}

fn gpu() -> Gpu {
    pollster::block_on(Gpu::open()).expect("a Vulkan driver is needed; on Debian: mesa-vulkan-drivers")
}

#[test]
fn operators_are_the_twins_of_the_processors() {
    let (gpu, operators, pairs) = (gpu(), operators(), pairs());
    let off = differences(&operators, &pairs, &on_device(&gpu, &operator_text(), &operators, &pairs));
    assert!(agrees(off), "values differ by {}, gradients by {}", off.0, off.1);
    assert!(off.2 > PAIRS * 98 / 100, "only {} gradients of {PAIRS} could be compared", off.2);
}

#[test]
fn broken_operators_are_rejected() {
    let (gpu, operators, pairs) = (gpu(), operators(), pairs());
    for (right, wrong) in [
        ("low.xyz * merge.by_low", "low.xyz * (1.01 * merge.by_low)"),
        ("select(HALLEY_STEPS[0], HALLEY_STEPS[1], inside)", "1u"),
        ("+ TANGENT[5]) * z", "+ 1.002 * TANGENT[5]) * z"),
        ("+ ARC_COSINE[5]", "+ 1.001 * ARC_COSINE[5]"),
        ("exp(w * log(kappa))", "kappa"),
        ("log_tail + log(series / rest)", "log_tail"),
        ("op.bulge0, op.bulge1, angle", "op.blend0, op.blend1, angle"),
        ("BULGE_DEPTH[1], inside", "0.999 * BULGE_DEPTH[1], inside"),
        ("min(op.size, LARGEST_SIZE)", "min(op.size, 0.95)"),
        ("!blends || bulge.value", "bulge.value"),
        ("-slope * by_high", "slope * by_high"),
        ("max(p / rest, 2.0)", "1.0"),
        ("PI - angle", "3.142 - angle"),
        ("let first = f1.w >= f2.w", "let first = f1.w > f2.w"),
    ] {
        assert!(operator_text().contains(right), "the text no longer says \"{right}\"");
        let broken = operator_text().replace(right, wrong);
        let off = differences(&operators, &pairs, &on_device(&gpu, &broken, &operators, &pairs));
        assert!(!agrees(off), "\"{wrong}\" passes at {off:?}");
    }
}

#[test]
fn the_operators_text_is_sound_by_itself() {
    let text = operator_text();
    let module = naga::front::wgsl::parse_str(&text);
    let module = module.unwrap_or_else(|e| panic!("{}", e.emit_to_string(&text)));
    assert!(module.entry_points.is_empty() && module.global_variables.is_empty());
    let mut validator = naga::valid::Validator::new(naga::valid::ValidationFlags::all(), Default::default());
    validator.validate(&module).unwrap_or_else(|e| panic!("{e:?}"));
}
