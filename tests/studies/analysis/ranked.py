"""Studies of every kind in which raters prefer the captions of one of three systems."""

import numpy as np

from studies.enums import TaskKind
from studies.models import Candidate, CaptionSet, Image, Item, System, Task
from tests.factories.studies import make_judgment, make_rater, make_study

SYSTEMS = ("best", "middle", "worst")


def make_ranked_study(name="ranked", *, kind=TaskKind.RATING, n_images=12, n_raters=3, categories=("",), **extra):
    """Make a study with a task for each image and criterion, and the same judgments by all raters but for noise.

    The system `best` is rated 4, `middle` 3 and `worst` 2 on a scale from 1 to 4, give or take one (seed 1).
    """
    study = make_study(name, kind=kind, n_tasks=0, **extra)
    System.objects.filter(dataset=study.dataset).delete()
    systems = [System.objects.create(dataset=study.dataset, name=each) for each in SYSTEMS]
    raters = [make_rater(study, f"rater-{number:02}") for number in range(n_raters)]
    noise = np.random.default_rng(1)
    for place in range(n_images):
        image = Image.objects.create(dataset=study.dataset, key=f"image-{place:02}")
        captions = [_make_caption(study, image, system) for system in systems]
        for number, category in enumerate(categories):
            task = Task.objects.create(study=study, position=place * len(categories) + number)
            for position, fields in enumerate(_list_items(kind, captions)):
                Item.objects.create(
                    task=task,
                    position=position,
                    key=f"{task.position}-{position}",
                    image=image,
                    category=category,
                    **fields,
                )
            for rater in raters:
                _judge(kind, task, rater, noise)
    return study


def _make_caption(study, image, system):
    owner = CaptionSet.objects.create(image=image, system=system)
    return Candidate.objects.create(
        dataset=study.dataset,
        image=image,
        system=system,
        caption_set=owner,
        key=f"{system.name}-{image.key}",
        text=f"A caption by {system.name}.",
    )


def _list_items(kind, captions):
    if kind == TaskKind.PAIRWISE:
        pairs = [(0, 1), (0, 2), (1, 2)]
        return [{"candidate": captions[one], "other_candidate": captions[other]} for one, other in pairs]
    if kind == TaskKind.SET_RATING:
        return [{"caption_set": each.caption_set} for each in captions]
    return [{"candidate": each} for each in captions]


def _judge(kind, task, rater, noise):
    items = list(task.items.order_by("position"))
    liked = [min(4, max(1, 4 - place + int(noise.integers(-1, 2)))) for place in range(3)]
    if kind == TaskKind.PAIRWISE:
        values = [float(np.sign(liked[one] - liked[other])) for one, other in [(0, 1), (0, 2), (1, 2)]]
    elif kind == TaskKind.BEST_WORST:
        order = np.argsort(liked, kind="stable")
        values = [{int(order[-1]): 1.0, int(order[0]): -1.0}.get(place, 0.0) for place in range(3)]
    elif kind == TaskKind.TURING:
        values = [float(value > 2) for value in liked]
    elif kind == TaskKind.SET_RATING:
        values = [value / 4 for value in liked]
    else:
        values = [float(value) for value in liked]
    for item, value in zip(items, values, strict=True):
        make_judgment(item, rater, value)
