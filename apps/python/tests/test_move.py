import json
import signal
import threading
import time

import numpy as np
import pytest

import supple


def test_rest_is_rest_for_every_method_that_stands_alone(arm):
    alone = [m.name for m in supple.methods() if m.stands_alone]
    assert {"linear", "implicit"} <= set(alone)
    for name in alone:
        assert np.abs(supple.deform(arm, name, supple.Pose.rest(arm)) - arm.positions).max() < 1e-5, name


def test_linear_is_the_sum_of_weighted_matrices(arm, bent):
    world, rest = bent.world, arm.skeleton.rest
    points = np.c_[arm.positions, np.ones(len(arm.positions))]
    each = np.einsum("jab,vb->vja", world @ np.linalg.inv(rest), points)
    expected = np.einsum("vj,vja->va", arm.weights.dense(), each)[:, :3]
    assert np.abs(supple.deform(arm, "linear", bent) - expected).max() < 1e-5


def test_points_are_written_to_the_callers_array(arm, bent):
    bound = supple.Graph("linear").bind(arm)
    out = np.full_like(arm.positions, 7)
    out.flags.writeable = True
    back = bound.deform(bent, out=out)
    assert back is out or np.shares_memory(back, out)
    assert np.array_equal(out, bound.deform(bent))
    half = np.zeros((1400, 3), np.float32)
    bound.deform(bent, out=half[:700])
    assert np.array_equal(half[:700], out) and not half[700:].any()


def test_points_can_start_elsewhere_than_at_rest(arm):
    bound, rest = supple.Graph("linear").bind(arm), supple.Pose.rest(arm)
    lifted = arm.positions + np.float32(0.25)
    assert np.abs(bound.deform(rest, rest=lifted) - lifted).max() < 1e-5
    with pytest.raises(supple.RigError, match="rest: 3 points, and the rig has 700"):
        bound.deform(rest, rest=np.zeros((3, 3)))


@pytest.mark.parametrize(
    "out, says",
    [
        (np.zeros((699, 3), np.float32), r"shape \(700, 3\) and type float32 is expected, found shape \[699, 3\]"),
        (np.zeros((700, 3)), "type float64"),
        (np.zeros((3, 700), np.float32).T, "not contiguous"),
        ([[0, 0, 0]], "is expected, found"),
        (np.broadcast_to(np.float32(0), (700, 3)), "not contiguous|read-only"),
    ],
)
def test_an_array_that_points_cannot_go_to_is_refused(arm, bent, out, says):
    with pytest.raises(supple.RigError, match=says):
        supple.Graph("linear").bind(arm).deform(bent, out=out)


def test_the_rigs_own_array_is_not_overwritten(arm, bent):
    with pytest.raises(supple.RigError, match="read-only"):
        supple.Graph("linear").bind(arm).deform(bent, out=arm.positions)


def test_poses_come_in_every_form(arm, bent):
    for again in (
        supple.Pose.from_local(arm, bent.local),
        supple.Pose.from_world(arm, bent.world),
        supple.Pose.rest(arm).bend("forearm", 100),
        arm.pose(bend={"forearm": 100}),
    ):
        assert np.allclose(again.world, bent.world, atol=1e-12)
    quarter = {"rotation": [0, 0, 0.70710678, 0.70710678]}
    a = arm.pose(joints={"forearm": quarter})
    b = supple.Pose.from_dict(arm, {"joints": {"forearm": quarter}})
    assert np.array_equal(a.world, b.world) and not np.allclose(a.world, supple.Pose.rest(arm).world)
    twisted = arm.pose(twist={"forearm": 90})
    assert np.allclose(twisted.world[1, :3, 3], arm.skeleton.positions[1])
    clip = arm.clips[0]
    assert np.array_equal(arm.pose(clip=clip.name, time=0.5).world, clip.sample(0.5).world)
    about = arm.pose(bend={"forearm": (30, (0, 0, 1))})
    assert not np.allclose(about.world, bent.world)


@pytest.mark.parametrize(
    "pose, says",
    [
        (lambda r: r.pose(bend={"elbow": 3}), "no joint is called"),
        (lambda r: r.pose(bend={"forearm": "far"}), "degrees or"),
        (lambda r: r.pose(bend={"forearm": float("nan")}), "not a number"),
        (lambda r: r.pose(bend={"forearm": (90, (0, 0, 0))}), "no direction"),
        (lambda r: r.pose(joints={"forearm": {"rotation": [0, 0, 0, 0]}}), "zero length"),
        (lambda r: r.pose(morphs={"smile": 1}), "no morph is called"),
        (lambda r: r.pose(clip="walk"), "no clip is called"),
        (lambda r: r.clips[0].sample(float("inf")), "not a time"),
        (lambda r: supple.Pose.from_dict(r, {"joints": {"forearm": {"rotatoin": []}}}), "did you mean"),
    ],
)
def test_poses_that_make_no_sense_are_refused(arm, pose, says):
    with pytest.raises(supple.PoseError, match=says):
        pose(arm)


def test_matrices_that_make_no_pose_are_refused(arm):
    for matrices, says in [
        (np.zeros((3, 4, 4)), r"shape \(2, 4, 4\) is expected"),
        (np.full((2, 4, 4), np.nan), "matrix 0 is not finite"),
        (np.ones((2, 4, 4)), "last row"),
    ]:
        with pytest.raises(supple.RigError, match=says):
            supple.Pose.from_world(arm, matrices)
    flat = supple.Pose.rest(arm).world
    flat[0, :3, :3] = 0
    with pytest.raises(supple.PoseError, match="squeezed to nothing"):
        supple.Pose.from_world(arm, flat)


def test_the_pose_of_another_rig_is_refused(arm):
    hand = supple.examples.hand(700)
    with pytest.raises(supple.PoseError, match="and the rig has 2"):
        supple.deform(arm, "linear", supple.Pose.rest(hand))


def test_graphs_go_through_json_and_projects(arm, bent):
    graph = supple.Graph("implicit", operator="bulge", joints={"forearm": {"operator": "blend"}})
    assert graph.nodes[0]["settings"]["joints"]["forearm"]["operator"] is not None
    assert supple.Graph.from_json(graph.to_json()) == graph
    assert supple.Graph.from_json(graph.to_project("arm.glb")) == graph
    assert json.loads(graph.to_project("arm.glb"))["rig"] == "arm.glb"
    assert supple.Graph("implicit") != graph
    plain, blended = supple.deform(arm, "implicit", bent), supple.deform(arm, graph, bent)
    assert np.isfinite(blended).all() and np.abs(plain - blended).max() > 1e-4


def test_a_project_is_opened_with_its_edits(arm, tmp_path):
    supple.write(arm, tmp_path / "arm.glb")
    project = json.loads(supple.Graph("dual-quaternion").to_project("arm.glb"))
    elbow = (arm.skeleton.positions[1] + [0.1, 0, 0]).tolist()
    project["skeleton"] = {"moved": {"forearm": elbow}}
    project["weights"] = {"source": {"method": "flexible", "k": 1.0}}
    project["pose"] = {"joints": {"forearm": {"rotation": [0, 0, 0.6, 0.8]}}}
    (tmp_path / "arm.json").write_text(json.dumps(project))
    rig, graph, pose = supple.open_project(tmp_path / "arm.json")
    assert graph == supple.Graph("dual-quaternion") and np.allclose(rig.skeleton.positions[1], elbow)
    by_hand = supple.read(tmp_path / "arm.glb").move_joints({"forearm": elbow}).bind_weights("flexible", k=1.0)
    assert np.array_equal(by_hand.weights.dense(), rig.weights.dense())
    assert np.isfinite(supple.deform(rig, graph, pose)).all()
    (tmp_path / "bad.json").write_text(json.dumps(project | {"skeleton": {"moved": {"elbow": elbow}}}))
    with pytest.raises(supple.BindError, match='moves joint "elbow"'):
        supple.open_project(tmp_path / "bad.json", rig=tmp_path / "arm.glb")
    with pytest.raises(supple.ReadError, match="none.json: cannot read it"):
        supple.open_project(tmp_path / "none.json")


def test_a_project_reaches_no_further_than_its_folder_unless_it_is_allowed(arm, tmp_path):
    supple.write(arm, tmp_path / "arm.glb")
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "arm.json").write_text(supple.Graph("linear").to_project("../arm.glb"))
    with pytest.raises(supple.ReadError, match="outside the folder of the file; allow_outside=True lets it"):
        supple.open_project(tmp_path / "work" / "arm.json")
    rig, _, _ = supple.open_project(tmp_path / "work" / "arm.json", allow_outside=True)
    assert len(rig.positions) == len(arm.positions)


def test_results_are_mixed_by_an_amount_for_each_vertex(arm, bent):
    amount = (np.arange(700) % 2).astype(np.float32)
    node = lambda name, method, inputs, **settings: dict(name=name, method=method, inputs=inputs, settings=settings)
    graph = supple.Graph.from_dict(
        dict(
            version=1,
            output="mix",
            nodes=[
                node("a", "linear", ["rest"]),
                node("b", "dual-quaternion", ["rest"]),
                node("mix", "mix", ["a", "b"], amount=amount),
            ],
        )
    )
    mixed = supple.deform(arm, graph, bent)
    a, b = (supple.deform(arm, m, bent) for m in ("linear", "dual-quaternion"))
    assert np.allclose(mixed[::2], a[::2], atol=1e-6) and np.allclose(mixed[1::2], b[1::2], atol=1e-6)


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: supple.Graph("liner"), "did you mean .*linear"),
        (lambda: supple.Graph("mix"), "only inside a graph"),
        (lambda: supple.Graph("linear", k=3), 'linear has no setting "k"'),
        (lambda: supple.Graph("delta-mush", iterations=-1), "cannot be -1"),
        (lambda: supple.Graph("delta-mush", iterations=object()), "cannot be of type object"),
        (lambda: supple.Graph("delta-mush", iterations=float("nan")), "not a finite number"),
        (lambda: supple.Graph.from_json("{"), "not a graph"),
        (lambda: supple.Graph.from_json('{"format": "cake", "version": 1}'), "supple-project"),
    ],
)
def test_graphs_that_make_no_sense_are_refused(make, says):
    with pytest.raises(supple.GraphError, match=says):
        make()


def test_a_list_that_holds_itself_ends(arm):
    loop = []
    loop.append(loop)
    with pytest.raises(supple.GraphError, match="too deeply"):
        supple.Graph("delta-mush", iterations=loop)


def test_what_does_not_suit_a_rig_is_refused(arm):
    bare = supple.Rig(arm.positions, arm.triangles, skeleton=arm.skeleton)
    with pytest.raises(supple.BindError, match="has none"):
        supple.Graph("linear").bind(bare)
    with pytest.raises(supple.BindError, match='no joint "elbow"'):
        supple.Graph("implicit", joints={"elbow": {}}).bind(arm)
    with pytest.raises(supple.BindError, match="no device is called"):
        supple.Graph("linear").bind(arm, device="abacus")
    with pytest.raises(supple.GraphError, match="go into the graph itself"):
        supple.deform(arm, supple.Graph("linear"), None, sigma=1)


def test_a_device_gives_the_same_points_or_says_why_not(arm, bent):
    bound = supple.Graph("linear").bind(arm, device="gpu")
    assert bound.device != "cpu" or bound.notes
    assert np.abs(bound.deform(bent) - supple.deform(arm, "linear", bent)).max() < 1e-5


def test_pythons_lock_is_let_go():
    """A second thread counts while the first binds; with the lock held it could not."""
    hand = supple.examples.hand(6000)
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.0005)

    thread = threading.Thread(target=count)
    thread.start()
    time.sleep(0.02)
    before = counted[0]
    start = time.perf_counter()
    supple.Graph("implicit").bind(hand)
    seconds, during = time.perf_counter() - start, counted[0] - before
    done.set()
    thread.join()
    assert during > 3, f"{during} steps in {seconds:.3f} s"


def test_one_bound_graph_serves_many_threads(arm):
    bound = supple.Graph("dual-quaternion").bind(arm)
    poses = [arm.pose(bend={"forearm": 10.0 * i}) for i in range(8)]
    alone = [bound.deform(p) for p in poses]
    found = [None] * 8

    def work(i):
        for _ in range(20):
            found[i] = bound.deform(poses[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert all(np.array_equal(a, b) for a, b in zip(alone, found))


def test_limbs_go_where_the_body_has_it():
    figure = supple.examples.figure(vertices=1500)
    elbow = figure.skeleton.names.index("forearm_l")
    place = lambda pose: pose.world[elbow, :3, 3]
    rest = place(supple.Pose.rest(figure))
    raised = figure.pose(swing={"upper_arm_l": {"raise": 45}})
    assert place(raised)[1] > rest[1] + 0.1
    assert np.array_equal(raised.world, supple.Pose.rest(figure).swing("upper_arm_l", "raise", 45).world)
    both = place(figure.pose(swing={"upper_arm_l": {"raise": 45, "forward": 30}}))
    assert both[2] > rest[2] + 0.1
    axes = figure.anatomy()["joints"]["forearm_l"]
    assert (axes["part"], axes["towards"], axes["certainty"]) == ("elbow", "front", "certain")
    assert figure.anatomy()["body"]["front"] == [0, 0, 1]
    with pytest.warns(UserWarning, match="the elbow of a body bends by -15 to 160"):
        figure.pose(bend={"forearm_l": 170})
    with pytest.warns(UserWarning, match="moved by 350 degrees"):
        figure.pose(swing={"upper_arm_l": {"raise": 350}})
    with pytest.warns(UserWarning, match="moved against its hinge"):
        supple.Pose.rest(figure).swing("forearm_l", "raise", 20)
    with pytest.raises(supple.PoseError, match="-360 to 360"):
        figure.pose(bend={"forearm_l": 3600})
    with pytest.raises(supple.PoseError, match='no direction is called "rise"; did you mean "raise"'):
        figure.pose(swing={"upper_arm_l": {"rise": 45}})
    with pytest.raises(supple.PoseError, match="degrees by direction are expected"):
        figure.pose(swing={"upper_arm_l": 45})


def test_a_bake_is_stopped_in_the_frames_before_its_first(arm, bent, tmp_path):
    poses, began = [bent] * 100_000, time.monotonic()
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    with pytest.raises(KeyboardInterrupt):
        supple.bake(arm, poses, "implicit", tmp_path / "out.pc2", frames=(99_999, 100_000), tracking="robust")
    assert time.monotonic() - began < 5 and not list(tmp_path.iterdir())
