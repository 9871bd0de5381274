"""Baselines of a plan or a command, with their files opened."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from django.core.files.base import ContentFile, File

from challenges.baselines.adding import NewBaseline
from challenges.baselines.captioning import caption_images
from challenges.enums import BaselineKind
from challenges.errors import ChallengeRefused
from challenges.hosting.plans import BaselinePlan
from challenges.models import Phase

_NEEDED: Final[Mapping[BaselineKind, tuple[str, ...]]] = {
    BaselineKind.COMMON_CAPTION: ("captions",),
    BaselineKind.NEAREST_NEIGHBOUR: ("captions", "features"),
    BaselineKind.HUMAN: (),
    BaselineKind.FILE: ("results",),
}
"""Kind -> the files that it needs."""
_FILES: Final = ("captions", "features", "test_features", "results")


def open_planned(plan: BaselinePlan, phase: Phase, *, folder: Path | None) -> NewBaseline:
    """Return the baseline of a plan; captions of nearest neighbours are computed here.

    Args:
        plan: The plan.
        phase: Its phase.
        folder: Where its files are; without one, as in requests from outside, it may name none.

    Raises:
        ChallengeRefused: A file is missing, cannot be read, or is none of its kind; or none may be named.
    """
    named = [each for each in _FILES if getattr(plan, each)]
    where = f"phase {phase.slug}, baseline {plan.name or plan.kind}"
    if folder is None and (named or _NEEDED[plan.kind]):
        raise ChallengeRefused(
            f"{where}: a plan that is sent cannot name files: add the baseline to the challenge with its file"
        )
    optional = ("test_features",) if plan.kind == BaselineKind.NEAREST_NEIGHBOUR else ()
    if set(named) - set(optional) != set(_NEEDED[plan.kind]):
        needed = ", ".join(_NEEDED[plan.kind]) or "no files"
        raise ChallengeRefused(f"{where}: must name {needed}, got {', '.join(named) or 'none'}")
    paths = {each: (folder or Path()) / getattr(plan, each) for each in named}
    given: dict[str, Any] = {}
    if plan.kind == BaselineKind.NEAREST_NEIGHBOUR:
        content = caption_images(
            phase,
            captioner=plan.kind.value,
            captions=str(paths["captions"]),
            features=paths["features"],
            test_features=paths.get("test_features"),
            settings={"neighbours": plan.neighbours},
        )
        given["results"] = ContentFile(content, name=f"{plan.kind}.json")
    elif named:
        try:
            given[named[0]] = File(paths[named[0]].open("rb"), name=paths[named[0]].name)
        except OSError as error:
            raise ChallengeRefused(f"{where}: {paths[named[0]]} cannot be read: {error.strerror}") from error
    return NewBaseline(kind=plan.kind, name=plan.name, seed=plan.seed, **given)
