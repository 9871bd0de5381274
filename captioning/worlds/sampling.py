"""Sampling of worlds: the number of entities, their attributes and positions, and the rejection of collisions."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from captioning.worlds.errors import SamplingFailed
from captioning.worlds.geometry import Box, compute_area, compute_bounding_box, compute_distances, compute_reach
from captioning.worlds.model import Entity, World
from captioning.worlds.overlap import (
    Cover,
    are_apart,
    cover_entity,
    do_boxes_meet,
    do_collide,
    list_grid_points,
    measure_share_inside,
    measure_shared_area,
)
from captioning.worlds.vocabulary import COLORS, SHAPES

_COLOR_NAMES = tuple(COLORS)
_TRIES_PER_ENTITY = 10
_WORLD_TRIES = 1000
_SHADE_RANGE = 0.4
_SHADE_GAP = 0.5
_WIDTH_SQUARED = (0.01, 0.0625)
_RATIO = (2.0, 3.0)
_NEAR_RATE = 0.33
_NEAR_FACTOR = (0.75, 1.75)
_WITHHELD_COUNT_RATE = 0.5
_HALF_HEIGHTS = {"triangle": math.sqrt(3.0) / 2.0, "pentagon": math.cos(math.radians(18.0)), "semicircle": 0.5}


@dataclass(frozen=True, slots=True)
class WorldSpec:
    """The distribution of worlds.

    Parameters
    ----------
    fewest, most : int
        The range of the number of entities, inclusive.
    attributes : str
        "random" (shape and colour are independent and uniform), "reinforced" (each accepted entity makes its shape and
        colour more likely) or "mixed" (one of these for each world, with equal odds).
    most_repeats : int
        The largest number of copies by which an accepted entity increases the odds; the number is uniform from 1.
    tolerance : float
        The largest overlap of two entities, and the largest share of an entity outside the square. With 0, entities are
        at least a pixel apart and entirely inside.
    size : int
        The width and height of the image in pixels.
    """

    fewest: int
    most: int
    attributes: str = "random"
    most_repeats: int = 1
    tolerance: float = 0.25
    size: int = 64


@dataclass(frozen=True, slots=True)
class Withheld:
    """The pairs of colour and shape and the numbers of entities that do not occur in training worlds."""

    pairs: frozenset[tuple[str, str]] = frozenset()
    counts: frozenset[int] = frozenset()


@dataclass
class _Draft:
    """The entities accepted so far, with the data for checking the next one."""

    spec: WorldSpec
    entities: list[Entity] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    # The covers of entities that are near the edge or others, and the areas, measured in pixels, of those that overlap.
    covers: dict[int, Cover] = field(default_factory=dict)
    areas: dict[int, float] = field(default_factory=dict)
    # The sum of the overlaps of each entity, as shares of its own area.
    covered: list[float] = field(default_factory=list)
    meeting: list[tuple[int, int]] = field(default_factory=list)


def sample_world(
    spec: WorldSpec, *, rng: np.random.Generator, withheld: Withheld | None = None, split: str = "none"
) -> World:
    """Draw a world.

    In the splits "train" and "validation" nothing withheld occurs; in "test" the number of entities is a withheld one
    with probability 1/2, the first entity has a withheld pair, and later ones do at a rate drawn for each world. Raises
    `SamplingFailed` after 1,000 attempts.
    """
    for _ in range(_WORLD_TRIES):
        count = _draw_count(spec, withheld, split=split, rng=rng)
        entities = _draw_entities(spec, count, withheld, split=split, rng=rng)
        if entities is not None:
            return World(entities=entities, size=spec.size)
    raise SamplingFailed(f"no world of {spec.fewest} to {spec.most} entities was found in {_WORLD_TRIES} tries: {spec}")


def draw_one(choices: Sequence[str], rng: np.random.Generator) -> str:
    """Draw one of several names."""
    return choices[int(rng.random() * len(choices))]


def draw_between(low: float, high: float, rng: np.random.Generator) -> float:
    """Draw from the uniform distribution on an interval."""
    return low + (high - low) * rng.random()


def _draw_count(spec: WorldSpec, withheld: Withheld | None, *, split: str, rng: np.random.Generator) -> int:
    every = range(spec.fewest, spec.most + 1)
    kept = [count for count in every if withheld is None or count not in withheld.counts]
    rare = [count for count in every if withheld is not None and count in withheld.counts]
    choices = list(every) if split == "none" else kept or list(every)
    if split == "test" and rare and rng.random() < _WITHHELD_COUNT_RATE:
        choices = rare
    return choices[int(rng.random() * len(choices))]


def _draw_entities(
    spec: WorldSpec, count: int, withheld: Withheld | None, *, split: str, rng: np.random.Generator
) -> tuple[Entity, ...] | None:
    reinforced = spec.attributes == "reinforced" or (spec.attributes == "mixed" and rng.random() < 0.5)
    shapes, colors = list(SHAPES), list(_COLOR_NAMES)
    near_rate = _NEAR_RATE * rng.random()
    rare_rate = rng.random()
    pairs = sorted(withheld.pairs) if withheld is not None and split != "none" else []
    draft = _Draft(spec)
    for _ in range(_TRIES_PER_ENTITY * count):
        if split == "test" and pairs and (not draft.entities or rng.random() < rare_rate):
            color, shape = pairs[int(rng.random() * len(pairs))]
        else:
            shape, color = draw_one(shapes, rng), draw_one(colors, rng)
            if split != "test" and (color, shape) in pairs:
                continue
        x, y = _draw_center(draft, near_rate, rng)
        if not _accept(draft, _draw_entity(shape, color, x, y, rng)):
            continue
        if len(draft.entities) == count:
            return _order(draft)
        if reinforced:
            shapes += [shape] * (1 + int(rng.random() * spec.most_repeats))
            colors += [color] * (1 + int(rng.random() * spec.most_repeats))
    return None


def _draw_center(draft: _Draft, near_rate: float, rng: np.random.Generator) -> tuple[float, float]:
    if draft.entities and rng.random() < near_rate:
        beside = draft.entities[int(rng.random() * len(draft.entities))]
        angle = 2.0 * math.pi * rng.random()
        factor = draw_between(*_NEAR_FACTOR, rng)
        return (
            beside.x + math.cos(angle) * beside.half_width * factor,
            beside.y + math.sin(angle) * beside.half_height * factor,
        )
    return rng.random(), rng.random()


def _draw_entity(shape: str, color: str, x: float, y: float, rng: np.random.Generator) -> Entity:
    low, high = _WIDTH_SQUARED
    ratio = 1.0
    if shape in ("rectangle", "ellipse"):
        ratio = draw_between(*_RATIO, rng)
        shortest = math.sqrt(low) + (math.sqrt(high) - math.sqrt(low)) * (ratio - 2.0) / 2.0
        low = shortest * shortest
    half_width = math.sqrt(draw_between(low, high, rng)) / 2.0
    return Entity(
        shape=shape,
        color=color,
        shade=draw_between(-_SHADE_RANGE, _SHADE_RANGE, rng),
        x=x,
        y=y,
        half_width=half_width,
        half_height=half_width * _HALF_HEIGHTS.get(shape, 1.0) / ratio,
        rotation=rng.random(),
    )


def _accept(draft: _Draft, entity: Entity) -> bool:
    """Add an entity to the draft and return True, unless it collides with others or is not inside the square."""
    if not (0.0 <= entity.x <= 1.0 and 0.0 <= entity.y <= 1.0):
        return False
    box = compute_bounding_box(entity)
    place = len(draft.entities)
    # Those of a candidate that was rejected.
    draft.covers.pop(place, None)
    draft.areas.pop(place, None)
    draft.entities.append(entity)
    draft.boxes.append(box)
    overlaps = _list_overlaps(draft) if _is_inside(draft) else None
    if overlaps is None:
        draft.entities.pop()
        draft.boxes.pop()
        return False
    for other, share, _ in overlaps:
        draft.covered[other] += share
        draft.meeting.append((other, place))
    draft.covered.append(sum(own for _, _, own in overlaps))
    return True


def _get_cover(draft: _Draft, place: int) -> Cover:
    """Return the cover of an entity, which is computed when it is first needed."""
    if place not in draft.covers:
        draft.covers[place] = cover_entity(draft.entities[place], draft.boxes[place], size=draft.spec.size)
    return draft.covers[place]


def _get_area(draft: _Draft, place: int) -> float:
    if place not in draft.areas:
        draft.areas[place] = _get_cover(draft, place).area
    return draft.areas[place]


def _list_overlaps(draft: _Draft) -> list[tuple[int, float, float]] | None:
    """Return the entities that the last one overlaps, with the shares of their area and of its own; None if too large.

    Circles around and inside the entities decide most cases without counting pixels.
    """
    tolerance, size = draft.spec.tolerance, draft.spec.size
    last = len(draft.entities) - 1
    entity, box = draft.entities[last], draft.boxes[last]
    if tolerance == 0.0:
        return None if any(_do_touch(entity, other, size) for other in draft.entities[:last]) else []
    near: list[int] = []
    for place in range(last):
        other = draft.entities[place]
        if not do_boxes_meet(box, draft.boxes[place]) or are_apart(entity, other, size=size):
            continue
        if _is_alike(entity, other) and do_collide(entity, other, size=size):
            return None
        near.append(place)
    overlaps: list[tuple[int, float, float]] = []
    covered = 0.0
    for place in near:
        shared = measure_shared_area(_get_cover(draft, last), _get_cover(draft, place))
        if shared == 0.0:
            continue
        if _is_alike(entity, draft.entities[place]):
            return None
        share, own = shared / _get_area(draft, place), shared / _get_area(draft, last)
        covered += own
        if min(share, own) > tolerance or covered > tolerance or draft.covered[place] + share > tolerance:
            return None
        overlaps.append((place, share, own))
    return overlaps


def _is_alike(entity: Entity, other: Entity) -> bool:
    """Return whether entities have the same colour in shades too similar for an overlap."""
    return other.color == entity.color and abs(other.shade - entity.shade) < _SHADE_GAP


def _is_inside(draft: _Draft) -> bool:
    """Return whether enough of the last entity lies in the square."""
    left, top, right, bottom = draft.boxes[-1]
    if left >= 0.0 and top >= 0.0 and right <= 1.0 and bottom <= 1.0:
        return True
    if draft.spec.tolerance == 0.0:
        return False
    return measure_share_inside(_get_cover(draft, len(draft.boxes) - 1)) >= 1.0 - draft.spec.tolerance


def _do_touch(entity: Entity, other: Entity, size: int) -> bool:
    """Return whether any point of the grid is within one pixel of both entities."""
    near, far = _find_surroundings(entity, size), _find_surroundings(other, size)
    if not do_boxes_meet(near, far):
        return False
    xs, ys = (
        list_grid_points(max(near[axis], far[axis]), min(near[axis + 2], far[axis + 2]), size=size) for axis in (0, 1)
    )
    close = compute_distances(entity, xs, ys) <= 1.0 / size
    return bool((close & (compute_distances(other, xs, ys) <= 1.0 / size)).any())


def _find_surroundings(entity: Entity, size: int) -> Box:
    """Return a box around an entity with a margin of two pixels, because the stored box may be too small."""
    across, down = compute_reach(entity)
    margin = 2.0 / size
    return (entity.x - across - margin, entity.y - down - margin, entity.x + across + margin, entity.y + down + margin)


def _order(draft: _Draft) -> tuple[Entity, ...]:
    """Return the entities in an order in which the larger one of two overlapping entities is drawn first."""
    areas = [compute_area(entity) for entity in draft.entities]
    behind: dict[int, set[int]] = {place: set() for place in range(len(areas))}
    for first, second in draft.meeting:
        larger, smaller = (first, second) if areas[first] >= areas[second] else (second, first)
        behind[smaller].add(larger)
    order: list[int] = []
    while behind:
        place = next(place for place, before in behind.items() if not before & behind.keys())
        order.append(place)
        del behind[place]
    return tuple(draft.entities[place] for place in order)
