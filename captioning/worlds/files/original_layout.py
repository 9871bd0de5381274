"""Write instances in the file layout of the original's stand-alone generator."""

from collections.abc import Sequence
from pathlib import Path

from captioning.worlds.files.caption_files import format_agreement, format_captions
from captioning.worlds.files.world_files import write_worlds
from captioning.worlds.instances import Instance
from captioning.worlds.rendering import render_world


def write_original_layout(folder: Path, instances: Sequence[Instance]) -> None:
    """Write world_model.json, caption.txt, agreement.txt, alternatives.txt and `world-N.png` for each world N."""
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    captions = [[caption.text for caption in instance.captions] for instance in instances]
    values = [[1 if caption.is_true else -1 for caption in instance.captions] for instance in instances]
    write_worlds(folder / "world_model.json", [instance.world for instance in instances])
    (folder / "caption.txt").write_text(format_captions(captions), encoding="utf-8")
    (folder / "agreement.txt").write_text(format_agreement(values), encoding="utf-8")
    if any(len(row) > 1 for row in captions):
        (folder / "alternatives.txt").write_text("".join(f"{len(row)}\n" for row in captions), encoding="utf-8")
    for number, instance in enumerate(instances):
        Image.fromarray(render_world(instance.world)).save(folder / f"world-{number}.png")
