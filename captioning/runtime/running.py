"""Calls of captioners whose results are checked: the only way in which commands and the platform call them."""

from collections.abc import Iterator, Sequence
from typing import Final
from unicodedata import category

import numpy as np

from captioning.api import BadCaptions, CaptionBatch, Captioner, CaptionerError, CaptionScores, Decoding, Images
from captioning.api.captions import Floats
from metrics_plugins.api.progress import Track, pass_on

AT_ONCE: Final = 64
"""The number of images of one call, fixed so that the same seed gives the same captions."""

MOST_WORDS: Final = 200
"""The most words of a caption by a captioner without probabilities, which ignores `Decoding.max_words`."""

_ROUNDING: Final = 1e-6
# Control characters, halves of surrogate pairs, and separators of lines and paragraphs.
_REFUSED_CHARACTERS: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})


def run_captioner(
    captioner: Captioner,
    images: Images,
    *,
    n: int = 1,
    decoding: Decoding | None = None,
    rng: np.random.Generator,
    allow_empty: bool = False,
    track: Track = pass_on,
) -> CaptionBatch:
    """Return `n` checked captions of each image, for which the captioner is called with 64 images at a time.

    Args:
        captioner: The captioner.
        images: With the columns that it declares.
        n: At least 1; 1 for greedy decoding, if the captioner decodes.
        decoding: By default `Captioner.default_decoding`, which is greedy.
        rng: The only source of randomness.
        allow_empty: Whether a caption may have no word, as those of a sampling network sometimes do.
        track: Displays progress.

    Raises:
        MissingInput: The images lack a column.
        CaptionerError: `n` does not fit the decoding.
        BadCaptions: The captioner fails, or returns another number of captions, a caption that is empty, too long or
            has a line break, or a log-probability that is NaN or above 0; the message names captioner, image and value.
    """
    info = captioner.info
    chosen = decoding or captioner.default_decoding
    if n < 1:
        raise CaptionerError(f"the number of captions must be at least 1, got {n}")
    images.require(info.inputs, reader=f"captioner {info.id!r}")
    starts = range(0, len(images), AT_ONCE)
    parts = []
    for start in track(starts, total=len(starts), label=info.id):
        part = images.select(range(start, min(start + AT_ONCE, len(images))))
        batch = _call(captioner, part, n=n, decoding=chosen, rng=rng)
        _check(captioner, batch, part, n=n, decoding=chosen, allow_empty=allow_empty)
        parts.append(batch)
    return CaptionBatch(
        keys=images.keys,
        captions=tuple(row for part in parts for row in part.captions),
        log_probabilities=np.concatenate([part.log_probabilities for part in parts]) if parts else np.empty((0, n)),
    )


def run_scores(captioner: Captioner, images: Images, captions: Sequence[str]) -> CaptionScores:
    """Return the checked log-probabilities of captions, one for each image.

    Raises:
        CaptionerError: The captioner gives no probabilities, or there is another number of captions than of images.
        MissingInput: The images lack a column.
        BadCaptions: It fails, or returns another number of values, a log-probability that is NaN, infinite or above 0,
            or a number of steps below 1.
    """
    info = captioner.info
    if not info.can_score:
        raise CaptionerError(f"captioner {info.id!r} gives no probabilities to captions")
    if len(captions) != len(images):
        raise CaptionerError(f"there must be one caption for each image, got {len(captions)} for {len(images)} images")
    images.require(info.inputs, reader=f"captioner {info.id!r}")
    try:
        scores = captioner.score(images, captions)
    except CaptionerError:
        raise
    except Exception as error:
        raise _explain(captioner, error) from error
    values, steps = np.asarray(scores.log_probabilities), np.asarray(scores.n_steps)
    if values.shape != (len(images),) or steps.shape != (len(images),):
        raise BadCaptions(
            f"captioner {info.id!r} must score {len(images)} captions, got values of shape {values.shape} and steps of "
            f"shape {steps.shape}"
        )
    for key, value, n_steps in zip(images.keys, values.tolist(), steps.tolist(), strict=True):
        where = f"captioner {info.id!r}, image {key!r}"
        if not -np.inf < value <= _ROUNDING:
            raise BadCaptions(f"{where}: a log-probability must be finite and at most 0, got {value}")
        if n_steps < 1:
            raise BadCaptions(f"{where}: the number of steps must be at least 1, got {n_steps}")
    return scores


def _call(
    captioner: Captioner, images: Images, *, n: int, decoding: Decoding, rng: np.random.Generator
) -> CaptionBatch:
    try:
        return captioner.caption(images, n=n, decoding=decoding, rng=rng)
    except CaptionerError:
        raise
    except Exception as error:
        raise _explain(captioner, error) from error


def _explain(captioner: Captioner, error: Exception) -> BadCaptions:
    return BadCaptions(f"captioner {captioner.info.id!r} fails: {type(error).__name__}: {error}")


def _check(
    captioner: Captioner, batch: object, images: Images, *, n: int, decoding: Decoding, allow_empty: bool
) -> None:
    name = f"captioner {captioner.info.id!r}"
    if not isinstance(batch, CaptionBatch):
        raise BadCaptions(f"{name} must return a CaptionBatch, got {type(batch).__name__}")
    if batch.keys != images.keys or len(batch.captions) != len(images):
        raise BadCaptions(
            f"{name} must return captions of the {len(images)} images that it was given, in their order, got "
            f"{len(batch.keys)} keys and captions of {len(batch.captions)} images"
        )
    values = np.asarray(batch.log_probabilities)
    if values.shape != (len(images), n) or not np.issubdtype(values.dtype, np.floating):
        raise BadCaptions(
            f"{name} must return log-probabilities of shape {(len(images), n)}, got {values.dtype} of shape "
            f"{values.shape}"
        )
    most = decoding.max_words if captioner.info.can_score else MOST_WORDS
    for key, row, own in zip(batch.keys, batch.captions, values, strict=True):
        for problem in _list_problems(row, own, n=n, most=most, allow_empty=allow_empty):
            raise BadCaptions(f"{name}, image {key!r}: {problem}")
        if captioner.info.can_score and np.isnan(own).any():
            place = int(np.isnan(own).argmax())
            raise BadCaptions(f"{name}, image {key!r}: the log-probability of caption {place + 1} must not be NaN")


def _list_problems(row: object, values: Floats, *, n: int, most: int, allow_empty: bool) -> Iterator[str]:
    if not isinstance(row, tuple) or len(row) != n:
        came = f"{len(row)} captions" if isinstance(row, tuple) else type(row).__name__
        yield f"must have a tuple of {n} captions, got {came}"
        return
    for place, (caption, value) in enumerate(zip(row, values.tolist(), strict=True), start=1):
        which = f"caption {place}"
        if not isinstance(caption, str):
            yield f"{which} must be text, got {type(caption).__name__}"
            return
        n_words = len(caption.split())
        if not n_words and not allow_empty:
            yield f"{which} must have a word, got {caption!r}"
        if n_words > most:
            yield f"{which} must have at most {most} words, got {n_words}: {caption[:60]!r}..."
        if any(category(mark) in _REFUSED_CHARACTERS for mark in caption):
            yield f"{which} must be one line of Unicode text, got {caption[:60]!r}"
        if value > _ROUNDING or value == -np.inf:
            yield f"the log-probability of {which} must be finite and at most 0, got {value}"
