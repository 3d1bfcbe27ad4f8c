// A mix of two results, one number a thread: the twin of deform/mix.rs.

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read> amount: array<f32>;
@group(0) @binding(3) var<storage, read_write> points: array<f32>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = index(thread);
    if i >= arrayLength(&amount) * 3u {
        return;
    }
    let t = amount[i / 3u];
    points[i] = a[i] * (1.0 - t) + b[i] * t;
}
