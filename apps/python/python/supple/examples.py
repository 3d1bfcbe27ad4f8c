"""Characters made by code, at any resolution: the same options give the same rig, bit for bit."""

from ._supple import arm, figure, hand, statue

__all__ = ["arm", "figure", "hand", "statue"]
