"""Factories of users, datasets, studies, raters and judgments, without anything that a test did not request."""

from datetime import UTC, datetime

from django.contrib.auth.models import User

from studies.design.study_design import ScalePoint, StudyDesign
from studies.enums import MemberRole, StudyState, TaskKind
from studies.models import (
    Candidate,
    CaptionSet,
    Dataset,
    Image,
    Item,
    Judgment,
    Rater,
    Reference,
    Study,
    StudyMember,
    StudyVersion,
    System,
    Task,
)

NOW = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)
SCALE = tuple(ScalePoint(value, label) for value, label in enumerate(("Bad", "Poor", "Fair", "Good"), start=1))
PROTOCOLS = dict.fromkeys(TaskKind, "flickr8k-expert@1") | {
    TaskKind.PAIRWISE: "pascal-50s@1",
    TaskKind.SET_RATING: "diversity@1",
}


def make_user(username="owner", **extra):
    """Make a user whose password is the user name."""
    return User.objects.create_user(username, password=username, **extra)


def make_dataset(name="dataset", **extra):
    return Dataset.objects.create(**{"name": name, "title": name.title(), "created_at": NOW, **extra})


def make_design(**extra):
    texts = {"instructions": "Read the caption.", "consent": "I agree.", "question": "How well does it fit?"}
    return StudyDesign(**{**texts, **extra})


def make_study(name="study", *, kind=TaskKind.RATING, n_tasks=2, owner=None, state=StudyState.DRAFT, **extra):
    """Make a study of its own dataset with one item a task, candidates of two systems and one version of a design."""
    dataset = make_dataset(f"{name}-data")
    study = Study.objects.create(
        dataset=dataset,
        name=name,
        kind=kind,
        owner=owner,
        **{"title": name.title(), "state": StudyState.DRAFT, "protocol": PROTOCOLS[kind], "created_at": NOW, **extra},
    )
    design = make_design(**({"scale": SCALE} if kind == TaskKind.RATING else {}))
    StudyVersion.objects.create(study=study, number=1, design=design.to_json(), created_at=NOW)
    systems = [System.objects.create(dataset=dataset, name=system) for system in ("first", "second")]
    _make_tasks(study, n_tasks=n_tasks, systems=systems)
    if state != StudyState.DRAFT:
        Study.objects.filter(pk=study.pk).update(state=state, started_at=NOW)
        study.refresh_from_db()
    return study


def _make_tasks(study, *, n_tasks, systems):
    """Make tasks with one item of the study's kind each, on an image of its own."""
    dataset, positions = study.dataset, range(n_tasks)
    images = Image.objects.bulk_create(Image(dataset=dataset, key=f"image-{position}") for position in positions)
    Reference.objects.bulk_create(
        Reference(image=image, position=0, text=f"A reference of image {position}.")
        for position, image in enumerate(images)
    )
    sets = CaptionSet.objects.bulk_create(
        CaptionSet(image=image, system=system) for image in images for system in systems
    )
    captions = Candidate.objects.bulk_create(
        Candidate(
            dataset=dataset,
            image=each.image,
            system=each.system,
            caption_set=each,
            key=f"{each.system.name}-{number // len(systems)}",
            text=f"A caption by {each.system.name} of image {number // len(systems)}.",
        )
        for number, each in enumerate(sets)
    )
    tasks = Task.objects.bulk_create(Task(study=study, position=position) for position in positions)
    items = []
    for position, task in enumerate(tasks):
        first, second = (2 * position, 2 * position + 1)
        judged = {
            TaskKind.PAIRWISE: {"candidate": captions[first], "other_candidate": captions[second]},
            TaskKind.SET_RATING: {"caption_set": sets[first]},
            TaskKind.CAPTION: {},
        }
        fields = judged.get(study.kind, {"candidate": captions[first]})
        items.append(Item(task=task, position=0, key=f"item-{position}", image=images[position], **fields))
    Item.objects.bulk_create(items)


def make_member(study, user, role=MemberRole.VIEWER):
    return StudyMember.objects.create(study=study, user=user, role=role)


def make_rater(study, pseudonym="rater-1", **extra):
    return Rater.objects.create(**{"study": study, "pseudonym": pseudonym, "joined_at": NOW, **extra})


def make_judgments(given):
    """Make judgments of items, raters and values."""
    return Judgment.objects.bulk_create(
        Judgment(item=item, rater=rater, value=value, created_at=NOW) for item, rater, value in given
    )


def make_judgment(item, rater, value=1.0, **extra):
    return Judgment.objects.create(**{"item": item, "rater": rater, "value": value, "created_at": NOW, **extra})
