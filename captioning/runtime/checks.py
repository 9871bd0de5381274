"""Conformance checks: one named check for each clause of the contract of captioners."""

import pickle
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from captioning.api import CaptionBatch, Captioner, CaptionerError, Decoding, ImageInput, Images
from captioning.runtime.running import run_captioner, run_scores
from metrics_plugins.api.errors import CheckFailed
from metrics_plugins.runtime.checks.subject import require

_SEED: Final = 7
# Of a sum over some 20 steps in single precision.
_PRECISION: Final = 1e-5


@dataclass(frozen=True, slots=True)
class Check:
    """One clause of the contract.

    Attributes:
        name: The name used in test ids and reports.
        clause: What must hold.
        run: Raises `CheckFailed` or `CaptionerError` if it does not hold.
        applies: Whether the clause applies to a captioner.
    """

    name: str
    clause: str
    run: Callable[[Captioner, Images], None]
    applies: Callable[[Captioner], bool] = lambda _: True


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found.

    Attributes:
        captioner: The captioner's id.
        check: The check's name.
        clause: What must hold.
        passed: Whether it does.
        message: "" if it does, else what was expected and what came.
    """

    captioner: str
    check: str
    clause: str
    passed: bool
    message: str

    def __str__(self) -> str:
        return f"{'ok    ' if self.passed else 'FAILED'}  {self.check}: {self.message or self.clause}"


def check_captioner(captioner: Captioner, images: Images) -> tuple[CheckResult, ...]:
    """Run every check that applies to a captioner, which for most classes means a trained one.

    Args:
        captioner: An instance.
        images: At least two images with the columns that it declares.

    Raises:
        ValueError: There are fewer than two images, or they lack a column.
    """
    if len(images) < 2 or not captioner.info.inputs <= images.available_inputs:
        needed = ", ".join(sorted(captioner.info.inputs)) or "keys"
        raise ValueError(f"`images` must be at least two images with {needed}, got {len(images)}")
    return tuple(_run(check, captioner, images) for check in CHECKS if check.applies(captioner))


def _run(check: Check, captioner: Captioner, images: Images) -> CheckResult:
    message = ""
    try:
        check.run(captioner, images)
    except (CheckFailed, CaptionerError) as error:
        message = str(error)
    except Exception as error:
        message = f"expected no exception; got {type(error).__name__}: {error}"
    return CheckResult(captioner.info.id, check.name, check.clause, passed=not message, message=message)


def _caption(
    captioner: Captioner,
    images: Images,
    *,
    decoding: Decoding | None = None,
    n: int = 1,
    allow_empty: bool = True,
) -> CaptionBatch:
    rng = np.random.default_rng(_SEED)
    return run_captioner(captioner, images, n=n, decoding=decoding, rng=rng, allow_empty=allow_empty)


def _check_results(captioner: Captioner, images: Images) -> None:
    _caption(captioner, images, allow_empty=False)


def _check_determinism(captioner: Captioner, images: Images) -> None:
    for decoding in _list_decodings(captioner):
        first, second = (_caption(captioner, images, decoding=decoding).captions for _ in range(2))
        require(first == second, expected=f"the same captions twice ({decoding})", came=_show(first, second))


def _check_order(captioner: Captioner, images: Images) -> None:
    forward = _caption(captioner, images).captions
    backward = _caption(captioner, images.select(range(len(images) - 1, -1, -1))).captions[::-1]
    require(forward == backward, expected="the same captions in any order of images", came=_show(forward, backward))


def _check_declared_inputs(captioner: Captioner, images: Images) -> None:
    absent = {name.value: None for name in ImageInput if name not in captioner.info.inputs}
    whole = _caption(captioner, images).captions
    narrow = _caption(captioner, replace(images, **absent)).captions  # type: ignore[arg-type]
    require(whole == narrow, expected="the same captions from the declared columns alone", came=_show(whole, narrow))


def _check_samples(captioner: Captioner, images: Images) -> None:
    drawn = _caption(captioner, images, decoding=replace(captioner.default_decoding, method="sample"), n=20)
    require(
        any(len(set(row)) > 1 for row in drawn.captions),
        expected="several captions among 20 samples of an image, since is_random is true",
        came=f"{drawn.captions[0][0]!r} each time",
    )


def _check_scores(captioner: Captioner, images: Images) -> None:
    longest = captioner.default_decoding.max_words
    for decoding in (*_list_decodings(captioner), Decoding(method="beam", max_words=longest)):
        batch = _caption(captioner, images, decoding=decoding)
        scores = run_scores(captioner, images, [row[0] for row in batch.captions]).log_probabilities
        found = batch.log_probabilities[:, 0]
        wrong = np.flatnonzero(~np.isclose(scores, found, rtol=0, atol=_PRECISION))
        if len(wrong):
            row = int(wrong[0])
            raise CheckFailed(
                f"expected score() to give what caption() gave, {found[row]:.6f} for {batch.captions[row][0]!r} "
                f"({decoding}); got {scores[row]:.6f}"
            )


def _check_pickling(captioner: Captioner, images: Images) -> None:
    copy: Captioner = pickle.loads(pickle.dumps(captioner))  # noqa: S301 - written in the same line
    first, second = _caption(captioner, images).captions, _caption(copy, images).captions
    require(first == second, expected="the same captions from a pickled copy", came=_show(first, second))


def _check_description(captioner: Captioner, _: Images) -> None:
    for name, value in captioner.describe().items():
        require(
            isinstance(name, str) and isinstance(value, str | int | float | bool),
            expected="describe() to give plain values by name",
            came=f"{name!r}: {type(value).__name__}",
        )


def _list_decodings(captioner: Captioner) -> tuple[Decoding, ...]:
    default = captioner.default_decoding
    return (default, *((replace(default, method="sample"),) if captioner.info.is_random else ()))


def _show(first: tuple[tuple[str, ...], ...], second: tuple[tuple[str, ...], ...]) -> str:
    differing = next(((one[0], other[0]) for one, other in zip(first, second, strict=True) if one != other), None)
    return " and ".join(map(repr, differing or ()))


CHECKS: Final = (
    Check("valid-captions", "gives each image one caption with words, in one line, not too long", _check_results),
    Check("determinism", "gives the same captions for the same images and seed", _check_determinism),
    Check("order-invariance", "gives an image the same caption whatever the order of images", _check_order),
    Check("declared-inputs", "reads only the columns that it declares", _check_declared_inputs),
    Check("random-samples", "draws different captions by `sample`", _check_samples, lambda each: each.info.is_random),
    Check("scores", "scores its own captions as it reported them", _check_scores, lambda each: each.info.can_score),
    Check("pickling", "survives pickling", _check_pickling),
    Check("description", "describes itself by plain values", _check_description),
)
