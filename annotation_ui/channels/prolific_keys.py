"""Downloads the public keys with which the signatures of Prolific are checked."""

import tempfile
from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from annotation_ui.channels.signing import read_keys
from studies.shared.errors import Refusal

ADDRESS: Final = "https://api.prolific.com/.well-known/study/jwks.json"
_SECONDS: Final = 30
_LARGEST: Final = 1_000_000


class NoKeys(Refusal):
    """No keys could be fetched; the message says why."""


def fetch_keys(path: Path, *, url: str = "") -> int:
    """Fetch the keys and store them in a file; return their number.

    Args:
        path: The file, which is replaced only by valid keys.
        url: Their address; that of Prolific if empty.

    Raises:
        NoKeys: The address does not answer, or not with keys, or the file cannot be written.
    """
    url = url or ADDRESS
    try:
        with urlopen(url, timeout=_SECONDS) as answer:  # noqa: S310 - https, by the operator
            text = answer.read(_LARGEST).decode()
        keys = read_keys(text)
    except (URLError, OSError, ValueError) as refusal:
        raise NoKeys(f"{url}: {refusal}; the existing keys are kept") from refusal
    try:
        _replace(path, text)
    except OSError as error:
        raise NoKeys(f"{path} cannot be written: {error.strerror or error}; the existing keys are kept") from error
    return len(keys)


def _replace(path: Path, text: str) -> None:
    """Replace the file atomically, so that other processes read either the old or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # In a folder of its own, because two people may fetch the keys at the same time.
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".keys-") as folder:
        unfinished = Path(folder) / path.name
        unfinished.write_text(text, encoding="utf-8")
        unfinished.replace(path)
