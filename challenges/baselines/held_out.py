"""Human captions of a phase: references that are held out, and compared with the others of their image."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from random import Random

import numpy as np

from captioning.api import CaptionBatch
from captioning.commands.writing import format_results
from challenges.errors import ChallengeRefused
from challenges.models import Phase
from challenges.submissions.scoring import Measure, find_images, select_numbered


def draw_captions(phase: Phase, *, seed: int) -> dict[str, tuple[str, ...]]:
    """Return a reference of each image, or as many as a file of the phase has captions, drawn without replacement.

    They are drawn from those that all sets of references of the phase share, so that each set loses as many.

    Raises:
        ChallengeRefused: An image has too few references, in any of the sets or shared by them; the message names one.
    """
    n, rng = phase.captions_per_image, Random(f"{seed}")  # noqa: S311 - the same captions again
    sets = {each.name: select_numbered(each) for each in phase.references.all()}
    drawn, problems = {}, []
    for key in find_images(phase).values_list("key", flat=True):
        own = {name: dict(rows[key]) for name, rows in sets.items() if key in rows}
        shared = sorted(set.intersection(*(set(rows) for rows in own.values()))) if own else []
        if problem := _find_problem({name: len(rows) for name, rows in own.items()}, n_shared=len(shared), n=n):
            problems.append(f"image {key} {problem}")
            continue
        texts = next(iter(own.values()))
        drawn[key] = tuple(texts[place] for place in rng.sample(shared, n))
    if problems:
        more = f" (and {len(problems) - 1:,} more images)" if len(problems) > 1 else ""
        raise ChallengeRefused(
            f"human captions need at least {n + 1} references of each image in each set, of which {n} "
            f"{'is its caption' if n == 1 else 'are its captions'}: {problems[0]}{more}"
        )
    return drawn


def write_captions(phase: Phase, *, seed: int) -> bytes:
    """Return the drawn captions as results; raise ChallengeRefused as `draw_captions` does."""
    drawn = draw_captions(phase, seed=seed)
    missing = np.full((len(drawn), phase.captions_per_image), np.nan)
    return format_results(CaptionBatch(tuple(drawn), tuple(drawn.values()), missing))


def leave_out(measures: Iterable[Measure], *, captions: Mapping[str, tuple[str, ...]]) -> Iterator[Measure]:
    """Yield the measures without the references that are captions now.

    Raises:
        ChallengeRefused: A caption is no reference any more, or the only one.
    """
    for measure in measures:
        yield replace(measure, texts={key: _subtract(key, row, captions[key]) for key, row in measure.texts.items()})


def _find_problem(counts: Mapping[str, int], *, n_shared: int, n: int) -> str:
    if not counts:
        return "has none"
    name, count = min(counts.items(), key=lambda each: each[1])
    if count <= n:
        return f"has {count} in {name}"
    return f"has {n_shared} that are in all sets" if n_shared < n else ""


def _subtract(key: str, references: Sequence[str], captions: Sequence[str]) -> tuple[str, ...]:
    left = list(references)
    for caption in captions:
        if caption in left:
            left.remove(caption)
    if len(left) != len(references) - len(captions) or not left:
        raise ChallengeRefused(f"the references of image {key} have changed since its captions were drawn")
    return tuple(left)
