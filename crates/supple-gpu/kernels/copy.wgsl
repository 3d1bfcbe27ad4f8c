// Copies memory: the fastest a kernel can read and write, for comparison.

@group(0) @binding(0) var<storage, read> from_here: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> to_there: array<vec4<f32>>;

@compute @workgroup_size(WORKGROUP)
fn main(thread: Thread) {
    let i = index(thread);
    if i < arrayLength(&to_there) {
        to_there[i] = from_here[i];
    }
}
