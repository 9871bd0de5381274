"""The captioners that pages offer: those that need no training, and those in `ACCORDANCE_CAPTIONERS`."""

from dataclasses import dataclass, replace
from pathlib import Path

from django.conf import settings

from captioning.api import Captioner, CaptionerInfo, ImageInput
from captioning.runtime import CaptionerRegistry, load_captioners
from captioning.runtime.trained import CARD, list_trained, open_trained
from studies.datasets.captioners.errors import CannotCaption

TRANSFORMERS = "transformers"


@dataclass(frozen=True, slots=True)
class CaptionerChoice:
    """A captioner that can be used without further files.

    Attributes:
        value: The id of a captioner, or the name of a folder after a slash.
        label: What people read.
        captioner: The id.
        folder: The folder in `ACCORDANCE_CAPTIONERS`, if it has one.
        info: The declaration of the captioner, with the columns that a trained one reads.
    """

    value: str
    label: str
    captioner: str
    folder: Path | None
    info: CaptionerInfo


def load_offered() -> CaptionerRegistry:
    """Return the bundled captioners: code of other packages does not run for pages."""
    return load_captioners(outside=False)


def list_choices() -> tuple[CaptionerChoice, ...]:
    """Return the captioners that pages offer: trained ones by folder, models of transformers, then all others."""
    registry, root = load_offered(), Path(settings.ACCORDANCE_CAPTIONERS)
    found = []
    for name, card in list_trained(root).items():
        if card.captioner in registry.captioners:
            inputs = frozenset(map(ImageInput, card.inputs))
            info = replace(registry.get(card.captioner).info, inputs=inputs)
            found.append(CaptionerChoice(f"/{name}", f"{info.title}: {name}", info.id, root / name, info))
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        if (folder / "config.json").is_file() and not (folder / CARD).exists() and TRANSFORMERS in registry.captioners:
            label = f"Model of transformers: {folder.name}"
            info = registry.get(TRANSFORMERS).info
            found.append(CaptionerChoice(f"/{folder.name}", label, TRANSFORMERS, folder, info))
    others = [each.info for each in registry if not each.needs_training and each.info.id != TRANSFORMERS]
    return (*found, *(CaptionerChoice(info.id, info.title, info.id, None, info) for info in others))


def find_choice(value: str) -> CaptionerChoice:
    """Return the choice with this value.

    Raises:
        CannotCaption: There is none, or no longer.
    """
    for choice in list_choices():
        if choice.value == value:
            return choice
    raise CannotCaption(f"captioner {value!r} is not available here")


def open_choice(choice: CaptionerChoice) -> Captioner:
    """Return the captioner of a choice.

    Raises:
        CaptionerError: Its folder is damaged or of another version.
    """
    registry = load_offered()
    if choice.folder is not None and (choice.folder / CARD).is_file():
        return open_trained(registry, choice.folder)
    return registry.build(choice.captioner, folder=choice.folder)
