"""Systems whose captions are true, false by one edit, of another image or not grammatical, made without training."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from captioning.probes.minimal_pairs import OTHER_IMAGE, UNGRAMMATICAL, draw_worse, list_words
from captioning.worlds.captions.captioners import CaptionSpec
from captioning.worlds.errors import SamplingFailed
from captioning.worlds.files.caption_files import format_captions
from captioning.worlds.files.original_layout import write_original_layout
from captioning.worlds.grounding import GroundedWorld
from captioning.worlds.instances import Instance, make_instance
from captioning.worlds.specs import Spec
from captioning.worlds.truth.profiles import Profile
from execution.whole_files import write_whole

TRUE = "true"
SYSTEMS_FOLDER = "systems"
# The other worlds whose captions are tried, in order, as captions of another image.
_N_OTHERS = 5
_MOST_SKIPPED = 9


@dataclass(frozen=True, slots=True)
class SystemCaptions:
    """Worlds with references, and a caption for each world by each system.

    Parameters
    ----------
    instances : tuple of Instance
        Worlds; their captions are the references, none of which equals the caption of the system `TRUE`.
    captions : mapping of str to tuple of str
        The captions of each system, in the order of the worlds. The systems are `TRUE`, `false-KIND` for each kind of
        edit that the set allows, `other-image` and `ungrammatical`.
    """

    instances: tuple[Instance, ...]
    captions: Mapping[str, tuple[str, ...]]


def make_systems(spec: Spec, *, n_worlds: int, n_references: int = 10, split: str = "test") -> SystemCaptions:
    """Return the first worlds of a split in which every system has a caption; the same arguments give the same result.

    A false caption is an edit of the system `TRUE`'s caption, or, if that does not allow this kind of edit (a caption
    without a color has no other color), of a reference.

    Raises
    ------
    SamplingFailed
        Less than a tenth of the worlds allow all kinds of edits.
    """
    names = {f"false-{kind}": kind for kind in list_edit_kinds(spec.caption)} | {
        OTHER_IMAGE.replace(" ", "-"): OTHER_IMAGE,
        UNGRAMMATICAL: UNGRAMMATICAL,
    }
    drawn = [_draw(spec, split, index, n_references) for index in range(n_worlds + _N_OTHERS)]
    words = list_words(drawn)
    instances: list[Instance] = []
    captions: dict[str, list[str]] = {TRUE: [], **{name: [] for name in names}}
    for index in range((1 + _MOST_SKIPPED) * n_worlds):
        if index + _N_OTHERS >= len(drawn):
            drawn.append(_draw(spec, split, len(drawn), n_references))
        instance, others = drawn[index], drawn[index + 1 : index + 1 + _N_OTHERS]
        true = instance.captions[0].text
        references = tuple(caption for caption in instance.captions[1:] if caption.text != true)
        worse = _draw_each(spec, instance, others, kinds=tuple(names.values()), words=words)
        if not references or worse is None:
            continue
        instances.append(replace(instance, captions=references))
        for name, caption in zip(captions, (true, *worse), strict=True):
            captions[name].append(caption)
        if len(instances) == n_worlds:
            return SystemCaptions(tuple(instances), {name: tuple(each) for name, each in captions.items()})
    raise SamplingFailed(
        f"{spec.name}, {split}: only {len(instances)} of {(1 + _MOST_SKIPPED) * n_worlds} worlds have captions that "
        f"allow the edits {', '.join(names.values())}"
    )


def list_edit_kinds(spec: CaptionSpec) -> tuple[str, ...]:
    """Return the kinds of edits that captions of a specification allow, in the order of `EDIT_KINDS`."""
    specs = (spec, *spec.parts)
    found = {
        "relation": any(each.relations or each.kind == "selection" for each in specs),
        "number": any(each.quantifiers for each in specs),
        "logic": bool(spec.parts),
    }
    return ("color", "shape", *(kind for kind, is_possible in found.items() if is_possible))


def write_systems(folder: Path, made: SystemCaptions, *, profile: Profile) -> None:
    """Write worlds and references in the original's layout, and `systems/NAME.txt` with a line for each world."""
    write_original_layout(folder, made.instances, profile=profile)
    systems = folder / SYSTEMS_FOLDER
    systems.mkdir(exist_ok=True)
    for name, captions in made.captions.items():
        write_whole(systems / f"{name}.txt", format_captions([[each] for each in captions]).encode())


def _draw(spec: Spec, split: str, index: int, n_references: int) -> Instance:
    return make_instance(spec, split=split, index=index, n_captions=1 + n_references)


def _draw_each(
    spec: Spec, instance: Instance, others: Sequence[Instance], *, kinds: Sequence[str], words: Sequence[str]
) -> tuple[str, ...] | None:
    """Return a worse caption of each kind, or None if there is none of one kind."""
    world = GroundedWorld(instance.world, spec.profile)
    rng = np.random.default_rng([instance.index, len(spec.name)])
    found: list[str] = []
    for kind in kinds:
        elsewhere = [caption for other in others for caption in other.captions]
        worse = draw_worse(kind, spec, instance.captions, world, others=elsewhere, words=words, rng=rng)
        if worse is None:
            return None
        found.append(worse)
    return tuple(found)
