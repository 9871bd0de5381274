"""Downloads the public keys with which the signatures of Prolific are checked."""

from pathlib import Path
from typing import Final
from urllib.error import URLError
from urllib.request import urlopen

from annotation_ui.channels.signing import read_keys
from execution.whole_files import write_whole
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
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())
    except OSError as error:
        raise NoKeys(f"{path} cannot be written: {error.strerror or error}; the existing keys are kept") from error
    return len(keys)
