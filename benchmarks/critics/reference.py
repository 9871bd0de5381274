"""Measures the contribution of each part of `critic-reference`: `python -m benchmarks.critics.reference`.

It retrains the bundled head, scores the judged captions with its parts, with the weights of version 3 and with those of
this version, and writes the tables to docs/critics.md. The head is stored in the folder given by `--work` and reused by
the next call.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.critics.data import DATA
from benchmarks.critics.reference_page import write_section
from benchmarks.judged_captions import Judged, Values, read_judged
from metrics_plugins.api.batches.columns import Ragged
from metrics_plugins.api.providers import TokenEncoder, TokenVectors
from metrics_plugins.cli.fitting import make_batch
from metrics_plugins.metrics.critics.reference.heads import Head
from metrics_plugins.metrics.critics.reference.metric import CriticReferenceLearner
from metrics_plugins.metrics.critics.reference.parts import SpacedEncoder, measure_parts
from metrics_plugins.metrics.critics.reference.settings import CriticReferenceSettings
from metrics_plugins.metrics.embedding.cosines import average_references, derive_reference_cosines
from metrics_plugins.metrics.embedding.greedy_matching import derive_matches
from metrics_plugins.readers import read_corpus
from metrics_plugins.runtime import load_registry

RESULTS: Final = Path(__file__).with_suffix(".json")
ZERO_SHOT: Final = "`sentence-cosine`"
ALL: Final = "`critic-reference`"
THIRD: Final = "version 3"
# Weights of the parts (`settings.PARTS`) for scores of one part or some.
ALONE: Final = {
    "sentences: nearest": (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    "words: precision": (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0),
    "words: recall": (0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0),
    "words: support": (0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0),
    "words: rare precision": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    "`sentence-cosine` and support": (1.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0),
    THIRD: (0.0, 0.5, 0.5, 1.0, 0.0, 0.0, 0.0),
}


@dataclass(frozen=True, slots=True)
class KeptEncoder:
    """An encoder that caches the vectors of all tokens, because many heads are trained on the same captions."""

    encoder: TokenEncoder
    kept: dict[str, TokenVectors] = field(default_factory=dict, repr=False)

    @property
    def name(self) -> str:
        return self.encoder.name

    @property
    def digest(self) -> str:
        return self.encoder.digest

    @property
    def dimension(self) -> int:
        return self.encoder.dimension

    def tokenize(self, texts: Sequence[str]) -> Ragged:
        return self.encoder.tokenize(texts)

    def encode(self, inputs: Sequence[object]) -> np.ndarray:
        return self.encoder.encode(inputs)

    def encode_tokens(self, texts: Sequence[str]) -> TokenVectors:
        absent = [text for text in dict.fromkeys(texts) if text not in self.kept]
        for start in range(0, len(absent), 2048):
            some = absent[start : start + 2048]
            self.kept.update(zip(some, _split(self.encoder.encode_tokens(some)), strict=True))
        found = [self.kept[text] for text in texts]
        return TokenVectors(
            vectors=np.concatenate([np.empty((0, self.dimension), np.float32), *(each.vectors for each in found)]),
            offsets=np.cumsum([0, *(len(each.ids) for each in found)]),
            ids=np.concatenate([np.empty(0, np.int64), *(each.ids for each in found)]),
            is_special=np.concatenate([np.empty(0, np.bool_), *(each.is_special for each in found)]),
        )


def _split(tokens: TokenVectors) -> Iterator[TokenVectors]:
    for start, stop in zip(tokens.offsets[:-1].tolist(), tokens.offsets[1:].tolist(), strict=True):
        own = slice(start, stop)
        yield TokenVectors(
            vectors=tokens.vectors[own].copy(),
            offsets=np.array([0, stop - start]),
            ids=tokens.ids[own].copy(),
            is_special=tokens.is_special[own].copy(),
        )


def read_captions(images: str) -> dict[str, tuple[str, ...]]:
    """Return the captions of Flickr8k by image, for its 6,000 training images (`train`) or its `dev` images."""
    flickr = read_corpus(str(DATA / "flickr8k" / "Flickr8k.token.txt.gz")).captions
    names = (DATA / "flickr8k" / f"Flickr_8k.{images}Images.txt").read_text().split()
    return {image: tuple(" ".join(caption.split()) for caption in flickr[image]) for image in names}


def learn_head(work: Path, encoder: TokenEncoder) -> Head:
    """Return the bundled head, trained again; one stored in `work` is read."""
    flickr = make_batch(read_captions("train"), {})
    learner = CriticReferenceLearner(encoder=encoder, settings=CriticReferenceSettings(), device="cpu")
    return learner.train(flickr, None, np.random.default_rng(0), folder=work).head


def score_rows(judged: Judged, head: Head, encoder: TokenEncoder) -> dict[str, Values]:
    """Return the scores for each row of the table, by name."""
    references = judged.batch.reference_rows
    found = {ZERO_SHOT: average_references(derive_reference_cosines(judged.batch, encoder), references)}
    found["`embedding-f1`"] = average_references(derive_matches(judged.batch, encoder).f1, references)
    spaced = SpacedEncoder(encoder, head.sentences, head.tokens, head.digest)
    parts = measure_parts(judged.batch, spaced, head.vocabulary)
    found |= {part: parts @ (np.array(weights) / head.spreads) for part, weights in ALONE.items()}
    found[ALL] = parts @ head.shares
    return found


def measure(judged: Judged, scores: Mapping[str, Values]) -> dict[str, Any]:
    """Return the results for one data set: coefficients of every row, and gains over `sentence-cosine`."""
    return {
        "rows": {
            name: [judged.correlate(each, part=part)[0] for part in judged.parts] for name, each in scores.items()
        },
        "gains": {name: judged.compare(scores[name], scores[ZERO_SHOT]) for name in (THIRD, ALL)},
    }


def main() -> int:
    """Train and score the heads, and write the results and the section of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--work", type=Path, default=Path("critic-head"), help="the folder of the head")
    arguments = parser.parse_args()
    encoder = load_registry(strict=True).get_encoder("minilm", device="cpu")
    if not isinstance(encoder, TokenEncoder):
        raise SystemExit("the encoder gives no vectors of tokens")
    kept = KeptEncoder(encoder)
    head = learn_head(arguments.work, kept)
    results: dict[str, Any] = {"head": dict(head.made_of), "sets": {}}
    for name, judged in read_judged():
        results["sets"][name] = measure(judged, score_rows(judged, head, kept))
        sys.stderr.write(f"{name}: {results['sets'][name]['rows'][ALL]}\n")
    RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    write_section(results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
