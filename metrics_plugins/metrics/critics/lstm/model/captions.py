"""The training captions of a critic: human and machine captions by image."""

import hashlib
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Self

import numpy as np

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.api.providers import Tokenizer

Lines = tuple[str, ...]

TOKENIZER: Final = "nltk-words"


def split_captions(captions: Sequence[str], tokenizer: Tokenizer) -> list[str]:
    """Return one line per caption: its tokens joined by spaces, without ASCII punctuation.

    A token is removed if it is a substring of Python's `string.punctuation`, as in the code of Cui et al. (2018): `.`
    and `()` are removed, `...` and `''` are kept.
    """
    lines = tokenizer.tokenize(captions)
    return [" ".join(token for token in line.split(" ") if token not in string.punctuation) for line in lines]


@dataclass(frozen=True, slots=True, eq=False)
class TrainingCaptions:
    """Captions of images as lines of tokens.

    Attributes:
        image_ids: `(n_images,)`.
        humans: `(n_images,)` captions written by people.
        machines: `(n_images,)` captions written by machines; an image may have none.
        samples: `(n_images,)` captions drawn from a caption model; an image may have none.
    """

    image_ids: Lines
    humans: tuple[Lines, ...] = field(repr=False)
    machines: tuple[Lines, ...] = field(repr=False)
    samples: tuple[Lines, ...] = field(repr=False)

    @classmethod
    def gather(cls, batch: Batch, tokenizer: Tokenizer, *, samples: Mapping[str, Sequence[str]] | None = None) -> Self:
        """Return the captions of a batch. References, and candidates equal to a reference, are human captions.

        All other candidates are machine captions. Rows of the same image are merged.
        """
        humans: dict[str, dict[str, None]] = {}
        machines: dict[str, dict[str, None]] = {}
        for image, candidate, references in zip(batch.image_keys, batch.candidates, batch.references, strict=True):
            humans.setdefault(image, {}).update(dict.fromkeys(references))
            if candidate not in references:
                machines.setdefault(image, {})[candidate] = None
        sampled = {image: dict.fromkeys((samples or {}).get(image, ())) for image in humans}
        texts = [text for kind in (humans, machines, sampled) for captions in kind.values() for text in captions]
        distinct = list(dict.fromkeys(texts))
        line_of = dict(zip(distinct, split_captions(distinct, tokenizer), strict=True))

        def list_lines(kind: dict[str, dict[str, None]]) -> tuple[Lines, ...]:
            return tuple(tuple(line_of[text] for text in kind.get(image, ())) for image in humans)

        return cls(tuple(humans), list_lines(humans), list_lines(machines), list_lines(sampled))

    def __len__(self) -> int:
        return len(self.image_ids)

    @property
    def digest(self) -> str:
        """A hash of images and captions."""
        content = (self.image_ids, self.humans, self.machines, self.samples)
        return hashlib.sha256(repr(content).encode("utf-8", "backslashreplace")).hexdigest()[:12]

    def list_lines(self) -> list[str]:
        """Return all captions, including duplicates."""
        kinds = (self.humans, self.machines, self.samples)
        return [line for kind in kinds for lines in kind for line in lines]

    def require_captions(self, n_humans: int) -> Self:
        """Return the images with at least this many human captions.

        Raises:
            MetricError: There are none.
        """
        rows = [row for row, lines in enumerate(self.humans) if len(lines) >= n_humans]
        if not rows:
            raise MetricError(
                f"metric 'critic-lstm' learns from images with {n_humans} human captions each at least (references), "
                f"got none among {len(self)} images"
            )
        return self.take(rows)

    def take(self, rows: Sequence[int]) -> Self:
        """Return the selected images, in the given order."""
        names = ("image_ids", "humans", "machines", "samples")
        return replace(self, **{name: tuple(getattr(self, name)[row] for row in rows) for name in names})

    def hold_out(self, share: float, rng: np.random.Generator) -> tuple[Self, Self]:
        """Return training images, and a random share of images for validation (at least one of each)."""
        n_held = min(max(round(share * len(self)), 1), len(self) - 1) if share else 0
        order = rng.permutation(len(self)).tolist()
        return self.take(sorted(order[n_held:])), self.take(sorted(order[:n_held]))
