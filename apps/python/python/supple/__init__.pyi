from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import examples as examples

__version__: str
__all__: list[str]

_Path = str | PathLike[str]
_Device = Literal["cpu", "gpu", "auto"]
_Direction = Literal["raise", "lower", "forward", "back", "out", "in"]

class Error(ValueError):
    """Whatever Supple refuses; the base of all its exceptions."""

class ReadError(Error):
    """A file cannot be used; says what is wrong with it, and where."""

class WriteError(Error):
    """A file cannot be written."""

class RigError(Error):
    """Arrays do not make a rig, a skeleton or weights."""

class PoseError(Error):
    """A pose or a clip does not fit the rig."""

class GraphError(Error):
    """No such method or setting, or a graph that makes no sense."""

class BindError(Error):
    """A method, weights or a standard skeleton do not suit the rig."""

class MeasureError(Error):
    """There is nothing to measure, or the points are of another rig."""

class RenderError(Error):
    """A picture cannot be drawn."""

class Skeleton:
    """Joints, parents before children."""

    def __init__(
        self,
        names: Sequence[str],
        parents: Sequence[int | None],
        rest: ArrayLike,
        *,
        frames: Sequence[str] = ...,
    ) -> None: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def parents(self) -> NDArray[np.int32]: ...
    @property
    def rest(self) -> NDArray[np.float64]: ...
    @property
    def positions(self) -> NDArray[np.float64]: ...
    @property
    def frames(self) -> list[str]: ...
    def index(self, name: str) -> int: ...
    def __len__(self) -> int: ...
    def __contains__(self, name: str) -> bool: ...

class Weights:
    """Who owns a vertex: sparse rows of joints and weights, each summing to one, heaviest first."""

    @staticmethod
    def from_dense(array: ArrayLike) -> Weights: ...
    @staticmethod
    def from_csr(starts: ArrayLike, joints: ArrayLike, values: ArrayLike) -> Weights: ...
    @staticmethod
    def from_rows(joints: ArrayLike, values: ArrayLike) -> Weights: ...
    @property
    def starts(self) -> NDArray[np.uint32]: ...
    @property
    def joints(self) -> NDArray[np.uint16]: ...
    @property
    def values(self) -> NDArray[np.float32]: ...
    @property
    def most_influences(self) -> int: ...
    def dense(self, joints: int | None = None) -> NDArray[np.float32]: ...
    def __len__(self) -> int: ...

class Rig:
    """A character at rest. It does not change; what changes it gives a new one."""

    def __init__(
        self,
        positions: ArrayLike,
        triangles: ArrayLike | None = None,
        *,
        skeleton: Skeleton | None = None,
        weights: Weights | ArrayLike | None = None,
        name: str = "rig",
    ) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def positions(self) -> NDArray[np.float32]: ...
    @property
    def triangles(self) -> NDArray[np.uint32]: ...
    @property
    def skeleton(self) -> Skeleton: ...
    @property
    def weights(self) -> Weights | None: ...
    @property
    def clips(self) -> list[Clip]: ...
    @property
    def morphs(self) -> list[str]: ...
    def anatomy(self) -> dict[str, Any]: ...
    def clip(self, name: str | int) -> Clip: ...
    def pose(
        self,
        *,
        bend: Mapping[str, float | tuple[float, Sequence[float]]] | None = None,
        swing: Mapping[str, Mapping[_Direction, float]] | None = None,
        twist: Mapping[str, float] | None = None,
        joints: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
        morphs: Mapping[str, float] | None = None,
        clip: Clip | str | int | None = None,
        time: float = 0.0,
    ) -> Pose: ...
    def with_weights(self, weights: Weights | ArrayLike) -> Rig: ...
    def with_skeleton(self, skeleton: Skeleton) -> Rig: ...
    def move_joints(self, places: Mapping[str, Sequence[float]]) -> Rig: ...
    def bind_weights(
        self,
        method: Literal["heat", "flexible", "nearest"] = "heat",
        *,
        influences: int | None = None,
        k: float | None = None,
        joints: Mapping[str, float] | None = None,
        distance: Literal["geodesic", "euclidean", "harmonic"] | None = None,
        ramp: Literal["cubic", "linear"] | None = None,
        exclude: Sequence[str] = ...,
    ) -> Rig: ...
    def fit_template(
        self,
        template: Literal["human", "quadruped", "hand"],
        *,
        up: str | None = None,
        facing: str | None = None,
        grid: int = 128,
    ) -> tuple[Rig, dict[str, Any]]: ...

class Clip:
    """An animation of a rig, sampled at any time."""

    @property
    def name(self) -> str: ...
    @property
    def duration(self) -> float: ...
    def sample(self, time: float) -> Pose: ...
    def frames(self, fps: float) -> int: ...

class Pose:
    """Where the joints of a rig are. It does not change: bend, swing and twist give a new one."""

    @staticmethod
    def rest(rig: Rig) -> Pose: ...
    @staticmethod
    def shown(rig: Rig) -> Pose: ...
    @staticmethod
    def from_dict(rig: Rig, pose: dict[str, Any]) -> Pose: ...
    @staticmethod
    def from_local(rig: Rig, matrices: ArrayLike) -> Pose: ...
    @staticmethod
    def from_world(rig: Rig, matrices: ArrayLike) -> Pose: ...
    def bend(self, joint: str, degrees: float, axis: Sequence[float] | None = None) -> Pose: ...
    def swing(self, joint: str, direction: _Direction, degrees: float) -> Pose: ...
    def twist(self, joint: str, degrees: float) -> Pose: ...
    def morph(self, name: str, weight: float) -> Pose: ...
    @property
    def local(self) -> NDArray[np.float64]: ...
    @property
    def world(self) -> NDArray[np.float64]: ...

class Graph:
    """How a rig is moved: one method with its settings, or several wired together."""

    def __init__(self, method: str = "linear", **settings: Any) -> None: ...
    @staticmethod
    def from_json(text: str) -> Graph: ...
    @staticmethod
    def from_dict(graph: dict[str, Any]) -> Graph: ...
    def to_json(self) -> str: ...
    def to_project(self, rig: str | None = None) -> str: ...
    @property
    def nodes(self) -> list[dict[str, Any]]: ...
    def bind(self, rig: Rig, device: _Device = "cpu") -> Bound: ...
    def __eq__(self, other: object) -> bool: ...

class Bound:
    """A graph ready to move one rig. Calls from several threads wait for each other."""

    def deform(
        self,
        pose: Pose,
        out: NDArray[np.float32] | None = None,
        *,
        rest: ArrayLike | None = None,
        time: float | None = None,
    ) -> NDArray[np.float32]: ...
    def reset(self) -> None: ...
    @property
    def device(self) -> str: ...
    @property
    def remembers(self) -> bool: ...
    @property
    def notes(self) -> list[str]: ...

class Method:
    """A method of the registry."""

    @property
    def name(self) -> str: ...
    @property
    def summary(self) -> str: ...
    @property
    def paper(self) -> str: ...
    @property
    def settings(self) -> list[Setting]: ...
    @property
    def stands_alone(self) -> bool: ...
    @property
    def on_gpu(self) -> bool: ...

class Setting:
    """A setting of a method, or a field of one that is an object."""

    @property
    def name(self) -> str: ...
    @property
    def type(self) -> str: ...
    @property
    def default(self) -> Any: ...
    @property
    def least(self) -> float | None: ...
    @property
    def most(self) -> float | None: ...
    @property
    def unit(self) -> str: ...
    @property
    def help(self) -> str: ...
    @property
    def choices(self) -> list[str]: ...
    @property
    def about(self) -> str: ...
    @property
    def cost(self) -> str: ...
    @property
    def fields(self) -> list[Setting]: ...

def read(source: _Path | bytes, format: str | None = None) -> Rig:
    """Reads a rig from a path or from bytes. What was mended is in rig.warnings."""

def open_project(path: _Path, rig: _Path | None = None, *, allow_outside: bool = False) -> tuple[Rig, Graph, Pose]:
    """Opens a project: its rig with joints and weights as edited, its graph, and the pose that it shows."""

def write(rig: Rig, path: _Path, points: ArrayLike | None = None) -> None:
    """Writes a rig, or its moved points."""

def deform(
    rig: Rig, method: str | Graph, pose: Pose | None = None, *, device: _Device = "cpu", **settings: Any
) -> NDArray[np.float32]:
    """The points of a rig moved to a pose. For many poses, Graph.bind once is faster."""

def bake(
    rig: Rig,
    clip: Clip | str | Iterable[Pose],
    method: str | Graph,
    path: _Path,
    *,
    fps: float = 30.0,
    frames: tuple[int, int] | None = None,
    device: _Device = "cpu",
    progress: Callable[[int, int], object] | None = None,
    **settings: Any,
) -> int:
    """Moves a rig through a clip or poses and writes .glb, .usda or .pc2. Returns the number of frames."""

def measure(
    rig: Rig, method: str | Graph, pose: Pose | None = None, *, grid: int | None = None, **settings: Any
) -> dict[str, Any]:
    """How good the moved skin is: the figures of `supple measure --json`."""

def render(
    rig: Rig,
    points: ArrayLike | None = None,
    path: _Path | None = None,
    *,
    size: tuple[int, int] = (800, 600),
    view: Literal["front", "back", "left", "right", "top", "bottom", "three-quarter"] = "three-quarter",
    show: Literal["shaded", "weights", "normals", "depth", "ids"] = "shaded",
    bones: Pose | None = None,
    wire: bool = False,
    plain: bool = False,
    section: Sequence[float] | None = None,
    label: str | None = None,
    background: Literal["light", "dark"] = "light",
    orthographic: bool = False,
    samples: int = 3,
) -> NDArray[np.uint8]:
    """A picture of a rig, and a PNG where a path is given."""

def methods() -> list[Method]:
    """Every method there is, from the registry that all fronts of Supple share."""
