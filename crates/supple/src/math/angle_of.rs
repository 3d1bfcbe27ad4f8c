use glam::DAffine3;

/// By how much a transform turns, in radians; not a number where it squashes space flat.
pub fn angle_of(turn: &DAffine3) -> f64 {
    let (_, rotation, _) = turn.to_scale_rotation_translation();
    2.0 * rotation.xyz().length().atan2(rotation.w.abs())
}
