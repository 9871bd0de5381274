"""Adds baselines to phases; they are validated and scored like submissions, and count towards no limit."""

import hashlib
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath
from typing import Any, Final

from django.core.files.base import File
from django.db import transaction
from django.db.models import QuerySet

from challenges.baselines.held_out import draw_captions
from challenges.enums import BaselineKind, ChallengeAction, SubmissionState
from challenges.errors import ChallengeRefused
from challenges.hosting.events import record_event
from challenges.models import Baseline, Phase, Submission, Team
from challenges.submissions.scoring_jobs import queue_scoring
from metrics_plugins.readers.results import MAX_BYTES
from studies.access.audit import Actor

MOST_BASELINES: Final = 20
"""The most baselines of a phase that are not removed."""
LONGEST_NAME: Final = 60
MOST_SEED: Final = 2**31 - 1

UPLOADED: Final = tuple(choice for choice in BaselineKind.choices if choice[0] != BaselineKind.NEAREST_NEIGHBOUR)
"""The kinds that pages and the API add; features of images are too large to be sent, and so commands read them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBaseline:
    """A baseline to add.

    Attributes:
        kind: Where its captions come from.
        name: At most `LONGEST_NAME` characters; by default that of the kind, but for `FILE`.
        seed: Of the choice of held-out references, 0 to `MOST_SEED`; only for `HUMAN`.
        captions: Training captions, COCO's JSON; only for `COMMON_CAPTION`, whose captions are made from them later.
        results: A file of results, with the captions; for all kinds but `HUMAN`.
    """

    kind: BaselineKind
    name: str = ""
    seed: int = 1
    captions: Any = None
    results: Any = None

    @classmethod
    def make(cls, kind: BaselineKind, *, name: str = "", seed: int = 1, file: Any = None) -> "NewBaseline":
        """Return a baseline with the one file that a form has: training captions of a common caption, else results."""
        is_training = kind == BaselineKind.COMMON_CAPTION
        return cls(kind=kind, name=name, seed=seed, **{"captions": file} if is_training else {"results": file})

    @property
    def file(self) -> Any:
        """The file that is stored; None for `HUMAN`."""
        return self.results or self.captions

    def close(self) -> None:
        """Close the file."""
        if self.file:
            self.file.close()


def list_baselines(phase: Phase) -> QuerySet[Baseline]:
    """Return the baselines of a phase that are not removed, in the order in which they were added."""
    found = Baseline.objects.filter(submission__phase=phase, submission__disqualified_because="")
    return found.select_related("submission__team", "submission__phase").order_by("pk")


def add_baselines(new: Iterable[tuple[Phase, NewBaseline]], *, actor: Actor, now: datetime) -> list[Baseline]:
    """Add baselines, all or none, and queue their scoring.

    Raises:
        ChallengeRefused: A board is final, a name is taken or invalid, a file is missing or has a wrong name or size,
            a phase has `MOST_BASELINES`, or an image has too few references for human captions.
    """
    stored: list[Any] = []
    try:
        with transaction.atomic():
            made = []
            for phase, each in new:
                with closing(each):
                    made.append(_add(phase, each, actor=actor, now=now, stored=stored))
            return made
    except BaseException:
        for file in stored:
            file.delete(save=False)
        raise


def add_baseline(phase: Phase, new: NewBaseline, *, actor: Actor, now: datetime) -> Baseline:
    """Add one baseline; raise ChallengeRefused as `add_baselines` does."""
    return add_baselines([(phase, new)], actor=actor, now=now)[0]


def copy_baselines(pairs: Iterable[tuple[Phase, Phase]], *, actor: Actor, now: datetime) -> None:
    """Add the baselines of phases to copies of these, but for those that failed.

    Human captions are drawn anew with the same seed.
    """
    ended_badly = (SubmissionState.FAILED, SubmissionState.CANCELLED)
    found = [
        (copy, _copy(each))
        for phase, copy in pairs
        for each in list_baselines(phase).exclude(submission__state__in=ended_badly)
    ]
    add_baselines(found, actor=actor, now=now)


def _copy(baseline: Baseline) -> NewBaseline:
    submission = baseline.submission
    known = {"kind": BaselineKind(baseline.kind), "name": submission.team.name}
    if baseline.kind == BaselineKind.HUMAN:
        return NewBaseline(**known, seed=baseline.seed)
    field, file = ("results", submission.file) if submission.file else ("captions", baseline.source)
    return NewBaseline(
        **known, **{field: File(file, name=f"{PurePath(submission.name).stem}{PurePath(file.name).suffix}")}
    )


def _add(phase: Phase, new: NewBaseline, *, actor: Actor, now: datetime, stored: list[Any]) -> Baseline:
    # Locked, so that baselines that are added at the same time are counted, and the final board has them or not.
    locked = Phase.objects.select_for_update().get(pk=phase.pk)
    if locked.frozen_at is not None:
        raise ChallengeRefused("the leaderboard of the phase is final")
    if list_baselines(phase).count() >= MOST_BASELINES:
        raise ChallengeRefused(f"the phase has {MOST_BASELINES} baselines, which is the maximum: remove one")
    name = new.name.strip() or ("" if new.kind == BaselineKind.FILE else new.kind.label)
    team = _find_team(phase, name=name, now=now)
    _check_files(phase, new)
    given = new.file
    submission = Submission(
        team=team,
        phase=phase,
        made_by=actor.user,
        name=PurePath(given.name).name[:200] if given else f"{new.kind}.json",
        n_bytes=0,
        state=SubmissionState.RECEIVED,
        created_at=now,
        is_baseline=True,
    )
    baseline = Baseline(kind=new.kind, seed=new.seed if new.kind == BaselineKind.HUMAN else None)
    if new.results:
        submission.n_bytes, submission.digest = new.results.size, _digest(new.results)
    if given:
        field = submission.file if new.results else baseline.source
        stored.append(field)
        field.save(f"{submission.token}{PurePath(given.name).suffix.lower()}", given, save=False)
    submission.save()
    baseline.submission = submission
    baseline.save()
    details = {"phase": phase.slug, "baseline": team.name, "kind": new.kind, "submission": submission.token}
    if baseline.seed is not None:
        details["seed"] = baseline.seed
    record_event(phase.challenge, actor=actor, action=ChallengeAction.BASELINE_ADDED, now=now, details=details)
    queue_scoring(submission, now=now)
    return baseline


def _find_team(phase: Phase, *, name: str, now: datetime) -> Team:
    if not 0 < len(name) <= LONGEST_NAME:
        raise ChallengeRefused(f"the name of a baseline must have 1 to {LONGEST_NAME} characters, got {len(name)}")
    team, _ = Team.objects.get_or_create(
        challenge=phase.challenge, name=name, defaults={"is_baseline": True, "created_at": now}
    )
    if not team.is_baseline:
        raise ChallengeRefused(f"there is already a team with the name {name!r}: choose another name for the baseline")
    if list_baselines(phase).filter(submission__team=team).exists():
        raise ChallengeRefused(f"the phase already has a baseline with the name {name!r}")
    return team


def _check_files(phase: Phase, new: NewBaseline) -> None:
    if new.kind == BaselineKind.HUMAN:
        if new.captions or new.results:
            raise ChallengeRefused("human captions are drawn from the references: give no file")
        if not 0 <= new.seed <= MOST_SEED:
            raise ChallengeRefused(f"the seed must be 0 to {MOST_SEED:,}, got {new.seed:,}")
        # Nobody should wait for the scoring to learn that references are missing.
        draw_captions(phase, seed=new.seed)
        return
    if new.kind == BaselineKind.COMMON_CAPTION:
        needed, endings = "training captions", (".json",) if new.captions else (".json", ".zip")
    else:
        needed, endings = "results", (".json", ".zip")
    file = new.file
    if file is None:
        raise ChallengeRefused(f"{new.kind.label}: give a file of {needed}")
    if not file.name.lower().endswith(endings):
        raise ChallengeRefused(f"the name of the file must end with {' or '.join(endings)}, got {file.name}")
    if not 0 < file.size <= MAX_BYTES:
        raise ChallengeRefused(f"a file may have 1 to {MAX_BYTES:,} bytes, got {file.size:,}")


def _digest(file: Any) -> str:
    digest = hashlib.sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    return digest.hexdigest()
