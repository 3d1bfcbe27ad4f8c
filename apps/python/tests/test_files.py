import json
import os
import pathlib
import re
import signal
import subprocess

import numpy as np
import pytest

import supple


def test_a_rig_goes_through_a_file_and_through_bytes(arm, tmp_path):
    path = tmp_path / "arm.glb"
    supple.write(arm, path)
    for again in (supple.read(path), supple.read(str(path)), supple.read(path.read_bytes(), format="glb")):
        assert np.array_equal(again.positions, arm.positions) and np.array_equal(again.triangles, arm.triangles)
        assert again.skeleton.names == arm.skeleton.names and [c.name for c in again.clips] == [c.name for c in arm.clips]
        assert np.allclose(again.weights.dense(), arm.weights.dense(), atol=1e-6)
    assert supple.read(path).name == "arm"


def test_moved_points_go_to_files(arm, bent, tmp_path):
    points = supple.deform(arm, "linear", bent)
    supple.write(arm, tmp_path / "bent.obj", points)
    assert np.allclose(supple.read(tmp_path / "bent.obj").positions, points, atol=1e-6)


def test_what_was_mended_is_said(tmp_path):
    (tmp_path / "odd.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 1 2\n")
    assert supple.read(tmp_path / "odd.obj").warnings == ["line 5: a face needs three corners and has 2: left out"]
    (tmp_path / "bad.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n")
    with pytest.raises(supple.ReadError, match="bad.obj: line 4: vertex"):
        supple.read(tmp_path / "bad.obj")


@pytest.mark.parametrize(
    "read, says",
    [
        (lambda p: supple.read(p / "none.glb"), "none.glb: cannot read it"),
        (lambda p: supple.read(p), "folder"),
        (lambda p: supple.read(p / "x.doc"), "unknown format"),
        (lambda p: supple.read(b"glTF"), "say their format"),
        (lambda p: supple.read(b"glTF", format="doc"), "unknown format"),
        (lambda p: supple.read(b"", format="glb"), "it is empty"),
        (lambda p: supple.read(b"not a model at all", format="glb"), "."),
    ],
)
def test_files_that_cannot_be_read_are_refused(tmp_path, read, says):
    with pytest.raises(supple.ReadError, match=says):
        read(tmp_path)


def test_files_that_cannot_be_written_are_refused(arm, tmp_path):
    with pytest.raises(supple.WriteError, match="there is no folder"):
        supple.write(arm, tmp_path / "no" / "arm.glb")
    with pytest.raises(supple.WriteError, match="cannot write .*fbx"):
        supple.write(arm, tmp_path / "arm.fbx")
    with pytest.raises(supple.WriteError, match="3 points, and the rig has 700"):
        supple.write(arm, tmp_path / "arm.obj", np.zeros((3, 3)))


def test_a_clip_is_baked_frame_by_frame(arm, tmp_path):
    seen = []
    path = tmp_path / "bend.pc2"
    count = supple.bake(arm, arm.clips[0], "linear", path, fps=8, progress=lambda done, all: seen.append((done, all)))
    assert seen == [(i + 1, count) for i in range(count)] and count == arm.clips[0].frames(8)
    frames = np.frombuffer(path.read_bytes()[32:], "<f4").reshape(count, 700, 3)
    bound = supple.Graph("linear").bind(arm)
    for i in (0, count // 2, count - 1):
        assert np.abs(frames[i] - bound.deform(arm.clips[0].sample(i / 8))).max() < 1e-5
    poses = [arm.clips[0].sample(i / 8) for i in range(count)]
    again = tmp_path / "poses.pc2"
    assert supple.bake(arm, poses, "linear", again) == count and again.read_bytes() == path.read_bytes()
    assert supple.bake(arm, arm.clips[0].name, "linear", again, fps=8, frames=(1, 3)) == 2


def test_a_progress_that_raises_stops_the_work_and_leaves_no_file(arm, tmp_path):
    def stop(done, all):
        raise InterruptedError("enough")

    with pytest.raises(InterruptedError, match="enough"):
        supple.bake(arm, arm.clips[0], "linear", tmp_path / "bend.pc2", progress=stop)
    assert os.listdir(tmp_path) == []


def test_ctrl_c_stops_a_bake_between_two_frames(arm, tmp_path):
    # By a signal of the kernel's: a thread of Python may get its turn only when all is written.
    def press(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, press)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, 0.02)
            supple.bake(arm, arm.clips[0], "linear", tmp_path / "long.pc2", fps=10_000)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "bake, says",
    [
        (lambda r, p: supple.bake(r, r.clips[0], "linear", p, fps=0), "more than 0"),
        (lambda r, p: supple.bake(r, r.clips[0], "linear", p, frames=(3, 3)), "first must be before"),
        (lambda r, p: supple.bake(r, r.clips[0], "linear", p, frames=(0, 9999)), "within"),
        (lambda r, p: supple.bake(r, [], "linear", p), "no poses"),
        (lambda r, p: supple.bake(r, 7, "linear", p), "expected"),
        (lambda r, p: supple.bake(r, "walk", "linear", p), "no clip is called"),
        (lambda r, p: supple.bake(r, r.clips[0], "linear", p.with_suffix(".mov")), "pc2"),
    ],
)
def test_bakes_that_make_no_sense_are_refused(arm, tmp_path, bake, says):
    with pytest.raises(supple.Error, match=says):
        bake(arm, tmp_path / "x.pc2")
    assert os.listdir(tmp_path) == []


def test_pictures_are_arrays_and_files(arm, bent, tmp_path):
    points = supple.deform(arm, "linear", bent)
    picture = supple.render(arm, points, tmp_path / "a.png", size=(160, 120), bones=bent, label="arm")
    assert picture.shape == (120, 160, 4) and picture.dtype == np.uint8 and picture[..., :3].std() > 10
    assert (tmp_path / "a.png").read_bytes()[1:4] == b"PNG"
    for show in ("weights", "normals", "depth", "ids"):
        assert not np.array_equal(supple.render(arm, points, size=(160, 120), show=show), picture)
    for wrong in (dict(view="below"), dict(show="love"), dict(background="pink"), dict(size=(0, 9)), dict(samples=99)):
        with pytest.raises(supple.RenderError):
            supple.render(arm, points, **wrong)
    with pytest.raises(supple.RigError, match="not finite"):
        supple.render(arm, points * np.nan)


def test_figures_say_what_touches(arm):
    figures = supple.measure(arm, "implicit", arm.pose(bend={"forearm": 130}))
    assert figures["contact"][0]["joint"] == "forearm" and figures["finite"] is True
    assert "contact" not in supple.measure(arm, "linear")
    with pytest.raises(supple.MeasureError, match="grid of 1 cells"):
        supple.measure(arm, "linear", grid=1)


@pytest.mark.skipif("SUPPLE" not in os.environ, reason="SUPPLE names no supple command to compare with")
@pytest.mark.parametrize("method", ["linear", "implicit"])
def test_figures_are_those_of_the_command(arm, tmp_path, method):
    supple.write(arm, tmp_path / "arm.glb")
    command = [os.environ["SUPPLE"], "measure", tmp_path / "arm.glb", "-m", method, "--bend", "forearm=120", "--json"]
    expected = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rig = supple.read(tmp_path / "arm.glb")
    assert supple.measure(rig, method, rig.pose(bend={"forearm": 120})) == expected


def test_methods_and_their_settings_come_from_the_registry():
    implicit = {m.name: m for m in supple.methods()}["implicit"]
    settings = {s.name: s for s in implicit.settings}
    assert settings["operator"].default == "union" and settings["joints"].default == {} and settings["sigma"].help
    angle, amount, joints = settings["contact_angle"], settings["amount"], settings["joints"]
    assert (angle.type, angle.least, angle.most, angle.unit) == ("number", 1.0, 180.0, "degrees")
    assert amount.type == "number or one per vertex" and (amount.least, amount.most) == (0.0, 1.0)
    assert settings["start"].choices == [m.name for m in supple.methods() if m.stands_alone and m.name != "implicit"]
    fields = {f.name: f for f in joints.fields}
    assert fields["cap"].most == 4.0 and "bulge" in fields["operator"].choices and fields["operator"].default is None
    for setting in (s for s in settings.values() if s.most is not None):
        with pytest.raises(supple.GraphError, match=setting.name):
            supple.Graph("implicit", **{setting.name: setting.most + 1})
    for method in (m for m in supple.methods() if m.stands_alone):
        graph = supple.Graph(method.name, **{s.name: s.default for s in method.settings})
        assert graph == supple.Graph(method.name), method.name


def test_the_stubs_name_what_there_is():
    folder = pathlib.Path(supple.__file__).parent
    assert (folder / "py.typed").exists()
    stub = (folder / "__init__.pyi").read_text()
    named = set(re.findall(r"^(?:class|def) (\w+)", stub, re.M)) | {"examples"}
    assert named == set(supple.__all__)
    for name, body in re.findall(r"^class (\w+).*?:\n((?:    .*\n|\n)+)", stub, re.M):
        members = set(re.findall(r"^    def (\w+)", body, re.M)) - {"__init__"}
        there = {m for m in vars(getattr(supple, name)) if not m.startswith("_")}
        assert {m for m in members if not m.startswith("_")} == there, name
        assert getattr(supple, name).__doc__, name
    in_examples = re.findall(r"^def (\w+)", (folder / "examples.pyi").read_text(), re.M)
    assert sorted(in_examples) == supple.examples.__all__
    for name in supple.__all__:
        assert getattr(supple, name).__doc__, name


def test_the_notebook_runs_as_it_stands(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(pathlib.Path(__file__).parents[1] / "notebook" / "first-steps.ipynb", 4)
    nbclient.NotebookClient(notebook, timeout=120, resources={"metadata": {"path": tmp_path}}).execute()
    assert (tmp_path / "elbow.png").exists()
