"""A study that is small enough to compute correlations by hand."""

from studies.models import Candidate, Item
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW, make_judgment, make_rater, make_study

METRICS = ("length", "rouge-l")


def make_scored_study(name="study", *, values=(1, 2, 3), score=True, **extra):
    """Make a rated study whose captions are one word longer from item to item, judged once each by one rater.

    The score of `length` is then 2, 3, 4, ...; with rising values its tau is 1. No caption
    shares a word with its reference: `rouge-l` is 0 throughout, its tau undefined.
    """
    study = make_study(name, n_tasks=len(values), **extra)
    for number, candidate in enumerate(Candidate.objects.filter(dataset=study.dataset).order_by("key")):
        candidate.text = " ".join(["word"] * (2 + number % len(values)))
        candidate.save()
    rater = make_rater(study)
    for item, value in zip(list_items(study), values, strict=True):
        make_judgment(item, rater, value)
    if score:
        score_study(study, now=lambda: NOW, metrics=METRICS)
    return study


def list_items(study):
    return list(Item.objects.filter(task__study=study).order_by("task__position", "position"))
