"""Arguments that commands of captioners share: images, the captioner, its device and its seed."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_type_hints

from captioning.api import Captioner
from captioning.data.splits import Splits
from captioning.readers import ImageSources
from captioning.runtime import CaptionerRegistry
from captioning.runtime.trained import open_captioner
from metrics_plugins.cli.arguments.counts import read_count, read_whole
from metrics_plugins.cli.arguments.parameters import parse_value
from metrics_plugins.cli.errors import UsageError

CACHE: Final = Path("captioning-data")


def add_images(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name images."""
    group = parser.add_argument_group("images", "matched by key: the name of a file without its ending")
    group.add_argument("--pictures", type=Path, metavar="FOLDER", help="image files (.png, .jpg, ...)")
    group.add_argument(
        "--size", type=read_count, default=0, metavar="PIXELS", help="read pixels, resized to this height and width"
    )
    group.add_argument(
        "--features",
        type=Path,
        metavar="PATH",
        help="vectors or regions: a folder of KEY.npy, or .npz (keys, features)",
    )
    group.add_argument("--objects", type=Path, metavar="FILE", help='names of objects: JSON {"KEY": ["person", ...]}')
    group.add_argument(
        "--worlds", metavar="SET", help="worlds of a set that `worlds list` prints, with their captions, instead"
    )
    group.add_argument(
        "--coco",
        action="store_true",
        help="COCO's captions instead, with sentence vectors of held-out captions as images (text-conditioned)",
    )
    group.add_argument(
        "--instances",
        type=read_count,
        default=1000,
        metavar="N",
        help="the number of images of --worlds and --coco (default: 1000)",
    )
    group.add_argument(
        "--cache",
        type=Path,
        default=CACHE,
        metavar="FOLDER",
        help=f"where --worlds and --coco keep what they made (default: {CACHE})",
    )


def add_captioner(parser: argparse.ArgumentParser) -> None:
    """Add the arguments that name a captioner to use."""
    parser.add_argument("--captioner", metavar="ID", help="as `list` prints it; a trained one is known by its folder")
    parser.add_argument("--folder", type=Path, metavar="FOLDER", help="a trained captioner, or the folder of a model")
    parser.add_argument(
        "--param", action="append", default=[], metavar="NAME=VALUE", help="set a parameter (may be repeated)"
    )
    add_computing(parser)


def add_computing(parser: argparse.ArgumentParser) -> None:
    """Add the device and the seed."""
    parser.add_argument("--device", default="cpu", help="cpu, cuda, cuda:1, ... (default: cpu)")
    parser.add_argument(
        "--seed", type=read_whole, default=0, metavar="S", help="equal seeds give equal results (default: 0)"
    )


def read_sources(options: argparse.Namespace) -> ImageSources:
    """Return the files of images that the arguments name."""
    return ImageSources(
        pictures=options.pictures, size=options.size, features=options.features, objects=options.objects
    )


def load_splits(options: argparse.Namespace, *, split: str) -> Splits | None:
    """Return the images of `--worlds` or `--coco`; None if neither is given.

    Args:
        options: The arguments.
        split: The part for which `--instances` counts; validation has a tenth of that of training.

    Raises:
        UsageError: They are given together, or with files of images.
    """
    if options.worlds is None and not options.coco:
        return None
    if (options.worlds is not None and options.coco) or read_sources(options) != ImageSources():
        raise UsageError("--worlds and --coco give images themselves: pass one of them, and no files of images")
    n = options.instances
    n_train, n_validation, n_test = (n, max(n // 10, 1), 1) if split == "train" else (1, 1, n)
    try:
        if options.coco:
            from captioning.data.coco import load_coco

            return load_coco(folder=options.cache / "coco", n_train=n_train, n_validation=n_validation, n_test=n_test)
        from captioning.data.worlds import load_worlds

        return load_worlds(
            options.worlds,
            folder=options.cache / "worlds",
            n_train=n_train,
            n_validation=n_validation,
            n_test=n_test,
        )
    except ValueError as error:
        raise UsageError(f"--instances: {error}") from error


def find_captioner(options: argparse.Namespace, registry: CaptionerRegistry) -> Captioner:
    """Return the captioner that the arguments name.

    Raises:
        UsageError: A parameter is invalid.
        CaptionerError: The captioner is unknown or cannot be built.
    """
    params = {}
    if options.param and options.captioner is not None:
        params = parse_params(options.param, registry=registry, captioner_id=options.captioner)
    return open_captioner(registry, options.captioner, folder=options.folder, device=options.device, params=params)


def parse_params(given: Sequence[str], *, registry: CaptionerRegistry, captioner_id: str) -> dict[str, object]:
    """Return parameters with the types that `build` of the captioner declares.

    Raises:
        UsageError: One is not `NAME=VALUE`, is set twice, or has the wrong type.
    """
    hints = get_type_hints(registry.get(captioner_id).captioner_class.build)
    values = _split(given, option="--param")
    return {
        name: parse_value(text, hint=hints.get(name, str), setting=f"{name}={text}") for name, text in values.items()
    }


def parse_settings(given: Sequence[str]) -> dict[str, str | int | float | bool]:
    """Return settings of training: numbers and `true` or `false` as such, all else as text.

    Raises:
        UsageError: One is not `NAME=VALUE`, or is set twice.
    """
    return {name: _read_value(text) for name, text in _split(given, option="--setting").items()}


def _split(given: Sequence[str], *, option: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for each in given:
        name, equals, text = each.partition("=")
        if not (equals and name):
            raise UsageError(f"{option} must be NAME=VALUE, got {each!r}")
        if name in values:
            raise UsageError(f"{option} sets {name!r} twice")
        values[name] = text
    return values


def _read_value(text: str) -> str | int | float | bool:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, str | int | float | bool) else text
