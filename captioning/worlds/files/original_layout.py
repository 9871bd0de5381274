"""Write instances in the file layout of the original's stand-alone generator."""

import json
from collections.abc import Sequence
from pathlib import Path

from captioning.worlds.errors import NotRealisable
from captioning.worlds.files.caption_files import format_agreement, format_captions
from captioning.worlds.files.polish_notation import format_reverse_polish
from captioning.worlds.files.semantic_trees import Tree, serialise_proposition
from captioning.worlds.files.world_files import write_worlds
from captioning.worlds.instances import Instance
from captioning.worlds.rendering import encode_png, render_world
from captioning.worlds.truth.profiles import Profile
from execution.whole_files import write_whole


def write_original_layout(folder: Path, instances: Sequence[Instance], *, profile: Profile) -> bool:
    """Write world_model.json, caption.txt, agreement.txt, alternatives.txt and `world-N.png` for each world N.

    The semantic trees, caption_model.json and caption_rpn.txt, are written if the original can express all captions;
    return whether it can.
    """
    from PIL import Image

    folder.mkdir(parents=True, exist_ok=True)
    captions = [[caption.text for caption in instance.captions] for instance in instances]
    values = [[1 if caption.is_true else -1 for caption in instance.captions] for instance in instances]
    write_worlds(folder / "world_model.json", [instance.world for instance in instances])
    write_whole(folder / "caption.txt", format_captions(captions).encode())
    write_whole(folder / "agreement.txt", format_agreement(values).encode())
    if any(len(row) > 1 for row in captions):
        write_whole(folder / "alternatives.txt", "".join(f"{len(row)}\n" for row in captions).encode())
    trees = _list_trees(instances)
    if trees is not None:
        write_whole(folder / "caption_model.json", json.dumps(trees, sort_keys=True, indent=2).encode())
        notation = [[format_reverse_polish(tree, profile=profile) for tree in row] for row in trees]
        write_whole(folder / "caption_rpn.txt", format_captions(notation).encode())
    for number, instance in enumerate(instances):
        picture = encode_png(Image.fromarray(render_world(instance.world)))
        # There are thousands, of which one is drawn in less time than it takes to flush one to disk.
        write_whole(folder / f"world-{number}.png", picture, is_flushed=False)
    return trees is not None


def _list_trees(instances: Sequence[Instance]) -> list[list[Tree]] | None:
    """Return the tree of each caption, or None if the original lacks one of them, such as relative clauses."""
    try:
        return [[serialise_proposition(each.proposition) for each in instance.captions] for instance in instances]
    except NotRealisable:
        return None
