//! Reports for people.

use crate::wording::counted;
use supple::{
    math::rounded,
    weights::edit::{EditReport, MirrorReport, TransferReport, Unpaired},
};

/// Names and pieces beyond so many are counted only.
const LISTED: usize = 12;

pub fn edit(r: &EditReport) -> Vec<String> {
    vec![
        format!("vertices      {} of {} changed", r.changed, r.vertices),
        format!(
            "moved         {:.2} % of all weight, the most at one place {:.4}",
            100.0 * r.mean_moved,
            r.largest_change
        ),
        format!("influences    {} before, {} now, at most for a vertex", r.influences_before, r.influences_after),
        format!("entries       {} before, {} now", r.entries_before, r.entries_after),
    ]
}

pub fn mirror(r: &MirrorReport) -> Vec<String> {
    let axis = format!("{:?}", r.axis).to_lowercase();
    let side = if r.kept_positive { '+' } else { '-' };
    let mut lines = vec![
        format!("mirror        {axis} = {}, the side {side}{axis} was kept", rounded(r.place)),
        format!(
            "joints        {} pairs by name, {} by place, {} in the middle",
            r.pairs_by_name, r.pairs_by_place, r.middle_joints
        ),
    ];
    if !r.unpaired_joints.is_empty() {
        let names = listed(r.unpaired_joints.iter().map(|n| format!("\"{n}\"")));
        lines.push(format!("              {} without a partner: {names}", r.unpaired_joints.len()));
    }
    lines.push(format!("mirrored      {}, {} on the plane", vertices(r.mirrored), r.middle));
    if r.unpaired > 0 {
        lines.push(format!("left as is    {}, no surface faces them in the mirror", vertices(r.unpaired)));
        lines.extend(pieces(&r.unpaired_pieces));
    }
    lines.extend(edit(&r.edit));
    lines
}

pub fn transfer(r: &TransferReport) -> Vec<String> {
    let mut lines = vec![
        format!("matched       {} of {} vertices", r.matched, r.vertices),
        format!("inpainted     {}", vertices(r.inpainted)),
    ];
    if r.nearest > 0 {
        lines.push(format!("nearest       {} of pieces on which nothing matched", vertices(r.nearest)));
        lines.extend(pieces(&r.nearest_pieces));
    }
    if r.lost > 0 {
        lines.push(format!("first joint   {} whose place is not finite", vertices(r.lost)));
    }
    lines.push(format!("joints        {} by name", r.joints_matched));
    if !r.joints_replaced.is_empty() {
        let names = listed(r.joints_replaced.iter().map(|j| format!("\"{}\" by \"{}\"", j.joint, j.by)));
        lines.push(format!("              {} replaced: {names}", r.joints_replaced.len()));
    }
    if let Some(c) = &r.carried {
        let turned =
            if c.turned < 0.5 { "not turned".to_owned() } else { format!("turned by {:.0} degrees", c.turned) };
        let scale = rounded(c.scale);
        lines.push(format!("skeleton      laid into the mesh: {scale} times as large, {turned}"));
        lines.push(format!("              bones {:.2} to {:.2} times as long as that", c.bones[0], c.bones[1]));
        if c.clips > 0 {
            lines.push(format!("              translations of {} scaled along", counted(c.clips, "clip", "clips")));
        }
    }
    lines.push(format!("influences    {} at most for a vertex", r.influences));
    lines
}

/// What makes a transfer worth little, though it was done.
pub fn doubts(r: &TransferReport, aligned: bool) -> Vec<&'static str> {
    let mut doubts = Vec::new();
    if r.joints_replaced.len() > r.joints_matched {
        doubts.push("most joints have no namesake here, and their weights went to others: give them the same names, or use supple bind");
    }
    if 2 * r.matched < r.vertices {
        doubts.push(if aligned {
            "most of the skin lies far from the other, and was guessed: both must stand in one pose (without --align, also in one place)"
        } else {
            "most of the skin lies far from the other, and was guessed: both must stand in one place and pose (or use --align)"
        });
    }
    doubts
}

fn pieces(pieces: &[Unpaired]) -> Vec<String> {
    let line = |p: &Unpaired| {
        format!("              piece {}: {}, the first is {}", p.component, vertices(p.vertices), p.first)
    };
    let mut lines: Vec<String> = pieces.iter().take(LISTED).map(line).collect();
    if pieces.len() > LISTED {
        lines.push(format!("              and {} pieces more (--json lists all)", pieces.len() - LISTED));
    }
    lines
}

fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(LISTED);
    let mut text = names.take(LISTED).collect::<Vec<_>>().join(", ");
    if more > 0 {
        text += &format!(" and {more} more");
    }
    text
}

fn vertices(number: usize) -> String {
    counted(number, "vertex", "vertices")
}
