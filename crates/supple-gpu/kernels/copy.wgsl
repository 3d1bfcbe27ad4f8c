// Copies memory: the fastest a kernel can read and write, for comparison.

@group(0) @binding(0) var<storage, read> from_here: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> to_there: array<vec4<f32>>;

@compute @workgroup_size(64)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = (group.y * groups.x + group.x) * 64u + local;
    if i < arrayLength(&to_there) {
        to_there[i] = from_here[i];
    }
}
