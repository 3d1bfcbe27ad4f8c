from . import Rig

__all__ = ["arm", "figure", "hand", "statue"]

def arm(vertices: int | None = None, *, plain: bool = False, band: float | None = None) -> Rig:
    """An arm of two bones with an elbow. plain: a smooth tube. band: width of the skin two bones share, in radii."""

def hand(vertices: int | None = None, *, bones: int | None = None) -> Rig:
    """A hand that can make a fist."""

def figure(vertices: int | None = None, *, bones: int | None = None) -> Rig:
    """A standing person."""

def statue(points: int | None = None) -> Rig:
    """A point set of a statue, with its sphere-mesh."""
