"""A study that is small enough to compute correlations by hand."""

from studies.models import Candidate, Item
from studies.scoring.study_scoring import score_study
from tests.factories.studies import NOW, make_judgments, make_rater, make_study

METRICS = ("length", "rouge-l")


def make_scored_study(name="study", *, values=(1, 2, 3), score=True, **extra):
    """Make a rated study whose captions are one word longer from item to item, judged once each by one rater.

    The score of `length` is then 2, 3, 4, ...; with rising values its tau is 1. No caption
    shares a word with its reference: `rouge-l` is 0 throughout, its tau undefined.
    """
    study = make_study(name, n_tasks=len(values), **extra)
    captions = Candidate.objects.filter(dataset=study.dataset).order_by("key")
    texts = [" ".join(["word"] * (2 + number % len(values))) for number in range(len(captions))]
    write_captions(captions, texts=texts)
    rater = make_rater(study)
    make_judgments((item, rater, value) for item, value in zip(list_items(study), values, strict=True))
    if score:
        score_study(study, now=lambda: NOW, metrics=METRICS)
    return study


def write_captions(captions, *, texts):
    """Change the texts of captions."""
    for caption, text in zip(captions, texts, strict=True):
        caption.text = text
    Candidate.objects.bulk_update(captions, ["text"])


def list_items(study):
    items = Item.objects.filter(task__study=study).select_related("candidate", "other_candidate")
    return list(items.order_by("task__position", "position"))
