"""Switches on a folder of weights for all processes of this Python environment, without a restart."""

import hashlib
import json
from pathlib import Path

from metrics_plugins.api.errors import MetricError
from metrics_plugins.api.resources import CHOSEN_PATHS, read_chosen_paths
from metrics_plugins.encoders.images.clip import FILES, is_clip_folder
from metrics_plugins.encoders.weights import CLIP_VARIABLE, WEIGHTS, check_safetensors, require_files


class FolderRefused(MetricError):
    """A folder has no weights of a CLIP, or others than those expected."""


def check_clip_folder(folder: Path, *, sha256: str = "") -> str:
    """Return the SHA-256 of the weights in a folder with a CLIP.

    Args:
        folder: A folder in the format of transformers.
        sha256: What the digest must be; "" for any.

    Raises:
        FolderRefused: It is no such folder, or the digest is another.
        MissingResource: A file is missing.
        MetricError: A file is damaged.
    """
    if not is_clip_folder(folder):
        raise FolderRefused(f"{folder} must be a folder with the config.json of a CLIP (model_type 'clip')")
    require_files(folder, FILES, wanted_for="CLIP-S")
    with (folder / WEIGHTS).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if sha256 and digest != sha256.lower():
        raise FolderRefused(f"{folder / WEIGHTS} must have the SHA-256 {sha256}, got {digest}")
    return digest


def choose_clip_folder(folder: Path) -> None:
    """Let `clip-score` and `ref-clip-score` use a folder, in this and all other processes of the environment.

    Raises:
        FolderRefused: The choice cannot be stored.
        MetricError: The weights are damaged.
    """
    check_safetensors(folder / WEIGHTS)
    chosen = {**read_chosen_paths(), CLIP_VARIABLE: str(folder.resolve())}
    partial = CHOSEN_PATHS.with_suffix(".partial")
    try:
        partial.write_text(json.dumps(chosen, indent=2) + "\n")
        partial.replace(CHOSEN_PATHS)
    except OSError as error:
        raise FolderRefused(f"{CHOSEN_PATHS} cannot be written: {error.strerror or error}") from error
