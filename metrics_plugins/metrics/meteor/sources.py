"""The data of METEOR 1.5 shipped with pycocoevalcap: a table of paraphrases, and word lists in the jar."""

import gzip
import hashlib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.resources import Resource, install_extras

METEOR_DATA: Final = Resource("pycocoevalcap", modules=("pycocoevalcap",), extras=("meteor",))
_JAR = "meteor-1.5.jar"
_PARAPHRASES = "data/paraphrase-en.gz"
_LISTS = ("synonym/english.synsets", "synonym/english.exceptions", "function/english.words")
_PREFIXES = "nonbreaking/english.prefixes"
_GZIP_TRAILER = 8


@dataclass(frozen=True, slots=True)
class MeteorSources:
    """The files with the data.

    Attributes:
        folder: The folder with the jar.
    """

    folder: Path

    def read_digest(self) -> str:
        """Return a digest of the checksums stored in both archives, which are not unpacked for it."""
        digest = hashlib.sha256()
        with zipfile.ZipFile(self.folder / _JAR) as jar:
            for name in (*_LISTS, _PREFIXES):
                member = jar.getinfo(name)
                digest.update(f"{name} {member.CRC} {member.file_size}\n".encode())
        with (self.folder / _PARAPHRASES).open("rb") as file:
            size = file.seek(-_GZIP_TRAILER, 2)
            digest.update(str(size).encode() + file.read())
        return digest.hexdigest()[:16]

    def read_synsets(self) -> dict[str, list[int]]:
        """Return the synsets of each word of WordNet 3."""
        lines = self._read_lines(_LISTS[0])
        return {
            word: sorted({int(number) for number in numbers.split()})
            for word, numbers in zip(lines[::2], lines[1::2], strict=True)
        }

    def read_bases(self) -> dict[str, list[str]]:
        """Return the base forms of each irregular form."""
        bases: dict[str, list[str]] = {}
        lines = self._read_lines(_LISTS[1])
        for base, forms in zip(lines[::2], lines[1::2], strict=True):
            for form in forms.split():
                bases.setdefault(form, []).append(base)
        return bases

    def read_function_words(self) -> list[str]:
        """Return the function words, which have the weight 1 - delta."""
        return self._read_lines(_LISTS[2])

    def read_prefixes(self) -> list[str]:
        """Return the abbreviations that keep their full stop; a second word means only before a number."""
        return [line for line in self._read_lines(_PREFIXES) if line.strip() and not line.lstrip().startswith("#")]

    def iterate_paraphrases(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield every phrase with its paraphrase, in the order of the table."""
        with gzip.open(self.folder / _PARAPHRASES) as file:
            # Records of three lines: the probability, which the metric does not use, the phrase, the paraphrase.
            while next(file, None) is not None:
                yield next(file).rstrip(b"\n"), next(file).rstrip(b"\n")

    def _read_lines(self, name: str) -> list[str]:
        with zipfile.ZipFile(self.folder / _JAR) as jar:
            return jar.read(name).decode().splitlines()


def find_sources() -> MeteorSources:
    """Return the files of pycocoevalcap with the data; the package itself is not imported.

    Raises:
        MissingResource: It is not installed, or its files are missing.
    """
    spec = find_spec("pycocoevalcap")
    folders = [Path(place) / "meteor" for place in (spec.submodule_search_locations or ())] if spec else []
    for folder in folders:
        if (folder / _JAR).is_file() and (folder / _PARAPHRASES).is_file():
            return MeteorSources(folder)
    found = f"{folders[0]} has no {_JAR} and {_PARAPHRASES}" if folders else "pycocoevalcap is not installed"
    raise MissingResource(
        f"metric 'meteor' reads its synonyms and paraphrases from pycocoevalcap, but {found}: "
        f"{install_extras('meteor')}"
    )
