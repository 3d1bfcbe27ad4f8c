//! How long each kernel of implicit skinning takes on this card, with most joints moving:
//! `cargo run --release -p supple-gpu --example implicit_stages`.

#![expect(clippy::print_stdout, reason = "it is there to be read")]

use supple::{
    deform::implicit::Implicit,
    example::{FigureOptions, HandOptions, figure, hand},
    field::Operator,
    pose::Motion,
};
use supple_gpu::{Gpu, ImplicitStages};

fn main() {
    let gpu = pollster::block_on(Gpu::open()).expect("a Vulkan driver");
    let rigs = [
        hand(&HandOptions { vertices: 31_750, ..Default::default() }),
        figure(&FigureOptions { vertices: 172_974, bones: 23 }),
    ];
    for rig in rigs.map(|rig| rig.expect("it can be made")) {
        for name in ["union", "bulge"] {
            let operator = Operator::preset(name).expect("a preset");
            let method = Implicit { operator, ..Default::default() };
            let mut device = ImplicitStages::new(&gpu, &method, &rig, str::to_owned).expect("it binds");
            for clip in &rig.clips {
                for k in [12, 8, 4] {
                    let at = f64::from(clip.duration()) * f64::from(k) / 24.0;
                    let motion = Motion::of(&rig, &clip.sample(&rig, at));
                    let mut runs: Vec<Vec<(&str, f64)>> = Vec::new();
                    // A card that lay idle needs a while until its clocks are up.
                    let waking = std::time::Instant::now();
                    while waking.elapsed().as_millis() < 300 {
                        device.profile(&motion).expect("it runs");
                    }
                    for _ in 0..60 {
                        runs.push(device.profile(&motion).expect("it runs"));
                    }
                    let runs = &runs[20..];
                    let median = |stage: usize| {
                        let mut times: Vec<f64> = runs.iter().map(|r| r[stage].1 * 1e3).collect();
                        times.sort_by(f64::total_cmp);
                        times[times.len() / 2]
                    };
                    let mut sums: Vec<(&str, f64, usize)> = Vec::new();
                    for (stage, (kernel, _)) in runs[0].iter().enumerate() {
                        match sums.last_mut().filter(|s| s.0 == *kernel) {
                            Some(last) => (last.1, last.2) = (last.1 + median(stage), last.2 + 1),
                            None => sums.push((kernel, median(stage), 1)),
                        }
                    }
                    let mut wholes: Vec<f64> =
                        (0..60).filter_map(|_| device.whole(&motion).expect("it runs")).collect();
                    wholes.sort_by(f64::total_cmp);
                    let counts = device.counts().expect("it comes back");
                    println!("{} {name} {} at {k}/24: counts {counts:?}", rig.name, clip.name);
                    let whole = wholes.get(wholes.len() / 2).map_or(0.0, |w| w * 1e3);
                    println!("  in one pass {whole:.0} us, one by one {:.0} us", sums.iter().map(|s| s.1).sum::<f64>());
                    let line: Vec<String> = sums.iter().map(|(n, t, k)| format!("{n} x{k} {t:.1}")).collect();
                    println!("  {}", line.join(", "));
                }
            }
        }
    }
}
