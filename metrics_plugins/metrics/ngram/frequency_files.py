"""Files with the document frequencies of a corpus, which CIDEr can read instead of counting them."""

import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TypeGuard

import numpy as np

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.api.providers import Tokenizer
from metrics_plugins.metrics.ngram.document_frequencies import DocumentFrequencies, count_documents
from metrics_plugins.readers import Corpus, InputError
from metrics_plugins.readers.text import read_text


def tabulate_corpus(corpus: Corpus, *, tokenizer: Tokenizer, order: int = 4) -> DocumentFrequencies:
    """Count, for each n-gram of orders 1 to `order`, the images of a corpus with captions that contain it."""
    batch = Batch.make(corpus.captions, references=corpus.captions.values())
    return count_documents(batch, tokenizer, order=order)


def write_frequencies(path: Path, documents: DocumentFrequencies) -> None:
    """Write `{"n_images": N, "frequencies": {"a dog": 12}}`, compressed if the name ends in `.gz`.

    N-grams of a single image are left out, because CIDEr weights them like unknown ones.
    """
    content = {"n_images": documents.n_images, "frequencies": _name_ngrams(documents)}
    # ASCII, because a lone surrogate in a caption cannot be encoded in UTF-8.
    encoded = json.dumps(content).encode("ascii")
    path.write_bytes(gzip.compress(encoded, mtime=0) if path.suffix == ".gz" else encoded)


def read_frequencies(path: str, *, order: int) -> DocumentFrequencies:
    """Read a table in the format of `write_frequencies`.

    Args:
        path: A `.json` or `.json.gz` file. Pickle files, as shipped with other programs, are not read, because they can
            run any code.
        order: N-grams with more words are ignored.

    Raises:
        MetricError: The file cannot be read or is invalid; the message names the n-gram.
    """
    if not path.removesuffix(".gz").endswith(".json"):
        raise MetricError(f"{path}: a table of document frequencies must be .json or .json.gz (pickles are not read)")
    try:
        text = read_text(Path(path))
        content = json.loads(text)
    except InputError as error:
        raise MetricError(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise MetricError(f"{path}: must be JSON, got: {error}") from error
    fields = content if isinstance(content, dict) else {}
    n_images, frequencies = fields.get("n_images"), fields.get("frequencies")
    if not _is_count(n_images) or not isinstance(frequencies, dict):
        raise MetricError(f"{path}: must have a number `n_images` and an object `frequencies`, got {sorted(fields)}")
    for ngram, frequency in frequencies.items():
        if not _is_count(frequency) or frequency > n_images:
            raise MetricError(
                f"{path}: n-gram {ngram!r}: must have a number of images from 1 to {n_images}, got {frequency!r}"
            )
    documents = make_frequencies(frequencies, n_images=n_images, order=order)
    return replace(documents, source=hashlib.sha256(text.encode()).hexdigest()[:12])


def make_frequencies(frequencies: Mapping[str, int], *, n_images: int, order: int) -> DocumentFrequencies:
    """Return the table of n-grams, given as words joined by spaces; n-grams of more than `order` words are left out."""
    known = {tuple(ngram.split()): frequency for ngram, frequency in frequencies.items()}
    # N-grams are identified by their parts, so missing parts are added with the weight of unknown n-grams.
    for words in [words for words in known if 1 < len(words) <= order]:
        for size in range(1, len(words)):
            known.setdefault(words[:size], 1)
        for word in words:
            known.setdefault((word,), 1)
    vocabulary = sorted(words[0] for words in known if len(words) == 1)
    rank_of = {word: rank for rank, word in enumerate(vocabulary)}
    shorter: dict[tuple[str, ...], int] = {(): 0}
    keys, counts = [], []
    for size in range(1, order + 1):
        named = {
            words: shorter[words[:-1]] * len(vocabulary) + rank_of[words[-1]] for words in known if len(words) == size
        }
        in_order = sorted(named, key=named.__getitem__)
        keys.append(np.array([named[words] for words in in_order], dtype=np.int64))
        counts.append(np.array([known[words] for words in in_order], dtype=np.int32))
        shorter = {words: rank for rank, words in enumerate(in_order)}
    return DocumentFrequencies(n_images=n_images, words=tuple(vocabulary), keys=tuple(keys), frequencies=tuple(counts))


def _name_ngrams(documents: DocumentFrequencies) -> dict[str, int]:
    named: dict[str, int] = {}
    shorter = [""]
    for keys, frequencies in zip(documents.keys, documents.frequencies, strict=True):
        prefixes, last_words = np.divmod(keys, max(len(documents.words), 1))
        pairs = zip(prefixes.tolist(), last_words.tolist(), strict=True)
        ngrams = [f"{shorter[prefix]} {documents.words[word]}".lstrip() for prefix, word in pairs]
        named.update(zip(ngrams, frequencies.tolist(), strict=True))
        shorter = ngrams
    return named


def _is_count(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1
