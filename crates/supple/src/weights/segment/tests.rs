use super::*;
use crate::example;

#[test]
fn an_arm_is_cut_at_the_elbow() {
    let rig = example::arm(&example::ArmOptions { vertices: 3000, ..Default::default() }).unwrap();
    let parts = Segmentation::of(&rig).unwrap();
    assert!(parts.notes.is_empty(), "{:?}", parts.notes);
    for (v, p) in rig.mesh.positions.iter().enumerate() {
        if (p.x - 2.0).abs() > 0.2 {
            assert_eq!(parts.vertices[v], u16::from(p.x > 2.0));
        }
    }
}
