"""Makes the human study of a phase: a draft as of files, with a dataset of its own that has no references."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import PurePosixPath
from random import Random
from typing import Any, Final

from challenges.board.freezing import load_board
from challenges.enums import BaselineKind, ChallengeAction
from challenges.errors import ChallengeRefused
from challenges.hosting.events import record_event
from challenges.human.criteria import CRITERIA
from challenges.human.samples import PEOPLE, draw_sample, make_rows
from challenges.models import HumanEntry, HumanStudy, Phase, Submission
from challenges.submissions.scoring import find_images
from challenges.submissions.scoring_jobs import read_submission
from studies.access.audit import Actor
from studies.datasets.drafts.creation import Draft, DraftContent, write_draft
from studies.datasets.drafts.images import PictureFile
from studies.models import Image, Reference, System
from studies.shared.errors import ImportFailed

MOST_IMAGES: Final = 500
MOST_RATERS: Final = 20
_LONGEST_SYSTEM: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class HumanPlan:
    """A human study to make.

    Attributes:
        name: Of the study and its dataset.
        criterion: A key of `CRITERIA`.
        n_images: How many images are sampled, 1 to `MOST_IMAGES`.
        seed: Of the sample; the same seed and entries give the same images for every criterion.
        raters_per_task: How many raters judge each caption, 1 to `MOST_RATERS`.
        submissions: Primary keys of the entries to judge; empty for all of the board.
    """

    name: str
    criterion: str
    n_images: int
    seed: int
    raters_per_task: int = 1
    submissions: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class StoredPictures:
    """The stored files of images, as a source of pictures for a draft."""

    images: dict[str, Image]

    @property
    def name(self) -> str:
        return "the images of the phase"

    def has(self, key: str) -> bool:
        return key in self.images

    def read(self, key: str) -> PictureFile:
        file = self.images[key].file
        with file.open("rb") as opened:
            return PictureFile(PurePosixPath(file.name).name, opened.read())


def list_entries(phase: Phase) -> list[Submission]:
    """Return the entries of the board of a phase with their teams, the best one first.

    Without human captions among the baselines, which are private references.
    """
    order = [each.submission for each in load_board(phase).entries]
    shown = Submission.objects.exclude(file="").exclude(baseline__kind=BaselineKind.HUMAN)
    found = shown.select_related("team", "phase__challenge").in_bulk(order)
    return [found[pk] for pk in order if pk in found]


def make_human_study(phase: Phase, *, plan: HumanPlan, owner: Any, actor: Actor, now: datetime) -> HumanStudy:
    """Make a draft in which people judge the entries of a phase, the first caption of each where there are several.

    Of the references it has those captions only that are judged themselves: for M1 and M2 one of each sampled image.

    Raises:
        ChallengeRefused: There are too few entries, images with pictures, or too many captions; or the name is taken or
            the owner's quota is used up.
    """
    criterion = CRITERIA[plan.criterion]
    chosen = [each for each in list_entries(phase) if not plan.submissions or each.pk in plan.submissions]
    names = name_systems(chosen)
    entries = {
        name: {image: texts[0] for image, texts in read_submission(each).captions.items()}
        for name, each in zip(names, chosen, strict=True)
    }
    rng = Random(f"{plan.seed}")  # noqa: S311 - the same sample again
    sample = draw_sample(entries, _list_references(phase), criterion=criterion, n_images=plan.n_images, rng=rng)
    images = {
        each.key: each for each in Image.objects.filter(dataset=phase.challenge.dataset_id, key__in=sample.images)
    }
    made: list[HumanStudy] = []

    def finish(draft: Draft) -> None:
        System.objects.filter(dataset=draft.study.dataset, name=PEOPLE).update(is_human=True)
        human = HumanStudy.objects.create(
            phase=phase,
            study=draft.study,
            criterion=criterion.name,
            images=list(sample.images),
            seed=plan.seed,
            created_at=now,
        )
        HumanEntry.objects.bulk_create(
            HumanEntry(human_study=human, submission=each, system=name)
            for name, each in zip(names, chosen, strict=True)
        )
        details = {"phase": phase.slug, "criterion": criterion.name, "study": draft.study.name}
        action = ChallengeAction.HUMAN_STUDY_MADE
        record_event(phase.challenge, actor=actor, action=action, now=now, details=details)
        made.append(human)

    try:
        write_draft(
            plan.name,
            kind=criterion.kind,
            design=replace(criterion.design, raters_per_task=plan.raters_per_task),
            judged=DraftContent(
                make_rows(sample, criterion=criterion, rng=rng),
                StoredPictures(images),
                source=f"entries of {phase.challenge.slug}, phase {phase.slug}",
            ),
            now=now,
            owner=owner,
            title=f"{phase.challenge.title}, {phase.title}: {criterion.name.label}"[:200],
            actor=actor,
            finish=finish,
        )
    except ImportFailed as error:
        raise ChallengeRefused(str(error)) from error
    return made[0]


def name_systems(submissions: Sequence[Submission]) -> list[str]:
    """Return a name for each submission: that of its team, with a number if it is taken."""
    taken: set[str] = {PEOPLE}
    names = []
    for each in submissions:
        name, number = each.team.name, 2
        while name in taken:
            name, number = f"{each.team.name} ({number})"[:_LONGEST_SYSTEM], number + 1
        taken.add(name)
        names.append(name)
    return names


def _list_references(phase: Phase) -> dict[str, list[str]]:
    """Return the references by key of the image, of images with a picture."""
    references: dict[str, list[str]] = {}
    wanted = Reference.objects.filter(image__in=find_images(phase).exclude(file="")).order_by("image_id", "position")
    for key, text in wanted.values_list("image__key", "text"):
        references.setdefault(key, []).append(text)
    return references
