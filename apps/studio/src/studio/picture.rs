//! The first pane as pictures. A frame of a film is drawn when the skin has been moved to it, and what is painted on the
//! skin is of that moment too; until then it waits.

use super::{Studio, scene::BoneList};
use crate::{
    model::{Backdrop, PictureOptions, SkinView},
    viewport::{Look, Overlay, Style, Target},
};
use glam::Vec3;
use std::time::Duration;
use supple::pose::Motion;
use web_time::Instant;

/// How long a film runs through the frames before its first in one go: the window stays awake meanwhile.
const PASSING: Duration = Duration::from_millis(10);

impl Studio {
    /// Takes the frame that was drawn last, and draws the next.
    pub(super) fn record(&mut self) {
        let Some(recorder) = &mut self.work.recorder else { return };
        match recorder.receive() {
            Ok(None) => {}
            Ok(Some(words)) => {
                self.work.recorder = None;
                return self.say(words);
            }
            Err(error) => return self.fail_recording(&error),
        }
        if !self.work.recorder.as_ref().is_some_and(|r| r.wants_frame()) {
            return;
        }
        let began = Instant::now();
        loop {
            // The clock of the film has gone on since the skin was moved last.
            self.present();
            self.paint();
            if let Some(why) = self.waits_in_vain() {
                return self.fail_recording(&why);
            }
            if !self.is_ready() || !self.is_moved() {
                return;
            }
            if !self.passes() {
                break;
            }
            if began.elapsed() > PASSING {
                return;
            }
        }
        if !self.is_painted() {
            return;
        }
        let Some(motion) = self.motion() else { return };
        let Some(mut recorder) = self.work.recorder.take() else { return };
        let drawn = self.draw_plain(&mut recorder.target, &recorder.options, &mut recorder.bones, &motion);
        let drawn = drawn.and_then(|()| recorder.drawn());
        self.work.recorder = Some(recorder);
        if let Err(error) = drawn {
            self.fail_recording(&error);
        }
    }

    /// Ends a recording before its end; nothing of it is kept. A line that says so, where there was one.
    pub(super) fn stop_recording(&mut self) -> Option<String> {
        self.work.recorder.take().map(|recorder| recorder.discard())
    }

    fn fail_recording(&mut self, why: &str) {
        let kept = self.stop_recording().unwrap_or_default();
        self.not_written("not exported", &format!("{why}{kept}"));
    }

    /// Whether the skin was moved to a frame before the film's first, which a method that remembers runs through and nobody draws.
    fn passes(&mut self) -> bool {
        let remembers = self.drawn.stages[0].bound().is_some_and(|ready| ready.engine.binding().remembers());
        self.work.recorder.as_mut().is_some_and(|recorder| recorder.pass(remembers))
    }

    /// Whether skin is where the pose that is shown has it.
    fn is_moved(&self) -> bool {
        let Some(ready) = self.drawn.stages[0].bound() else { return true };
        self.pose_of(&ready.rig).is_some_and(|pose| ready.is_at(&pose, self.moment()))
    }

    /// Whether what is painted on the skin is of the moment too.
    fn is_painted(&self) -> bool {
        let Some(ready) = self.drawn.stages[0].bound() else { return true };
        match self.sight.view {
            SkinView::Stretch => ready.host().is_some_and(|(frame, _)| frame == ready.frame),
            SkinView::Contact => self.work.figures.pressures().is_some_and(|(frame, _)| frame == ready.frame),
            _ => true,
        }
    }

    /// Why the frame that is waited for will never come, where that is known.
    fn waits_in_vain(&self) -> Option<String> {
        let unmeasured = || {
            let frame = self.drawn.stages[0].bound().filter(|_| self.sight.view == SkinView::Contact)?.frame;
            self.work.figures.unmeasurable(frame).map(str::to_owned)
        };
        self.drawn.unmoved.clone().or_else(unmeasured)
    }

    /// Draws the first pane without rings, and with marks where they are wanted, as large as the target is.
    fn draw_plain(
        &self,
        target: &mut Target,
        options: &PictureOptions,
        bones: &mut BoneList,
        motion: &Motion,
    ) -> Result<(), String> {
        let (mut overlay, mut look) = (Overlay::default(), self.look());
        if options.marks {
            let points = self.sight.pane[1].max(1.0);
            let density = target.size()[1] as f32 / points;
            overlay = self.drawn.extras.overlay.clone().widened(density / self.sight.scale.max(f32::MIN_POSITIVE));
        } else {
            look.opacity = 1.0;
        }
        if let Some(document) = self.open.document.as_ref().filter(|_| self.sight.bones) {
            bones.update(document.rig());
            bones.posed(motion).for_each(|(_, head, tail)| overlay.bone(head, tail, Vec3::new(0.55, 0.57, 0.62)));
        }
        let mut skins = Vec::new();
        if let Some((_, skin)) = &self.drawn.skin {
            match (self.drawn.stages[0].bound(), &self.drawn.bare) {
                (Some(ready), _) => skins.push((skin, &ready.shown, look)),
                (None, Some(bare)) => skins.push((skin, bare, Look::PLAIN)),
                (None, None) => {}
            }
        }
        let style = match options.background {
            Backdrop::Scene => self.style(),
            Backdrop::Plain => Style { grid: false, ..self.style() },
            Backdrop::Transparent => Style { grid: false, sky: false, ..self.style() },
        };
        let camera = self.sight.orbit.camera();
        self.device.viewport.draw(target, &camera, &style, &skins, &overlay).map(drop).map_err(|e| e.to_string())
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        model::{Command, Document, Edit, ExportKind, PictureOptions, PictureSize, SkinView},
        studio::{Studio, memory::Memory, recovery::Recovery, task::Wake},
    };
    use supple_gpu::Gpu;

    fn settle(studio: &mut Studio) {
        for _ in 0..4000 {
            studio.tick(0.02);
            if studio.is_settled() && !studio.work.figures.is_busy() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(3));
        }
        panic!("the studio never came to rest: {:?}", studio.said.notices);
    }

    #[test]
    fn a_film_does_not_wait_for_a_frame_that_cannot_be_measured() {
        let folder = tempfile::tempdir().unwrap();
        let gpu = pollster::block_on(Gpu::open()).expect("a device, software drivers included");
        let studio = Studio::new(gpu, Wake::nobody(), Memory::default(), Recovery::default());
        let mut studio = studio.expect("the shaders are sound");
        studio.take(Document::example("arm").unwrap());
        studio.execute(Command::Change { edit: Edit::Clip { name: Some("bend".into()) } });
        studio.execute(Command::Show { view: SkinView::Contact });
        studio.open.playback.time = 0.5;
        settle(&mut studio);
        // The first frame of the film is the next that is moved to.
        let frame = studio.drawn.stages[0].bound().unwrap().frame + 1;
        studio.work.figures.unmeasured = Some((frame, "as a bug would".into()));
        let picture = PictureOptions { size: PictureSize::Vga, rate: Some(5.0), to: Some(0.4), ..Default::default() };
        let path = folder.path().join("film.png");
        studio.execute(Command::Export { kind: ExportKind::Frames, path, picture });
        settle(&mut studio);
        assert!(
            studio.said.unwritten.as_ref().is_some_and(|why| why.contains("as a bug would")),
            "{:?}",
            studio.said.notices
        );
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
