"""The digests of the files of packages that were tested, from `digests.txt`, which `make lock` writes."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, TypeAlias

Digests: TypeAlias = Mapping[tuple[str, str], frozenset[str]]
"""The SHA-256 digests of the files of each package, by its normalised name and its version."""

DIGESTS: Final = Path(__file__).with_suffix(".txt")
_PINNED: Final = re.compile(r"(?P<name>[A-Za-z0-9._-]+)==(?P<version>[^\s;\\]+)")
_DIGEST: Final = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def read_digests(path: Path = DIGESTS) -> Digests:
    """Return the SHA-256 digests of the files of each package, by its normalised name and its version."""
    found: dict[tuple[str, str], set[str]] = {}
    current: set[str] = set()
    for line in path.read_text().splitlines():
        if pinned := _PINNED.match(line):
            current = found.setdefault((normalise(pinned["name"]), pinned["version"]), set())
        current.update(_DIGEST.findall(line))
    return {package: frozenset(digests) for package, digests in found.items()}


def find_digests(name: str, version: str, *, tested: Digests) -> frozenset[str]:
    """Return the known digests of a package; empty if this version was not tested.

    A local version, such as `2.13.0+cpu`, is a build of the version before the `+`.
    """
    return tested.get((normalise(name), version.partition("+")[0]), frozenset())


def normalise(name: str) -> str:
    """Return the name of a package as package indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
