"""Supple moves the skin of characters: a rig and a pose come in, moved points go out.

>>> import supple
>>> rig = supple.examples.arm()
>>> points = supple.deform(rig, "implicit", rig.pose(bend={"forearm": 120}))

Arrays are NumPy's. Everything slow runs with Python's lock let go. What Supple refuses is a supple.Error, a ValueError.
"""

import numpy as _numpy  # noqa: F401  Wanted by the compiled half at its first array: better to miss it here.

from . import examples
from ._supple import (
    BindError,
    Bound,
    Clip,
    Error,
    Graph,
    GraphError,
    MeasureError,
    Method,
    Pose,
    PoseError,
    ReadError,
    RenderError,
    Rig,
    RigError,
    Setting,
    Skeleton,
    Weights,
    WriteError,
    bake,
    deform,
    measure,
    methods,
    open_project,
    read,
    render,
    write,
)
from ._supple import __VERSION__ as __version__

__all__ = [
    "BindError",
    "Bound",
    "Clip",
    "Error",
    "Graph",
    "GraphError",
    "MeasureError",
    "Method",
    "Pose",
    "PoseError",
    "ReadError",
    "RenderError",
    "Rig",
    "RigError",
    "Setting",
    "Skeleton",
    "Weights",
    "WriteError",
    "bake",
    "deform",
    "examples",
    "measure",
    "methods",
    "open_project",
    "read",
    "render",
    "write",
]
