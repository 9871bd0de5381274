"""The training examples of one epoch: for each image, two human captions and a wrong caption."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.critics.lstm.model.captions import TrainingCaptions
from metrics_plugins.metrics.critics.lstm.model.settings import CriticSettings
from metrics_plugins.metrics.critics.lstm.training.neighbours import Neighbours
from metrics_plugins.text.distortions import (
    count_share,
    draw_permuted_words,
    draw_random_captions,
    draw_replaced_words,
    draw_training_count,
)
from metrics_plugins.text.tokens import Int64


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Examples with one image per row, in the order of training.

    Attributes:
        images: `(n,)`: the row of each image in its `TrainingCaptions`.
        references: `(n,)`: a human caption, the context of both others.
        humans: `(n,)`: another human caption of the image.
        wrongs: `(n,)`: a caption that no person wrote for the image.
        kinds: `(n,)`: the origin of the wrong caption, as named in `CriticSettings.negatives`.
    """

    images: Int64
    references: tuple[str, ...]
    humans: tuple[str, ...]
    wrongs: tuple[str, ...]
    kinds: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.images)


_RUINED: Final = ("rc", "near", "wp", "rw")


def leave_out_faultless(captions: TrainingCaptions, settings: CriticSettings) -> TrainingCaptions:
    """Return the images for which the settings allow a wrong caption.

    Without distorted captions, an image needs a machine (or sampled) caption; a machine caption that equals a human
    caption counts as human.

    Raises:
        MetricError: There are none.
    """
    if set(_RUINED) & set(settings.negatives.split("+")):
        return captions
    given = _list_given(captions, settings).values()
    rows = [row for row in range(len(captions)) if any(lines[row] for lines in given)]
    if not rows:
        raise MetricError(
            f"metric 'critic-lstm' has no wrong captions to learn from: `negatives` are {settings.negatives!r}, and "
            f"none of {len(captions)} images has such a caption"
        )
    return captions.take(rows)


def _list_given(captions: TrainingCaptions, settings: CriticSettings) -> dict[str, tuple[tuple[str, ...], ...]]:
    given = {"machine": captions.machines, "sampled": captions.samples}
    return {kind: lines for kind, lines in given.items() if kind in settings.negatives.split("+")}


class ExampleSource:
    """Draws examples from captions for any number of epochs.

    Raises:
        MetricError: Captions are to be distorted, and there are too few images or words.
    """

    def __init__(self, captions: TrainingCaptions, settings: CriticSettings, *, words: Sequence[str]) -> None:
        """Store what examples are drawn from.

        Args:
            captions: The result of `leave_out_faultless`.
            settings: What to draw.
            words: The vocabulary of random words.
        """
        self.captions = captions
        self.settings = settings
        self.words = tuple(words)
        wanted = settings.negatives.split("+")
        has_others = len(captions) > 1
        feasible = {"rc": has_others, "near": has_others, "wp": True, "rw": len(self.words) > 1}
        self._ruined = [kind for kind in _RUINED if kind in wanted and feasible[kind]]
        self._given = _list_given(captions, settings)
        rows = range(len(captions))
        if not self._ruined and not all(any(lines[row] for lines in self._given.values()) for row in rows):
            raise MetricError(
                f"metric 'critic-lstm' cannot ruin captions by {settings.negatives!r}: that takes two images and two "
                f"words (among images held out for validation too), got {len(captions)} and {len(self.words)}"
            )
        self._neighbours = Neighbours(captions) if "near" in self._ruined else None

    def draw(self, rng: np.random.Generator) -> Examples:
        """Return one example for each image, in random order.

        The kind of the wrong caption is drawn uniformly from machine, sampled and distorted captions, as far as the
        image has them and the settings allow them; the distortion is drawn uniformly from the allowed ones.
        """
        humans = self.captions.humans
        order = rng.permutation(len(humans))
        first = self._draw_positions(rng)
        second, ruined = (self._draw_others(first, rng) for _ in range(2))
        kinds = self._draw_kinds(rng)
        references = [lines[place] for lines, place in zip(humans, first, strict=True)]
        bases = [lines[place] for lines, place in zip(humans, ruined, strict=True)]
        wrongs = self._make_wrongs(kinds, bases, rng)
        others = [lines[place] for lines, place in zip(humans, second, strict=True)]
        return Examples(
            images=order,
            references=tuple(references[row] for row in order),
            humans=tuple(others[row] for row in order),
            wrongs=tuple(wrongs[row] for row in order),
            kinds=tuple(kinds[row] for row in order),
        )

    def _draw_positions(self, rng: np.random.Generator) -> list[int]:
        shares = rng.random(len(self.captions))
        return [int(share * len(lines)) for share, lines in zip(shares, self.captions.humans, strict=True)]

    def _draw_others(self, positions: Sequence[int], rng: np.random.Generator) -> list[int]:
        """Return for each image the position of another human caption, or the same one if there is no other."""
        shares = rng.random(len(positions))
        rows = zip(shares, positions, self.captions.humans, strict=True)
        return [
            (place + 1 + int(share * (len(lines) - 1))) % len(lines) if len(lines) > 1 else place
            for share, place, lines in rows
        ]

    def _draw_kinds(self, rng: np.random.Generator) -> list[str]:
        groups, ways = rng.random((2, len(self.captions)))
        kinds = []
        for row, (group, way) in enumerate(zip(groups, ways, strict=True)):
            choices = [kind for kind, lines in self._given.items() if lines[row]]
            if self._ruined:
                choices.append(self._ruined[int(way * len(self._ruined))])
            kinds.append(choices[int(group * len(choices))])
        return kinds

    def _make_wrongs(self, kinds: Sequence[str], bases: Sequence[str], rng: np.random.Generator) -> list[str]:
        rows_of = {kind: [row for row, each in enumerate(kinds) if each == kind] for kind in dict.fromkeys(kinds)}
        wrongs = list(bases)
        for kind in sorted(rows_of):
            rows = rows_of[kind]
            for row, wrong in zip(rows, self._make(kind, rows, [bases[row] for row in rows], rng), strict=True):
                wrongs[row] = wrong
        return wrongs

    def _make(self, kind: str, rows: Sequence[int], bases: Sequence[str], rng: np.random.Generator) -> Sequence[str]:
        if kind in self._given:
            shares = rng.random(len(rows))
            lines = self._given[kind]
            return [lines[row][int(share * len(lines[row]))] for row, share in zip(rows, shares, strict=True)]
        if kind == "rc":
            humans = self.captions.humans
            others = draw_random_captions([lines[0] for lines in humans], pools=humans, rng=rng).others
            return [others[row] for row in rows]
        if kind == "near":
            return self._take_near(rows, rng)
        counts = [self._count(kind, len(base.split()), rng) for base in bases]
        if kind == "wp":
            return draw_permuted_words(bases, rng=rng).apply_counts(counts)
        return draw_replaced_words(bases, vocabulary=self.words, rng=rng).apply_counts(counts)

    def _take_near(self, rows: Sequence[int], rng: np.random.Generator) -> Sequence[str]:
        humans, neighbours = self.captions.humans, self._neighbours
        if neighbours is None:
            raise ValueError("captions of images alike are drawn, and were not wanted")
        images = neighbours.draw(np.asarray(rows, dtype=np.int64), share=self.settings.gamma, rng=rng)
        shares = rng.random(len(rows))
        return [humans[image][int(share * len(humans[image]))] for image, share in zip(images, shares, strict=True)]

    def _count(self, kind: str, n_words: int, rng: np.random.Generator) -> int:
        gamma = self.settings.gamma
        if not gamma:
            return draw_training_count(n_words, rng)
        # A single word cannot be reordered.
        return min(max(count_share(gamma, n_words), 2 if kind == "wp" else 1), n_words)
