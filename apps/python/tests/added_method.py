"""A method that no package has, in one built with the feature `toy`: `./test` names this file, and pytest does not find it by itself."""

import numpy as np
import pytest

import supple


def toy():
    return next(m for m in supple.methods() if m.name == "toy")


def test_its_settings_are_those_of_the_registry():
    settings = {s.name: s for s in toy().settings}
    assert toy().stands_alone and toy().on_gpu
    assert (settings["push"].least, settings["push"].most, settings["push"].unit) == (0, 2, "metres")
    assert settings["axis"].choices == ["x", "y", "z"] and settings["back"].default is False
    assert [f.name for f in settings["joints"].fields] == ["still"]


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_it_moves_skin(arm, device):
    moved = supple.Graph("toy", push=0.25, times=3, axis="z").bind(arm, device).deform(arm.pose())
    assert np.allclose(moved - arm.positions, [0, 0, 0.75], atol=1e-5)


def test_what_does_not_fit_is_refused_in_the_words_of_every_method():
    with pytest.raises(supple.GraphError, match="a number of metres from 0 to 2 is expected"):
        supple.Graph("toy", push=3)


@pytest.mark.parametrize("device", ["cpu", "gpu"])
def test_a_loop_that_remembers_begins_anew_and_a_frame_goes_on(arm, device):
    bound = supple.Graph("toy", push=0, drift=0.125).bind(arm, device)
    heights = [float((bound.deform(arm.pose(), time=t) - arm.positions)[0, 1]) for t in (0, 0.1, 0.2, 0, 0.1)]
    assert np.allclose(heights, [0, 0.125, 0.25, 0, 0.125], atol=1e-5)


def test_a_pose_that_starts_anew_says_so(arm):
    bound = supple.Graph("toy", push=0, drift=0.125).bind(arm)
    says = "toy: remembers earlier frames; a single pose starts anew"
    assert bound.remembers and says not in bound.notes
    for time, is_said in ((0, True), (0.1, False), (0.2, False), (0, True)):
        bound.deform(arm.pose(), time=time)
        assert (says in bound.notes) == is_said, time
    plain = supple.Graph("toy").bind(arm)
    plain.deform(arm.pose())
    assert not plain.remembers and not plain.notes
    with pytest.warns(UserWarning, match=says):
        supple.deform(arm, "toy", drift=0.125)
    with pytest.warns(UserWarning, match=says):
        supple.measure(arm, "toy", drift=0.125)


def test_baked_frames_that_start_late_are_those_of_the_whole_clip(arm, tmp_path):
    def frames(**what):
        supple.bake(arm, [arm.pose()] * 6, "toy", tmp_path / "out.pc2", drift=0.125, **what)
        return (tmp_path / "out.pc2").read_bytes()[32:]

    whole = frames()
    assert frames(frames=(4, 6)) == whole[len(whole) // 6 * 4 :]
