"""Small folders of worlds, drawn by hand, with captions whose truth can be seen."""

from pathlib import Path

from captioning.worlds.files.world_files import write_worlds
from captioning.worlds.model import Entity, World

RED_SQUARE = Entity("square", "red", 0.0, 0.25, 0.5, 0.1, 0.1, 0.0)
BLUE_CIRCLE = Entity("circle", "blue", 0.0, 0.75, 0.5, 0.1, 0.1, 0.0)
WORLDS = (World((RED_SQUARE,)), World((BLUE_CIRCLE,)), World((RED_SQUARE, BLUE_CIRCLE)))

REFERENCES = (
    ("there is a red square .", "a square is red ."),
    ("there is a circle .", "a shape is blue ."),
    ("there is a blue circle .", "a square is red ."),
)
"""True captions of each world."""

GOOD = (("a square is red .",), ("a circle is blue .",), ("a square is to the left of a circle .",))
BAD = (("a square is blue .",), ("a circle is red .",), ("a square square is .",))


def format_groups(captions: tuple[tuple[str, ...], ...]) -> str:
    """Return captions as caption.txt has them."""
    return "".join("".join(f"{text}\n" for text in texts) + "\n" for texts in captions)


def write_folder(folder: Path, *, captions: tuple[tuple[str, ...], ...] = REFERENCES) -> Path:
    """Write the worlds with captions, and the captions of two systems, `good.txt` and `bad.txt`."""
    folder.mkdir(parents=True, exist_ok=True)
    write_worlds(folder / "world_model.json", WORLDS)
    (folder / "caption.txt").write_text(format_groups(captions))
    (folder / "good.txt").write_text(format_groups(GOOD))
    (folder / "bad.txt").write_text(format_groups(BAD))
    return folder
