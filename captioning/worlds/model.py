"""The world model: which things stand where. Coordinates are in the unit square, x to the right, y downward."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entity:
    """One coloured shape.

    Parameters
    ----------
    shape, color : str
        Names out of `vocabulary`.
    shade : float
        From -1 (black) over 0 (the plain colour) to 1 (white).
    x, y : float
        Centre of the unrotated bounding rectangle.
    half_width, half_height : float
        Half extents along the shape's own axes.
    rotation : float
        Fraction of a full turn in [0, 1), clockwise on the screen.
    """

    shape: str
    color: str
    shade: float
    x: float
    y: float
    half_width: float
    half_height: float
    rotation: float


@dataclass(frozen=True, slots=True)
class World:
    """Entities in drawing order: a later one is in front. `size` is the side of the image in pixels."""

    entities: tuple[Entity, ...]
    size: int = 64
    background: str = "black"
