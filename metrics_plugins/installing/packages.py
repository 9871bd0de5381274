"""Finds, downloads and installs packages by pip, which knows the indexes, proxies and caches of its user.

pip is asked first what it would install. Each of these files must have a digest that was tested. They are downloaded
into a folder, some at a time, so that what has arrived is not downloaded again after an interruption, and then
installed from that folder without a network.
"""

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from metrics_plugins.api.errors import MetricError
from metrics_plugins.installing.digests import Digests, find_digests

_AT_ONCE: Final = 6
_RESUMING: Final = (25, 1)
"""The first version of pip that goes on with a file that has arrived in part."""

Say = Callable[[str], None]


class InstallError(MetricError):
    """Packages could not be found, downloaded, verified or installed; the message says which, and what is kept."""


@dataclass(frozen=True, slots=True)
class PackageFile:
    """A file that pip would install.

    Attributes:
        name, version: Those of the package.
        sha256: The digest that its index gives.
        file_name: The name of the file.
        licence: The licence as pip tells it; empty if it does not, as older versions for newer metadata.
    """

    name: str
    version: str
    sha256: str
    file_name: str
    licence: str

    @property
    def pinned(self) -> str:
        """A line of a file of requirements, with the digest."""
        return f"{self.name}=={self.version} --hash=sha256:{self.sha256}"


def find_files(requirements: Sequence[str], *, tested: Digests) -> tuple[PackageFile, ...]:
    """Return the files that are missing for these requirements at the tested versions; nothing is installed.

    Raises:
        InstallError: pip is not there, or finds no such files.
    """
    with TemporaryDirectory() as folder:
        versions, report = Path(folder, "versions.txt"), Path(folder, "report.json")
        versions.write_text("".join(f"{name}=={version}\n" for name, version in tested))
        options = ("--quiet", "--dry-run", "--only-binary", ":all:")
        _run_pip("install", *options, "--report", report, "-c", versions, *requirements, doing="finding packages")
        return tuple(_read_file(each) for each in json.loads(report.read_text())["install"])


def check_digests(files: Sequence[PackageFile], *, tested: Digests) -> None:
    """Raise `InstallError` unless each file is one of those that were tested."""
    for file in files:
        if file.sha256 not in find_digests(file.name, file.version, tested=tested):
            raise InstallError(
                f"{file.file_name} has the digest {file.sha256 or 'none'}, which is not among those of {file.name} "
                f"{file.version} that were tested: nothing was installed"
            )


def download_files(files: Sequence[PackageFile], *, folder: Path, say: Say) -> None:
    """Download what is not in the folder yet; pip verifies the digests, and so does this for what is there.

    Raises:
        InstallError: A file did not arrive; those that did are kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    missing = [file for file in files if not _is_there(file, folder)]
    if len(missing) < len(files):
        say(f"{len(files) - len(missing)} of {len(files)} files are there from an earlier call")
    options: list[str | Path] = ["--no-deps", "--only-binary", ":all:", "--dest", folder]
    if _find_pip_version() >= _RESUMING:
        options += ["--resume-retries", "5"]
    for start in range(0, len(missing), _AT_ONCE):
        some = missing[start : start + _AT_ONCE]
        names = ", ".join(file.name for file in some)
        say(f"downloading {start + 1} to {start + len(some)} of {len(missing)}: {names}")
        _run_pinned("download", some, options, doing="downloading; what has arrived is kept for the next call")


def install_files(files: Sequence[PackageFile], *, folder: Path) -> None:
    """Install downloaded files; pip verifies their digests again.

    Raises:
        InstallError: pip refused.
    """
    options: list[str | Path] = ["--no-deps", "--no-index", "--find-links", folder]
    _run_pinned("install", files, options, doing="installing")


def _run_pinned(command: str, files: Sequence[PackageFile], options: Sequence[str | Path], *, doing: str) -> None:
    with TemporaryDirectory() as place:
        pinned = Path(place, "pinned.txt")
        pinned.write_text("".join(f"{file.pinned}\n" for file in files))
        _run_pip(command, "--quiet", "--require-hashes", *options, "-r", pinned, doing=doing)


def _run_pip(*arguments: str | Path, doing: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", *map(str, arguments)]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if ended.returncode:
        lines = [line for line in (ended.stderr or ended.stdout).splitlines() if line.startswith("ERROR")]
        told = "; ".join(line.removeprefix("ERROR: ") for line in lines) or ended.stderr.strip()[-300:]
        raise InstallError(f"pip failed while {doing}: {told}")


def _find_pip_version() -> tuple[int, ...]:
    from importlib.metadata import version

    return tuple(int(part) for part in version("pip").split(".")[:2] if part.isdigit())


def _read_file(told: dict[str, Any]) -> PackageFile:
    metadata, source = told["metadata"], told["download_info"]
    hashes = source.get("archive_info", {}).get("hashes", {})
    return PackageFile(
        name=metadata["name"],
        version=metadata["version"],
        sha256=hashes.get("sha256", ""),
        file_name=unquote(Path(urlsplit(source["url"]).path).name),
        licence=_find_licence(metadata),
    )


def _find_licence(metadata: dict[str, Any]) -> str:
    given = metadata.get("license_expression") or metadata.get("license") or ""
    classified = [each.rpartition(" :: ")[2] for each in metadata.get("classifier", ()) if each.startswith("License")]
    # Some packages have the whole text in this field.
    short = given.splitlines()[0] if given.strip() and len(given.splitlines()[0]) <= 80 else ""
    return ", ".join(classified) if short in ("", "UNKNOWN") else short


def _is_there(file: PackageFile, folder: Path) -> bool:
    path = folder / file.file_name
    if not path.is_file():
        return False
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest() == file.sha256
