"""Worlds as bit sets of the entities with a colour, a shape, or a relation.

A set of entities is an integer whose bit e represents entity e: a Python int for one world, or an int64 array with an
element per world. Python's operators have the same meaning for both, so that each rule is written once.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from captioning.worlds.geometry import compute_area
from captioning.worlds.model import World
from captioning.worlds.overlap import compute_overlaps
from captioning.worlds.truth.profiles import SAMPLES, Profile
from captioning.worlds.vocabulary import COLORS, SHAPES

# An int, or an int64 array of shape (n_worlds,).
Mask = Any
Floats = NDArray[np.float64]
Booleans = NDArray[np.bool_]
Kept = TypeVar("Kept")

MOST_ENTITIES = 62
SIZE_MARGIN = 0.005
SHADE_MARGIN = 0.2
DISTANCE_MARGIN = 0.15
OVERLAP_MARGIN = 0.1
_COLOR_CODES = {name: code for code, name in enumerate(COLORS)}
_SHAPE_CODES = {name: code for code, name in enumerate(SHAPES)}


class Scenes:
    """One world or many, prepared for evaluation with a profile; derived data are computed once and cached.

    Parameters
    ----------
    worlds : sequence of World
        Worlds with at most 62 entities each.
    profile : Profile
        The rules of truth.
    single : bool
        Whether sets are Python ints, which requires exactly one world.
    """

    def __init__(self, worlds: Sequence[World], *, profile: Profile = SAMPLES, single: bool = False) -> None:
        most = max((len(world.entities) for world in worlds), default=0)
        if most > MOST_ENTITIES:
            raise ValueError(f"a world may have at most {MOST_ENTITIES} entities, got {most}")
        if single and len(worlds) != 1:
            raise ValueError(f"`single` needs one world, got {len(worlds)}")
        self.worlds = worlds
        self.profile = profile
        self.single = single
        self.n_entities = most
        self._kept: dict[Any, Any] = {}

    def keep(self, key: Any, compute: Callable[[], Kept]) -> Kept:
        """Return the cached value of a key, which `compute` returns the first time."""
        try:
            kept: Kept = self._kept[key]
        except KeyError:
            kept = self._kept[key] = compute()
        return kept

    @cached_property
    def everything(self) -> Mask:
        """The set of all entities."""
        if self.single:
            return (1 << self.n_entities) - 1
        return np.array([(1 << len(world.entities)) - 1 for world in self.worlds], dtype=np.int64)

    def find_colored(self, color: str) -> Mask:
        """Return the set of the entities of a colour."""
        return self.keep(("color", color), lambda: self._pack_equal(self._colors, _COLOR_CODES[color]))

    def find_shaped(self, shape: str) -> Mask:
        """Return the set of the entities of a shape."""
        return self.keep(("shape", shape), lambda: self._pack_equal(self._shapes, _SHAPE_CODES[shape]))

    def relate(self, relation: str, value: int) -> tuple[list[Mask], list[Mask]]:
        """Return, for each entity e, the set of r such that the relation of e to r agrees, and the set that disagrees.

        `relation` is x, y, z, size, shade, shape, color or unspecific.
        """
        return self.keep((relation, value), lambda: self._pack_pairs(*_RELATIONS[relation](self, value)))

    def find_alike(self, attribute: str) -> list[Mask]:
        """Return, for each entity, the set of those with the same "shape" or "color", including itself."""

        def compute() -> list[Mask]:
            codes = self._shapes if attribute == "shape" else self._colors
            return self._pack_rows(codes[:, :, None] == codes[:, None, :])

        return self.keep(("alike", attribute), compute)

    def find_beyond(self, order: str, value: int) -> list[Mask]:
        """Return, for each entity, those it is beyond on an axis by more than the margin and than on the other axis."""
        return self.keep(("beyond", order, value), lambda: self._pack_rows(_axis(self, order, value)[0]))

    def compare_distances(self, value: int) -> tuple[list[list[Mask]], list[list[Mask]]]:
        """Return [e][p]: the set of q farther from p than e is (nearer if value is 1), and the set of the opposite."""

        def compute() -> tuple[list[list[Mask]], list[list[Mask]]]:
            distance = self._distances
            # [world, e, p, q]: d(e, p) - d(q, p); distances are symmetric.
            gap = value * (distance[:, :, :, None] - distance[:, None, :, :])
            return self._pack_triples(gap > DISTANCE_MARGIN), self._pack_triples(-gap >= DISTANCE_MARGIN)

        return self.keep(("distances", value), compute)

    def compare_slipped(self, value: int) -> tuple[list[list[Mask]], list[list[Mask]]]:
        """Return [e][c]: the same sets of o for d(e, o) and d(c, o), which the original compares in profile S."""

        def compute() -> tuple[list[list[Mask]], list[list[Mask]]]:
            distance = self._distances
            gap = value * (distance[:, :, None, :] - distance[:, None, :, :])
            return self._pack_triples(gap > DISTANCE_MARGIN), self._pack_triples(-gap >= DISTANCE_MARGIN)

        return self.keep(("slipped", value), compute)

    def _gather(self, read: Callable[[Any], float], fill: float) -> Floats:
        values = np.full((len(self.worlds), self.n_entities), fill)
        for row, world in enumerate(self.worlds):
            values[row, : len(world.entities)] = [read(entity) for entity in world.entities]
        return values

    @cached_property
    def _colors(self) -> Floats:
        return self._gather(lambda entity: _COLOR_CODES[entity.color], -1.0)

    @cached_property
    def _shapes(self) -> Floats:
        return self._gather(lambda entity: _SHAPE_CODES[entity.shape], -1.0)

    @cached_property
    def _centers(self) -> tuple[Floats, Floats]:
        return self._gather(lambda entity: entity.x, 0.0), self._gather(lambda entity: entity.y, 0.0)

    @cached_property
    def _distances(self) -> Floats:
        xs, ys = self._centers
        across, down = xs[:, :, None] - xs[:, None, :], ys[:, :, None] - ys[:, None, :]
        result: Floats = np.sqrt(across * across + down * down)
        return result

    @cached_property
    def _overlaps(self) -> Floats:
        result = np.zeros((len(self.worlds), self.n_entities, self.n_entities))
        for row, world in enumerate(self.worlds):
            n = len(world.entities)
            result[row, :n, :n] = compute_overlaps(world)
        return result

    @cached_property
    def _bits(self) -> NDArray[np.int64]:
        return np.left_shift(np.int64(1), np.arange(self.n_entities, dtype=np.int64))

    def _pack_equal(self, codes: Floats, code: int) -> Mask:
        packed = (codes == code) @ self._bits
        return int(packed[0]) if self.single else packed

    def _pack_rows(self, pairs: Booleans) -> list[Mask]:
        packed = pairs @ self._bits
        return list(packed[0].tolist()) if self.single else list(packed.T)

    def _pack_pairs(self, agree: Booleans, disagree: Booleans) -> tuple[list[Mask], list[Mask]]:
        return self._pack_rows(agree), self._pack_rows(disagree)

    def _pack_triples(self, triples: Booleans) -> list[list[Mask]]:
        packed = triples @ self._bits
        if self.single:
            rows: list[list[Mask]] = packed[0].tolist()
            return rows
        return [list(row) for row in packed.transpose(1, 2, 0)]


def _subtract(values: Floats) -> Floats:
    return values[:, :, None] - values[:, None, :]


def _axis(scenes: Scenes, relation: str, value: int) -> tuple[Booleans, Booleans]:
    xs, ys = scenes._centers
    along, across = (xs, ys) if relation == "x" else (ys, xs)
    gap = value * _subtract(along)
    margin = scenes.profile.axis_margin
    return gap > np.maximum(margin, np.abs(_subtract(across))), -gap > margin


def _depth(scenes: Scenes, value: int) -> tuple[Booleans, Booleans]:
    overlap = scenes._overlaps
    numbers = np.arange(scenes.n_entities)
    in_order = (value * (numbers[:, None] - numbers[None, :]) > 0)[None]
    agree = (overlap > OVERLAP_MARGIN) & in_order
    return agree, ~((overlap > 0.0) & ((overlap <= OVERLAP_MARGIN) | in_order))


def _size(scenes: Scenes, value: int) -> tuple[Booleans, Booleans]:
    gap = value * _subtract(scenes._gather(compute_area, 0.0))
    return (scenes._shapes[:, :, None] == scenes._shapes[:, None, :]) & (gap > SIZE_MARGIN), -gap > SIZE_MARGIN


def _shade(scenes: Scenes, value: int) -> tuple[Booleans, Booleans]:
    gap = value * _subtract(scenes._gather(lambda entity: entity.shade, 0.0))
    return (scenes._colors[:, :, None] == scenes._colors[:, None, :]) & (gap > SHADE_MARGIN), -gap > SHADE_MARGIN


def _attribute(codes: Floats, value: int) -> tuple[Booleans, Booleans]:
    itself = np.eye(codes.shape[1], dtype=bool)[None]
    agree = ((codes[:, :, None] == codes[:, None, :]) == (value > 0)) & ~itself
    return agree, ~agree | itself


def _unspecific(scenes: Scenes) -> tuple[Booleans, Booleans]:
    itself = np.broadcast_to(np.eye(scenes.n_entities, dtype=bool), (len(scenes.worlds), *[scenes.n_entities] * 2))
    return ~itself, itself.copy()


_RELATIONS: dict[str, Callable[[Scenes, int], tuple[Booleans, Booleans]]] = {
    "x": lambda scenes, value: _axis(scenes, "x", value),
    "y": lambda scenes, value: _axis(scenes, "y", value),
    "z": _depth,
    "size": _size,
    "shade": _shade,
    "shape": lambda scenes, value: _attribute(scenes._shapes, value),
    "color": lambda scenes, value: _attribute(scenes._colors, value),
    "unspecific": lambda scenes, _: _unspecific(scenes),
}
