"""Checks on the number, keys and range of scores, and on what scores may depend on."""

import numpy as np

from metrics_plugins.api.info import FitsOn, Input, Level
from metrics_plugins.api.metric import Metric
from metrics_plugins.runtime.checks.sample import Sample
from metrics_plugins.runtime.checks.subject import Subject, require, require_equal
from metrics_plugins.runtime.running import check_bounds

EMPTY_CAPTIONS = ("", " ", ".", " . ", "\t\n")
ONE_WORD_CAPTIONS = ("dog", "Giraffe", "a", "7", "can't")
# Includes characters that some programs treat as line breaks: a metric that counts lines would misalign its scores.
NON_ASCII_CAPTIONS = (
    "une crème brûlée au café",
    "a cafe\u0301 with “quotes” — and dots…",
    "猫が椅子に座っている",
    "😀 👩\u200d👧",
    "a\u2028b\u2029c\x85d\x0be\x0cf\rg\nh",
    "3\u00a01/2 hours\u200b",
    "\u202eright to left\u202c",
)

# Summing rows in another order may change the last bits; scores of single rows must be identical.
_SUM_TOLERANCE = 1e-12


def check_declared_level(subject: Subject) -> None:
    """The declared level matches the captions that the metric reads and the number of scores."""
    level, inputs = subject.info.level, subject.info.inputs
    came = f"level {level} with inputs {', '.join(sorted(inputs))}"
    if level is Level.SEGMENT:
        require(Input.CANDIDATE in inputs, expected="a segment-level metric to declare candidate", came=came)
    elif level is Level.SET:
        expected = "a set-level metric to declare caption_set, and not candidate"
        require(Input.CAPTION_SET in inputs and Input.CANDIDATE not in inputs, expected=expected, came=came)
    else:
        expected = "a corpus-level metric to declare either candidate or caption_set"
        require(len(inputs & {Input.CANDIDATE, Input.CAPTION_SET}) == 1, expected=expected, came=came)
    subject.score(subject.make(), subject.sample)


def check_keys_kept(subject: Subject) -> None:
    """Scores have the keys of the batch in the same order, for arbitrary keys."""
    keys = tuple(f"clé {len(subject.sample) - row}" for row in range(len(subject.sample)))
    metric = subject.make()
    batch = Sample(keys=keys, columns=subject.sample.columns).make_batch()
    subject.score_batch(metric, batch)


def check_within_bounds(subject: Subject) -> None:
    """Scores are float64 within the declared bounds, and not all NaN on ordinary captions."""
    metric = subject.make()
    scores = subject.score(metric, subject.sample)
    check_bounds(metric, scores)
    require(
        scores.n_missing < len(scores), expected="a score for at least one row of ordinary captions", came="only NaN"
    )


def check_finite(subject: Subject) -> None:
    """No score is infinite, on ordinary, unusual or empty captions; NaN marks a missing score."""
    inputs, metric = subject.info.inputs, subject.make()
    samples = [subject.sample]
    for captions in (EMPTY_CAPTIONS, ONE_WORD_CAPTIONS, NON_ASCII_CAPTIONS):
        samples += [
            subject.sample.replace_texts(captions, inputs=columns)
            for columns in (inputs, inputs & {Input.CANDIDATE}, inputs & {Input.REFERENCES})
        ]
    for sample in samples:
        try:
            scores = subject.score(metric, sample)
        except Exception:  # noqa: S112 - told by the check of such captions
            continue
        row = next(iter(np.flatnonzero(np.isinf(scores.values))), None)
        if row is not None:
            came = f"{float(scores.values[row])!r} for key {scores.keys[row]!r} ({scores.n_infinite} such rows)"
            require(False, expected="a finite score, or NaN where there is none", came=came)


def check_order_invariance(subject: Subject) -> None:
    """The score of a row does not depend on the order of rows."""
    metric = subject.make()
    scores = subject.score(metric, subject.sample)
    order = np.random.default_rng(0).permutation(len(subject.sample))
    shuffled = subject.score(metric, subject.sample.take(order.tolist()))
    if subject.info.level is Level.CORPUS:
        _require_same(scores.values, shuffled.values, keys=scores.keys, rtol=_SUM_TOLERANCE)
    else:
        _require_same(scores.values[order], shuffled.values, keys=shuffled.keys)


def _require_same(values: np.ndarray, other: np.ndarray, *, keys: tuple[str, ...], rtol: float = 0.0) -> None:
    require_equal(values, other, keys=keys, rtol=rtol, expected="the same scores for rows in another order")


def check_split_invariance(subject: Subject) -> None:
    """A row has the same score in the whole batch, in half of it and on its own."""
    metric = subject.make()
    _require_split_invariance(subject, metric, subject.sample, n_parts=2)
    _require_split_invariance(subject, metric, subject.sample, n_parts=len(subject.sample))


def _require_split_invariance(subject: Subject, metric: Metric, sample: Sample, *, n_parts: int) -> None:
    whole = subject.score(metric, sample)
    parts = [
        subject.score(metric, sample.take(rows.tolist())).values
        for rows in np.array_split(np.arange(len(sample)), n_parts)
    ]
    expected = f"the same scores when the batch is scored in {n_parts} parts"
    require_equal(whole.values, np.concatenate(parts), keys=whole.keys, expected=expected)


def check_determinism(subject: Subject) -> None:
    """Scoring a batch twice, and once more with a new instance, gives the same scores."""
    metric = subject.make()
    batch = subject.sample.make_batch()
    first, second = subject.score_batch(metric, batch), subject.score_batch(metric, batch)
    require_equal(first.values, second.values, keys=first.keys, expected="the same scores of one batch scored twice")
    fresh = subject.score(subject.make(), subject.sample)
    require_equal(first.values, fresh.values, keys=first.keys, expected="the same scores from a second instance")


def check_empty_captions(subject: Subject) -> None:
    """Captions without words get a score within bounds, or NaN."""
    _check_odd_captions(subject, EMPTY_CAPTIONS)


def check_one_word_captions(subject: Subject) -> None:
    """Captions of one word get a score within bounds, or NaN."""
    _check_odd_captions(subject, ONE_WORD_CAPTIONS)


def check_non_ascii_captions(subject: Subject) -> None:
    """Captions with accents, other scripts, emoji and all kinds of line breaks get aligned scores within bounds."""
    _check_odd_captions(subject, NON_ASCII_CAPTIONS)


def _check_odd_captions(subject: Subject, captions: tuple[str, ...]) -> None:
    inputs = subject.info.inputs
    metrics = [subject.make()]
    if subject.info.fits_on is not FitsOn.NOTHING:
        metrics.append(subject.make(fit_sample=subject.fit_sample.replace_texts(captions, inputs=inputs)))
    for metric in metrics:
        for columns in (inputs, inputs & {Input.CANDIDATE}, inputs & {Input.REFERENCES}):
            sample = subject.sample.replace_texts(captions, inputs=columns)
            check_bounds(metric, subject.score(metric, sample))
            if subject.info.level is not Level.CORPUS and subject.info.deterministic:
                _require_split_invariance(subject, metric, sample, n_parts=len(sample))


def check_no_references(subject: Subject) -> None:
    """A row without references gets a score within bounds, or NaN, and does not change the scores of other rows."""
    metric = subject.make()
    references = list(subject.sample.columns[Input.REFERENCES])
    references[0] = ()
    sample = subject.sample.replace({Input.REFERENCES: references})
    batch = sample.make_batch()
    check_bounds(metric, subject.score_batch(metric, batch))
    if subject.info.level is not Level.CORPUS and subject.info.deterministic:
        _require_split_invariance(subject, metric, sample, n_parts=len(sample))
