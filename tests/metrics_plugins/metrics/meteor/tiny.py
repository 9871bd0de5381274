"""Tiny data of METEOR with two dozen words, in files like those shipped with pycocoevalcap."""

import gzip
import zipfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from metrics_plugins.metrics.meteor.captions import CaptionTable, read_captions
from metrics_plugins.metrics.meteor.indexing import index_sources
from metrics_plugins.metrics.meteor.lexicon import Lexicon
from metrics_plugins.metrics.meteor.sources import MeteorSources
from metrics_plugins.text.tokens import split_at_blanks

SYNSETS = {"dog": [1, 2], "hound": [2], "goose": [3], "church": [4], "bring": [5], "fly": [6], "fleece": [7]}
EXCEPTIONS = {"goose": ["geese"], "bring": ["brought"], "fly": ["flew", "flies"]}
PARAPHRASES = [
    ("a dog", "one dog"),
    ("dog", "big dog"),
    ("a dog", "hound"),
    ("big dog runs", "dog"),
    ("dog", "animal"),
]


def write_sources(folder: Path) -> MeteorSources:
    """Write the files."""
    folder.mkdir(parents=True, exist_ok=True)
    synsets = "".join(f"{word}\n{' '.join(map(str, numbers))}\n" for word, numbers in SYNSETS.items())
    exceptions = "".join(f"{base}\n{' '.join(forms)}\n" for base, forms in EXCEPTIONS.items())
    with zipfile.ZipFile(folder / "meteor-1.5.jar", "w") as jar:
        jar.writestr("synonym/english.synsets", synsets)
        jar.writestr("synonym/english.exceptions", exceptions)
        jar.writestr("function/english.words", "a\nthe\n.\n")
        jar.writestr("nonbreaking/english.prefixes", "# a remark\n\nDr\nNo #NUMERIC_ONLY#\n")
    (folder / "data").mkdir(exist_ok=True)
    table = "".join(f"0.5\n{phrase}\n{paraphrase}\n" for phrase, paraphrase in PARAPHRASES)
    (folder / "data" / "paraphrase-en.gz").write_bytes(gzip.compress(table.encode()))
    return MeteorSources(folder)


def make_lexicon(folder: Path) -> Lexicon:
    """Return the lexicon of these data, not written to any file."""
    return Lexicon(**{name: np.asarray(array) for name, array in index_sources(write_sources(folder)).items()})


def read_lines(lines: Sequence[str], lexicon: Lexicon) -> CaptionTable:
    """Return captions whose tokens are joined by blanks."""
    return read_captions(split_at_blanks(lines), lexicon)
