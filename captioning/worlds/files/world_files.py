"""Read and write worlds in the original's format, `world_model.json`."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from captioning.worlds.errors import BadWorldFile
from captioning.worlds.geometry import compute_bounding_box
from captioning.worlds.model import Entity, World
from captioning.worlds.vocabulary import BACKGROUNDS, COLORS, SHAPES
from execution.whole_files import write_whole

_BOX_TOLERANCE = 1e-6


def read_worlds(path: Path) -> tuple[World, ...]:
    """Read a list of worlds.

    The original writes half extents in `shape.size`; a file with full extents is recognised by its bounding boxes and
    converted. Raises `BadWorldFile` naming the world, the entity, the field, the rule and the offending value.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise BadWorldFile(f"{path}: cannot be read as JSON: {error}") from error
    if not isinstance(content, list):
        raise BadWorldFile(f"{path}: must be a list of worlds, got {type(content).__name__}")
    return tuple(parse_world(record, source=f"{path}: world {index}") for index, record in enumerate(content))


def write_worlds(path: Path, worlds: Iterable[World]) -> None:
    """Write worlds as the original does: a list with sorted keys and floats in full precision."""
    records = [serialise_world(world) for world in worlds]
    write_whole(path, json.dumps(records, sort_keys=True, indent=2).encode())


def parse_world(record: Any, *, source: str) -> World:
    """Return the world of a JSON record; `source` is the beginning of error messages."""
    try:
        background = str(record["color"]["name"])
        size = int(record["size"])
        records = list(record["entities"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadWorldFile(f"{source}: needs color.name, size and entities: {error!r}") from error
    if background not in BACKGROUNDS:
        raise BadWorldFile(f"{source}: color.name must be one of {', '.join(BACKGROUNDS)}, got {background!r}")
    if size < 2:
        raise BadWorldFile(f"{source}: size must be at least 2 pixels, got {size}")
    read = [_parse_entity(each, source=f"{source}, entity {place}") for place, each in enumerate(records)]
    by_id = sorted(range(len(read)), key=lambda place: read[place][0])
    if [read[place][0] for place in by_id] != list(range(len(read))):
        raise BadWorldFile(f"{source}: the ids must be 0 to {len(read) - 1}, got {[number for number, _ in read]}")
    return World(entities=tuple(read[place][1] for place in by_id), size=size, background=background)


def serialise_world(world: World) -> dict[str, Any]:
    """Return the JSON record of a world, with half extents and the bounding boxes of the original."""
    return {
        "color": _serialise_color(world.background, BACKGROUNDS[world.background], 0.0),
        "size": world.size,
        "meta": {},
        "entities": [_serialise_entity(entity, number) for number, entity in enumerate(world.entities)],
    }


def _serialise_entity(entity: Entity, number: int) -> dict[str, Any]:
    left, top, right, bottom = compute_bounding_box(entity)
    return {
        "id": number,
        "rotation": entity.rotation,
        "center": {"x": entity.x, "y": entity.y},
        "texture": {"name": "solid"},
        "color": _serialise_color(entity.color, COLORS[entity.color], entity.shade),
        "shape": {"name": entity.shape, "size": {"x": entity.half_width, "y": entity.half_height}},
        "bounding_box": {"topleft": {"x": left, "y": top}, "bottomright": {"x": right, "y": bottom}},
    }


def _serialise_color(name: str, rgb: tuple[float, float, float], shade: float) -> dict[str, Any]:
    return {"name": name, "rgb": list(rgb), "shade": shade}


def _parse_entity(record: Any, *, source: str) -> tuple[int, Entity]:
    try:
        number = int(record["id"])
        entity = Entity(
            shape=str(record["shape"]["name"]),
            color=str(record["color"]["name"]),
            shade=float(record["color"]["shade"]),
            x=float(record["center"]["x"]),
            y=float(record["center"]["y"]),
            half_width=float(record["shape"]["size"]["x"]),
            half_height=float(record["shape"]["size"]["y"]),
            rotation=float(record["rotation"]),
        )
        box = record.get("bounding_box")
        corners = box and [float(box[end][axis]) for end in ("topleft", "bottomright") for axis in ("x", "y")]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise BadWorldFile(f"{source}: a field is missing or no number: {error!r}") from error
    if entity.shape not in SHAPES:
        raise BadWorldFile(f"{source}: shape.name must be one of {', '.join(SHAPES)}, got {entity.shape!r}")
    if entity.color not in COLORS:
        raise BadWorldFile(f"{source}: color.name must be one of {', '.join(COLORS)}, got {entity.color!r}")
    if min(entity.half_width, entity.half_height) <= 0.0:
        raise BadWorldFile(f"{source}: shape.size must be above 0, got {entity.half_width}, {entity.half_height}")
    return number, _check_extents(entity, corners, source=source) if corners else entity


def _check_extents(entity: Entity, corners: list[float], *, source: str) -> Entity:
    """Return the entity in half extents; the bounding boxes show which convention a file uses."""
    for scale in (1.0, 0.5):
        scaled = Entity(
            shape=entity.shape,
            color=entity.color,
            shade=entity.shade,
            x=entity.x,
            y=entity.y,
            half_width=entity.half_width * scale,
            half_height=entity.half_height * scale,
            rotation=entity.rotation,
        )
        expected = compute_bounding_box(scaled)
        if all(abs(mine - theirs) <= _BOX_TOLERANCE for mine, theirs in zip(expected, corners, strict=True)):
            return scaled
    raise BadWorldFile(
        f"{source}: bounding_box must follow from shape.size as half (or full) extents, rotation and center: "
        f"{[round(each, 4) for each in compute_bounding_box(entity)]}, got {[round(each, 4) for each in corners]}"
    )
