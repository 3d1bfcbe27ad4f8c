// What every kernel starts with: which element this thread works on. Its text goes before each kernel's own.

struct Thread {
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
}

// Workgroups lie in two dimensions, because one holds 65,535 at most.
fn index(thread: Thread) -> u32 {
    return (thread.group.y * thread.groups.x + thread.group.x) * WORKGROUP + thread.local;
}
