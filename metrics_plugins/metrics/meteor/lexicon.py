"""METEOR's synonyms, function words and paraphrases of English, memory-mapped from files that are created once."""

import os
import shutil
import tempfile
from dataclasses import dataclass, fields
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from metrics_plugins.metrics.meteor.sources import MeteorSources, find_sources

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]

_FORMAT = "1"
"""To be changed when the arrays change, so that files of an older version are not read."""

_SUFFIXES = (
    ("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man"),
    ("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", ""), ("er", ""),
    ("est", ""), ("er", "e"), ("est", "e"),
)  # fmt: skip
"""The endings of inflected forms and of their base forms, in the order in which they are tried."""


@dataclass(frozen=True)
class Lexicon:
    """Synonyms, function words and paraphrases.

    Phrases are paths in a tree: a node of depth d represents d words. Nodes are numbered by depth, and within a depth
    by their keys (the parent, counted within its depth, and the word).

    Attributes:
        word_letters: All words in UTF-8, one per line; the number of a word is its line.
        function_letters: Function words, one per line.
        prefix_letters: Abbreviations, one per line; a second word means that only a number may follow.
        synset_offsets: `(n_words + 1,)`; word w is in `synsets[synset_offsets[w]:synset_offsets[w + 1]]`.
        synsets: Numbers of synsets.
        base_offsets: `(n_words + 1,)`: the positions in `bases` of the base forms of each irregular form.
        bases: Numbers of words.
        node_keys: `(n_nodes,)`, sorted within each depth.
        level_offsets: `(n_levels + 1,)`: the first node of each depth, the first depth being 1.
        edge_offsets: `(n_nodes + 1,)`: the positions in `edge_targets` of the paraphrases of each node's phrase.
        edge_targets: `(n_edges,)`: the node of each paraphrase, in the order of the table.
    """

    word_letters: npt.NDArray[np.uint8]
    function_letters: npt.NDArray[np.uint8]
    prefix_letters: npt.NDArray[np.uint8]
    synset_offsets: Int32
    synsets: Int32
    base_offsets: Int32
    bases: Int32
    node_keys: Int64
    level_offsets: Int64
    edge_offsets: Int32
    edge_targets: Int32

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The number of each word."""
        return {word: number for number, word in enumerate(_split_lines(self.word_letters))}

    @cached_property
    def function_words(self) -> frozenset[str]:
        """The function words, which have the weight 1 - delta."""
        return frozenset(_split_lines(self.function_letters))

    @cached_property
    def prefixes(self) -> dict[str, bool]:
        """The abbreviations that keep their full stop, and whether each does so only before a number."""
        rows = [line.split() for line in _split_lines(self.prefix_letters)]
        return {row[0]: len(row) > 1 for row in rows}

    def find_synsets(self, word: str) -> set[int]:
        """Return the synsets of a word and of its base forms."""
        number = self.numbers.get(word)
        found = self._synsets_of(number)
        bases = [] if number is None else self.bases[self.base_offsets[number] : self.base_offsets[number + 1]].tolist()
        for base in bases or [self._find_regular_base(word)]:
            found.update(self._synsets_of(base))
        return found

    def _synsets_of(self, number: int | None) -> set[int]:
        if number is None:
            return set()
        return set(self.synsets[self.synset_offsets[number] : self.synset_offsets[number + 1]].tolist())

    def _find_regular_base(self, word: str) -> int | None:
        if word.endswith("ss") or len(word) <= 2:
            return None
        for ending, new in _SUFFIXES:
            if word.endswith(ending):
                number = self.numbers.get(word.removesuffix(ending) + new)
                if number is not None and self.synset_offsets[number] < self.synset_offsets[number + 1]:
                    return number
        return None


def load_lexicon() -> Lexicon:
    """Return the lexicon; its files are created at the first use on a machine, which takes about a minute.

    The files are in the folder given by the environment variable `ACCORDANCE_CACHE`, by default in `accordance` under
    `XDG_CACHE_HOME` or `~/.cache`.

    Raises:
        MissingResource: pycocoevalcap, which ships the data, is not installed.
    """
    sources = find_sources()
    return _open_lexicon(sources, _find_cache_folder() / f"meteor-{_FORMAT}-{sources.read_digest()}")


def _find_cache_folder() -> Path:
    if os.environ.get("ACCORDANCE_CACHE"):
        return Path(os.environ["ACCORDANCE_CACHE"])
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "accordance"


@cache
def _open_lexicon(sources: MeteorSources, folder: Path) -> Lexicon:
    if not folder.is_dir():
        _write_files(sources, folder)
    return Lexicon(**{field.name: np.load(folder / f"{field.name}.npy", mmap_mode="r") for field in fields(Lexicon)})


def _write_files(sources: MeteorSources, folder: Path) -> None:
    from metrics_plugins.metrics.meteor.indexing import index_sources

    folder.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for name, array in index_sources(sources).items():
            np.save(unfinished / f"{name}.npy", array)
        try:
            unfinished.rename(folder)
        except OSError:
            # Another process has created the same files meanwhile.
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _split_lines(letters: npt.NDArray[np.uint8]) -> list[str]:
    return letters.tobytes().decode().split("\n")
