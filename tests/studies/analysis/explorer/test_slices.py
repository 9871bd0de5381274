"""Tests of slices of observations against rows selected by loops over the database."""

from dataclasses import replace

import numpy as np
import pytest

from correlation.coefficients.bivariate import kendall_tau_c
from correlation.errors import CorrelationInputError
from studies.analysis.correlations import gather_observations
from studies.analysis.explorer.choice import Slice
from studies.analysis.explorer.facts import find_images, load_item_facts
from studies.analysis.explorer.slices import slice_observations
from studies.analysis.reports import correlate_observations
from studies.models import Item, Judgment, Rater, Reference, System
from studies.monitoring.exclusion import exclude_rater
from tests.factories.studies import NOW
from tests.studies.rated import make_rated_study

pytestmark = pytest.mark.django_db


def make_sliced_study():
    """A rated study with two systems and two categories, and dogs on every third image."""
    study = make_rated_study(score=True)
    other = System.objects.get(dataset=study.dataset, name="second")
    for number, item in enumerate(Item.objects.filter(task__study=study).order_by("pk")):
        Item.objects.filter(pk=item.pk).update(category=("HC", "HM")[number % 2])
        if number % 3 == 0:
            Reference.objects.filter(image=item.image).update(text="Two Dogs are running.")
        if number % 4 == 0:
            item.candidate.system = other
            item.candidate.save()
    return study


def slice_study(study, part, *, excluded=()):
    whole = gather_observations(study, with_excluded=True)
    images = find_images(study, part.thing, fingerprint="now") if part.thing else None
    return slice_observations(whole, part, excluded=frozenset(excluded), facts=load_item_facts(study), images=images)


def compute_by_hand(study, keep):
    """Tau-c of `length` over the judgments that `keep` lets through: the score is the number of words."""
    judgments = [each for each in Judgment.objects.filter(item__task__study=study) if keep(each)]
    words = [len(each.item.candidate.text.split()) for each in judgments]
    return len(judgments), kendall_tau_c(words, [each.value for each in judgments])


def count_words(judgment):
    return len(judgment.item.candidate.text.split())


@pytest.mark.parametrize(
    ("part", "keep"),
    [
        (Slice(), lambda _: True),
        (Slice(systems=("second",)), lambda each: each.item.candidate.system.name == "second"),
        (Slice(categories=("HM",)), lambda each: each.item.category == "HM"),
        (Slice(least_words=4), lambda each: count_words(each) >= 4),
        (Slice(least_words=3, most_words=5), lambda each: 3 <= count_words(each) <= 5),
        (Slice(thing="dog"), lambda each: "Dogs" in each.item.image.references.get().text),
        (
            Slice(raters="chosen", chosen_raters=("rater-0", "rater-2")),
            lambda each: each.rater.pseudonym in ("rater-0", "rater-2"),
        ),
        (
            Slice(systems=("first",), categories=("HC", "HM"), most_words=6),
            lambda each: each.item.candidate.system.name == "first" and count_words(each) <= 6,
        ),
    ],
    ids=lambda part: part.signature or "all" if isinstance(part, Slice) else "",
)
def test_a_slice_has_the_rows_that_a_loop_finds(part, keep):
    study = make_sliced_study()

    sliced = slice_study(study, part)

    rows = {row.metric: row for row in correlate_observations(sliced).rows}
    n, value = compute_by_hand(study, keep)
    assert 0 < n <= Judgment.objects.count()
    assert (rows["length"].n, rows["length"].value) == (n, pytest.approx(value, abs=1e-12))


def test_excluded_raters_are_left_out_unless_they_are_asked_for():
    study = make_rated_study()
    exclude_rater(Rater.objects.get(pseudonym="rater-1"), reason="asleep", now=NOW)

    kept, everybody, chosen = (
        slice_study(study, Slice(raters=raters, chosen_raters=names), excluded={"rater-1"})
        for raters, names in (("kept", ()), ("all", ()), ("chosen", ("rater-1",)))
    )

    assert [sorted(set(each.judgments.table.rater.tolist())) for each in (kept, everybody, chosen)] == [
        ["rater-0", "rater-2"],
        ["rater-0", "rater-1", "rater-2"],
        ["rater-1"],
    ]
    assert [each.judgments.n_excluded for each in (kept, everybody, chosen)] == [1, 0, 0]
    plain = gather_observations(study)
    assert correlate_observations(kept).rows == correlate_observations(plain).rows


def test_columns_of_items_stay_together():
    study = make_sliced_study()
    whole = gather_observations(study, with_excluded=True)
    whole = replace(whole, judgments=replace(whole.judgments, in_references=np.arange(12) % 5 == 0))

    sliced = slice_observations(whole, Slice(categories=("HM",)), excluded=frozenset())

    odd = np.arange(12) % 2 == 1
    assert sliced.judgments.scored.tolist() == whole.judgments.scored[odd].tolist()
    assert sliced.judgments.in_references.tolist() == whole.judgments.in_references[odd].tolist()
    assert [each.scores.tolist() for each in sliced.metrics] == [each.scores[:, odd].tolist() for each in whole.metrics]
    assert sliced.judgments.table.items.tolist() == whole.judgments.table.items[odd].tolist()


@pytest.mark.parametrize(
    ("part", "message"),
    [
        (Slice(systems=("third",)), "there is no system 'third' with judgments, there are: first, second"),
        (Slice(categories=("XX",)), "there is no category 'XX' with judgments, there are: HC, HM"),
        (Slice(raters="chosen", chosen_raters=("x",)), "there is no rater 'x' with judgments, there are: rater-0, "),
        (Slice(raters="chosen"), "no raters are selected; select at least one"),
        (Slice(least_words=9, most_words=3), "there cannot be captions with at least 9 and at most 3 words"),
        (Slice(least_words=90), "study rated: there are no judgments in this subset; choose a larger one"),
        (Slice(thing="unicorn"), "unknown object category 'unicorn', known are: person, bicycle, "),
    ],
)
def test_what_is_not_there_is_refused(part, message):
    with pytest.raises(CorrelationInputError, match=message):
        slice_study(make_sliced_study(), part)


def test_too_many_references_are_not_looked_through(monkeypatch):
    monkeypatch.setattr("studies.analysis.explorer.facts.MOST_REFERENCES", 11)

    with pytest.raises(
        CorrelationInputError, match="objects can be searched in at most 11 references, but dataset rated-data has 12"
    ):
        slice_study(make_sliced_study(), Slice(thing="dog"))
