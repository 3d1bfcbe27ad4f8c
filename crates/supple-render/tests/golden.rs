//! Pictures that must not change by accident, nor with the number of threads.

mod scene;

use supple_render::{Camera, Channel, Direction, Error, Scene, View, cpu};

#[test]
fn the_picture_is_that_of_the_golden() {
    let path = scene::golden();
    let golden = image_of(&path);
    let picture = scene::picture();
    assert_eq!((picture.width, picture.height), golden.0, "{}", path.display());
    // Rounding differs between processors, and an edge may fall on the other side of a pixel's centre: most pixels are
    // equal, few are off by more than a shade.
    let worst = |(a, b): (&[u8; 4], &[u8; 4])| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let differences: Vec<u8> = picture.pixels.iter().zip(&golden.1).map(worst).collect();
    let far = differences.iter().filter(|d| **d > 8).count();
    let mean = differences.iter().map(|d| f64::from(*d)).sum::<f64>() / differences.len() as f64;
    assert!(far * 200 <= differences.len() && mean < 0.5, "{far} pixels differ much, {mean} on average");
}

fn image_of(path: &std::path::Path) -> ((u32, u32), Vec<[u8; 4]>) {
    let bytes = std::fs::read(path).expect("`cargo xtask bless` writes it");
    let image = image::load_from_memory(&bytes).expect("a PNG").into_rgba8();
    (image.dimensions(), image.pixels().map(|p| p.0).collect())
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let (scene, view) = scene::scene();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| cpu::render(&scene, &view).expect("a picture"))
    };
    let one = with(1);
    assert!([2, 3, 7].into_iter().all(|threads| with(threads) == one));
}

#[test]
fn every_number_of_samples_shows_the_same_thing() {
    let (scene, view) = scene::scene();
    let mean = |supersampling: u32| {
        let buffers = cpu::render(&scene, &View { supersampling, ..view }).expect("a picture");
        let sum: u64 = buffers.color.iter().flatten().map(|c| u64::from(*c)).sum();
        sum as f64 / (buffers.color.len() * 4) as f64
    };
    let two = mean(2);
    assert!([1, 3, 4].into_iter().all(|n| (mean(n) - two).abs() < 1.0));
}

#[test]
fn huge_pictures_are_refused() {
    let camera = Camera::framing(&[], Direction::Front, 1.0, true);
    for size in [[999_999, 999_999], [0, 10], [10, 0], [8192, 8192], [8193, 1]] {
        let error = cpu::render(&Scene::default(), &View::new(camera, size)).expect_err("refused");
        assert_eq!(error, Error::Size { width: size[0], height: size[1] });
    }
}

#[test]
fn a_picture_is_written_whole_and_only_as_png() {
    let folder = tempfile::tempdir().expect("a folder");
    let (scene, view) = scene::scene();
    let buffers = cpu::render(&scene, &view).expect("a picture");
    for channel in [Channel::Color, Channel::Normal, Channel::Depth, Channel::Id] {
        let path = folder.path().join("a.png");
        buffers.picture(channel, &view).write(&path).expect("written");
        assert_eq!(image_of(&path).1, buffers.picture(channel, &view).pixels);
    }
    let error = buffers.picture(Channel::Color, &view).write(folder.path().join("a.jpg")).expect_err("refused");
    assert_eq!(error.to_string(), "cannot write \".jpg\": png can be written here");
}
