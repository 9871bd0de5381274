"""The world model: entities in the unit square, with x to the right and y downward."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entity:
    """A coloured shape.

    Parameters
    ----------
    shape, color : str
        Names in `vocabulary`.
    shade : float
        From -1 (black) through 0 (the plain colour) to 1 (white).
    x, y : float
        The centre of the unrotated bounding rectangle.
    half_width, half_height : float
        The half extents along the shape's own axes.
    rotation : float
        The fraction of a full turn in [0, 1), clockwise on the screen.
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
    """Entities in drawing order, later ones in front; `size` is the width and height of the image in pixels."""

    entities: tuple[Entity, ...]
    size: int = 64
    background: str = "black"
