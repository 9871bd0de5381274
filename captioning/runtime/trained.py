"""Folders of trained captioners: training into a folder, and a card that names the captioner in it."""

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from captioning.api import BadCheckpoint, CaptionedImages, Captioner, CaptionerError, TrainableCaptioner
from captioning.runtime.registry import CaptionerContext, CaptionerRegistry
from metrics_plugins.api.progress import Track, pass_on
from metrics_plugins.encoders.weights import digest_files
from metrics_plugins.metrics.critics.artifacts import write_card

CARD: Final = "trained.json"
FORMAT: Final = "accordance-captioner-1"

# What a training leaves in its folder for people, or for its continuation.
_REPORTS: Final = ("*.html", "*.svg", "*.jsonl", "captions-*.json", "checkpoint*")


@dataclass(frozen=True, slots=True)
class TrainedCard:
    """What a folder of a trained captioner says about it.

    Attributes:
        captioner: The id of the captioner.
        version: The version of the captioner that was trained.
        n_images: The number of training images.
        n_captions: The number of training captions.
        data: The digest of the training data.
        validation: The digest of the validation data.
        seed: The seed of the training.
        settings: The settings that were given; all others had the defaults of the captioner.
        note: The remark of the training data, which is printed wherever a number of the captioner stands.
        inputs: The columns of images that it reads, which for some captioners are those of the training images.
    """

    captioner: str
    version: str
    n_images: int
    n_captions: int
    data: str
    validation: str
    seed: int
    settings: Mapping[str, str | int | float | bool] = field(default_factory=dict)
    note: str = ""
    inputs: tuple[str, ...] = ()


def train_captioner(
    registry: CaptionerRegistry,
    captioner_id: str,
    data: CaptionedImages,
    validation: CaptionedImages,
    *,
    folder: Path,
    seed: int,
    device: str = "cpu",
    settings: Mapping[str, str | int | float | bool] | None = None,
    track: Track = pass_on,
) -> Captioner:
    """Train a captioner in a folder, or continue an interrupted training, and write the card when it is complete.

    Of several processes of torchrun the first writes the card.

    Raises:
        UnknownCaptioner: The id is unknown.
        CaptionerError: The captioner is not trained, or refuses a setting.
        MissingInput: The images lack a column.
        BadCheckpoint: The folder contains the result of training on other data or with other settings.
    """
    registered = registry.get(captioner_id)
    captioner_class = registered.captioner_class
    if not issubclass(captioner_class, TrainableCaptioner):
        raise CaptionerError(f"captioner {captioner_id!r} is not trained: use it as it is")
    for part in (data, validation):
        part.images.require(registered.info.inputs, reader=f"captioner {captioner_id!r}")
    card = TrainedCard(
        captioner=captioner_id,
        version=registered.info.version,
        n_images=len(data),
        n_captions=sum(map(len, data.captions)),
        data=data.digest,
        validation=validation.digest,
        seed=seed,
        settings=dict(settings or {}),
        note=data.note,
    )
    changed = _list_changes(folder, card, captioner_class) if (folder / CARD).exists() else []
    if changed:
        raise BadCheckpoint(f"{folder} contains another training: it differs in {', '.join(changed)}")
    trained = captioner_class.train(
        data,
        validation,
        folder=folder,
        rng=np.random.default_rng(seed),
        context=CaptionerContext(device),
        settings=dict(settings or {}),
        track=track,
    )
    if is_first_process():
        folder.mkdir(parents=True, exist_ok=True)
        card = replace(card, inputs=tuple(sorted(trained.info.inputs)))
        write_card(folder / CARD, {"format": FORMAT, **asdict(card)})
    return trained


def is_first_process() -> bool:
    """Return whether this is the only process of a training, or the first one that torchrun started."""
    return os.environ.get("WORLD_SIZE", "1") == "1" or os.environ.get("RANK", "0") == "0"


def _list_changes(folder: Path, card: TrainedCard, captioner_class: type[TrainableCaptioner]) -> list[str]:
    """Return the names of the fields of a training in which that of a folder differs."""
    old, new = asdict(read_card(folder)), asdict(card)
    if old["version"] == new["version"]:
        for each in (old, new):
            each["settings"] = dict(captioner_class.complete_settings(each["settings"]))
    return [name for name in new if name != "inputs" and old[name] != new[name]]


def read_card(folder: Path) -> TrainedCard:
    """Return the card of a folder.

    Raises:
        BadCheckpoint: The folder has no card, which `train` writes at its end, or the card is damaged.
    """
    path = folder / CARD
    if not path.is_file():
        raise BadCheckpoint(
            f"{folder} is not the folder of a trained captioner: it has no {CARD}, which `python -m captioning train` "
            "writes when training is complete"
        )
    try:
        content: Any = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BadCheckpoint(f"{path}: must be JSON, got: {error}") from error
    if not isinstance(content, dict) or content.pop("format", None) != FORMAT:
        raise BadCheckpoint(f"{path}: must be an object of the format {FORMAT!r}")
    try:
        return TrainedCard(**(content | {"inputs": tuple(content.get("inputs", ()))}))
    except TypeError as error:
        raise BadCheckpoint(f"{path}: is damaged: {error}") from error


def open_trained(registry: CaptionerRegistry, folder: Path, *, device: str = "cpu") -> Captioner:
    """Return the captioner of a folder.

    Raises:
        BadCheckpoint: The folder is damaged, or was trained by another version of the captioner.
        UnknownCaptioner: The captioner is not installed.
    """
    card = read_card(folder)
    version = registry.get(card.captioner).info.version
    if card.version != version:
        raise BadCheckpoint(
            f"{folder}: captioner {card.captioner!r} was trained in version {card.version}, but version {version} is "
            "installed: train it again"
        )
    return registry.build(card.captioner, device=device, folder=folder)


def open_captioner(
    registry: CaptionerRegistry,
    captioner_id: str | None,
    *,
    folder: Path | None,
    device: str = "cpu",
    params: Mapping[str, object] | None = None,
) -> Captioner:
    """Return the captioner that a command names, by its id, by the folder of its training, or by both.

    Raises:
        CaptionerError: Neither is given, the folder has another captioner, or it cannot be built.
    """
    if folder is not None and (folder / CARD).is_file() and not params:
        captioner = open_trained(registry, folder, device=device)
        if captioner_id not in (None, captioner.info.id):
            raise CaptionerError(f"--folder {folder} has captioner {captioner.info.id!r}, not {captioner_id!r}")
        return captioner
    if captioner_id is None:
        raise CaptionerError("pass --captioner ID, or --folder with a trained captioner")
    return registry.build(captioner_id, device=device, folder=folder, **(params or {}))


def digest_folder(folder: Path) -> str:
    """Return 12 hexadecimal digits that depend on the names and the content of the files in a folder.

    Of a trained captioner, only its id and version and the files that it is read from count, so that a training that is
    repeated has the same digest: curves, pages and captions of validations do not.
    """
    files = sorted(path for path in folder.rglob("*") if path.is_file() and not path.name.startswith("."))
    settings: dict[str, object] = {}
    if (folder / CARD).is_file():
        card = read_card(folder)
        settings = {"captioner": card.captioner, "version": card.version}
        files = [path for path in files if path != folder / CARD and not any(map(path.match, _REPORTS))]
    names = [path.relative_to(folder).as_posix() for path in files]
    return digest_files(files, settings={**settings, "names": names})


def list_trained(root: Path) -> dict[str, TrainedCard]:
    """Return the cards of the trained captioners in the subfolders of a folder, by name; others are left out."""
    found: dict[str, TrainedCard] = {}
    for folder in sorted(root.iterdir()) if root.is_dir() else ():
        if (folder / CARD).is_file():
            try:
                found[folder.name] = read_card(folder)
            except BadCheckpoint:
                continue
    return found
