"""Tests that world model files are read and written unchanged, and that errors name the location."""

import json
from pathlib import Path

import pytest

from captioning.worlds.errors import BadWorldFile
from captioning.worlds.files.world_files import read_worlds, write_worlds
from tests.captioning.worlds.samples import SETS, read_sample


@pytest.mark.parametrize("name", SETS)
def test_written_again_a_file_is_the_same_up_to_rounding(name: str, data_folder: Path, tmp_path: Path) -> None:
    original = json.loads((data_folder / "shapeworld" / name / "world_model.json").read_text())
    worlds = read_sample(data_folder, name).worlds

    write_worlds(tmp_path / "world_model.json", worlds)
    written = json.loads((tmp_path / "world_model.json").read_text())

    for theirs, ours in zip(original, written, strict=True):
        for entity, mine in zip(theirs["entities"], ours["entities"], strict=True):
            box, my_box = entity.pop("bounding_box"), mine.pop("bounding_box")
            for corner in ("topleft", "bottomright"):
                assert my_box[corner] == pytest.approx(box[corner], abs=1e-15)
    assert written == original
    assert read_worlds(tmp_path / "world_model.json") == worlds


def _read_changed(data_folder: Path, tmp_path: Path, change) -> object:
    content = json.loads((data_folder / "shapeworld/existential-full/world_model.json").read_text())
    change(content)
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(content))
    return read_worlds(path)


def test_full_extents_are_recognised_by_their_bounding_boxes(data_folder: Path, tmp_path: Path) -> None:
    def double(content) -> None:
        for world in content:
            for entity in world["entities"]:
                entity["shape"]["size"] = {axis: 2 * length for axis, length in entity["shape"]["size"].items()}

    assert _read_changed(data_folder, tmp_path, double) == read_sample(data_folder, "existential-full").worlds


def _set(place: tuple, value):
    def change(content) -> None:
        target = content
        for key in place[:-1]:
            target = target[key]
        target[place[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_set((2, "entities", 1, "shape", "name"), "blob"), "world 2, entity 1: shape.name must be one of square"),
        (_set((2, "entities", 1, "color", "name"), "pink"), "world 2, entity 1: color.name must be one of red"),
        (_set((0, "entities", 0, "rotation"), "up"), "world 0, entity 0: a field is missing or no number"),
        (_set((0, "entities", 0, "id"), 5), r"world 0: the ids must be 0 to \d+, got"),
        (_set((0, "entities", 0, "shape", "size"), {"x": 0.5, "y": 0.1}), "bounding_box must follow from shape.size"),
        (_set((3, "size"), 0), "world 3: size must be at least 2 pixels, got 0"),
        (_set((3, "color"), {}), "world 3: needs color.name, size and entities"),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(change, message: str, data_folder: Path, tmp_path: Path) -> None:
    with pytest.raises(BadWorldFile, match=message):
        _read_changed(data_folder, tmp_path, change)


def test_a_file_that_is_no_list_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text("{}")

    with pytest.raises(BadWorldFile, match="must be a list of worlds, got dict"):
        read_worlds(tmp_path / "one.json")
    with pytest.raises(BadWorldFile, match="cannot be read as JSON"):
        read_worlds(tmp_path / "none.json")
