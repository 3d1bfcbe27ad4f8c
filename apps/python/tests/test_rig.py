import numpy as np
import pytest

import supple

SQUARE = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
TWO = supple.Skeleton(["a", "b"], [-1, 0], np.array([[0, 0, 0], [1, 0, 0.0]]))


def test_a_rig_is_made_from_arrays_and_gives_them_back():
    weights = np.array([[1, 0], [0.5, 0.5], [0, 1], [1, 3]], np.float32)
    rig = supple.Rig(SQUARE, [[0, 1, 2], [0, 2, 3]], skeleton=TWO, weights=weights)
    assert np.array_equal(rig.positions, SQUARE) and rig.positions.dtype == np.float32
    assert rig.triangles.tolist() == [[0, 1, 2], [0, 2, 3]] and rig.triangles.dtype == np.uint32
    assert np.allclose(rig.weights.dense(), [[1, 0], [0.5, 0.5], [0, 1], [0.25, 0.75]])
    assert rig.skeleton.names == ["a", "b"] and rig.skeleton.parents.tolist() == [-1, 0]
    assert rig.skeleton.index("B") == 1 and "b" in rig.skeleton and len(rig.skeleton) == 2
    assert np.array_equal(rig.skeleton.rest[1, :3, 3], [1, 0, 0])


def test_arrays_of_a_rig_are_shared_and_cannot_be_written_to(arm):
    assert np.shares_memory(arm.positions, arm.positions)
    with pytest.raises(ValueError, match="read-only"):
        arm.positions[0, 0] = 3


def test_weights_come_and_go_as_sparse_rows(arm):
    w = arm.weights
    again = supple.Weights.from_csr(w.starts, w.joints, w.values)
    assert np.array_equal(again.dense(), w.dense()) and len(again) == len(w) == 700
    rows = supple.Weights.from_rows([[1, 0], [0, 0]], [[0.75, 0.25], [1, 0]])
    assert rows.dense().tolist() == [[0.25, 0.75], [1, 0]] and rows.most_influences == 2
    assert rows.dense(joints=3).shape == (2, 3)


@pytest.mark.parametrize(
    "make, says",
    [
        (lambda: supple.Rig(SQUARE[:, :2]), r"positions: an array of shape \(rows, 3\) is expected, found \[4, 2\]"),
        (lambda: supple.Rig(SQUARE.ravel()), r"shape \(rows, 3\) is expected, found \[12\]"),
        (lambda: supple.Rig([["a", "b", "c"]]), "numbers are expected"),
        (lambda: supple.Rig(SQUARE * np.nan), "point 0 is .*not finite"),
        (lambda: supple.Rig(SQUARE, [[0, 1, 4]]), "triangle 0 names vertex 4, and there are 4"),
        (lambda: supple.Rig(SQUARE, [[0, 1, -1]]), "triangle 0 names vertex -1"),
        (lambda: supple.Rig(SQUARE, [[0, 1, 1.5]]), "whole numbers are expected, found float64"),
        (lambda: supple.Rig(SQUARE, skeleton=TWO, weights=np.ones((3, 2))), "weights for 3 vertices, and the rig has 4"),
        (lambda: supple.Rig(SQUARE, skeleton=TWO, weights=np.eye(4)), "name joint 3, and the skeleton has 2"),
        (lambda: supple.Rig(SQUARE, weights=np.ones((4, 1))), "name joint 0, and the skeleton has 0"),
        (lambda: supple.Weights.from_dense([[0.0, 0]]), "vertex 0 has no weight"),
        (lambda: supple.Weights.from_dense([[1, 0], [2, -1.0]]), "vertex 1 for joint 1 is -1, which is negative"),
        (lambda: supple.Weights.from_dense([[np.inf, 0]]), "not finite"),
        (lambda: supple.Weights.from_rows([[-1]], [[1]]), "names joint -1"),
        (lambda: supple.Weights.from_rows([[70000]], [[1]]), "names joint 70000"),
        (lambda: supple.Weights.from_rows([[0, 1]], [[1]]), "must be alike"),
        (lambda: supple.Weights.from_csr([0, 3], [0], [1]), "starts must ascend from 0"),
        (lambda: supple.Weights.from_csr([], [], []), "starts must ascend from 0"),
        (lambda: supple.Skeleton(["a"], [0, 0], np.zeros((1, 3))), "1 names and 2 parents"),
        (lambda: supple.Skeleton(["a"], [-1], np.zeros((2, 3))), "1 names and 2 places"),
        (lambda: supple.Skeleton(["a", "b"], [1, -1], np.zeros((2, 3))), "comes before its parent"),
        (lambda: supple.Skeleton(["a"], [5], np.zeros((1, 3))), "has parent 5, and there are 1 joints"),
        (lambda: supple.Skeleton(["a"], [-1], np.zeros((1, 4, 4))), "last row of matrix 0"),
        (lambda: supple.Skeleton(["a"], [-1], [np.diag([1, 1, 0, 1.0])]), "transform that is not finite"),
        (lambda: supple.Skeleton(["a"], [-1], [[0, 0, 0]], frames=["c"]), "no joint is called"),
        (lambda: supple.Skeleton(["a"], [-1], "here"), "numbers are expected"),
    ],
)
def test_what_makes_no_rig_is_refused_in_one_line(make, says):
    with pytest.raises(supple.RigError, match=says) as caught:
        make()
    assert "\n" not in str(caught.value)


def test_an_unknown_joint_is_a_key_error_with_a_hint(arm):
    with pytest.raises(KeyError, match="did you mean .*forearm"):
        arm.skeleton.index("foream")


def test_weights_are_made_anew_by_every_way(arm):
    for method in ("heat", "flexible", "nearest"):
        made = arm.bind_weights(method)
        assert np.allclose(made.weights.dense().sum(1), 1) and made.positions.shape == arm.positions.shape
    wood, rubber = arm.bind_weights("flexible", k=0.1), arm.bind_weights("flexible", k=2)
    shared = lambda rig: np.count_nonzero(rig.weights.dense().max(1) < 0.999)
    assert shared(wood) < shared(rubber)
    one = arm.bind_weights("flexible", k=0.1, joints={"forearm": 2})
    assert shared(one) > shared(wood)
    assert arm.bind_weights("heat", influences=1).weights.most_influences == 1


@pytest.mark.parametrize(
    "bind, says",
    [
        (lambda r: r.bind_weights("haet"), "did you mean .*heat"),
        (lambda r: r.bind_weights("heat", k=1), "flexible weights alone"),
        (lambda r: r.bind_weights("flexible", k=-1), "K is -1"),
        (lambda r: r.bind_weights("flexible", joints={"elbow": 1}), "no joint is called"),
        (lambda r: r.bind_weights(influences=0), "at least 1"),
        (lambda r: supple.Rig(SQUARE).bind_weights(), "bones|joints|skeleton"),
        (lambda r: r.fit_template("humen"), "did you mean .*human"),
        (lambda r: supple.Rig(SQUARE).fit_template("human"), "encloses nothing"),
    ],
)
def test_weights_that_cannot_be_made_are_refused(arm, bind, says):
    with pytest.raises(supple.BindError, match=says):
        bind(arm)


def test_joints_are_moved_before_binding(arm):
    at = arm.skeleton.positions[1] + [0.1, 0, 0]
    moved = arm.move_joints({"forearm": at})
    assert np.allclose(moved.skeleton.positions[1], at)
    assert np.allclose(moved.skeleton.positions[0], arm.skeleton.positions[0])
    for pose in (supple.Pose.rest(moved), moved.pose()):
        assert np.abs(supple.deform(moved, "linear", pose) - arm.positions).max() < 1e-6
    again = moved.bind_weights("heat")
    assert not np.array_equal(again.weights.dense(), arm.bind_weights("heat").weights.dense())
    with pytest.raises(supple.RigError, match="not finite"):
        arm.move_joints({"forearm": [np.nan, 0, 0]})


def test_a_standard_skeleton_is_placed_inside_a_body():
    figure = supple.examples.figure(3000)
    bare = supple.Rig(figure.positions, figure.triangles)
    rig, report = bare.fit_template("human")
    assert "forearm_l" in rig.skeleton and report["confidence"] > 0.7 and rig.weights is None
    assert np.linalg.norm(rig.skeleton.positions, axis=1).max() < 10
