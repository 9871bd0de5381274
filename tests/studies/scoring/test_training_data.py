"""Tests of the training data of metrics: the judged rows of a study, without the images to be scored."""

import numpy as np
import pytest

from metrics_plugins.api import Level
from metrics_plugins.runtime import CrossFitted, load_registry
from metrics_plugins.runtime.preparing import Learning, PreparedMetric
from studies.enums import TaskKind
from studies.models import Exclusion, Image, Item, Run, Study
from studies.scoring.chunks import unpack_scores
from studies.scoring.errors import ScoringFailed
from studies.scoring.inputs import build_rows
from studies.scoring.metrics import list_unfitted
from studies.scoring.references import ReferenceSelection
from studies.scoring.study_scoring import ScoringOptions, score_study
from studies.scoring.training_data import TRAINING_KINDS, check_training_study, load_judged
from tests.factories.studies import NOW, make_judgment, make_rater
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.api.examples import Critic, ExamplePlugin, FittedCritic
from tests.studies.scoring.rows import add_item, make_rows

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def registry():
    return load_registry([ExamplePlugin(Critic)], blocked=INSTALLED_PLUGINS)


def make_judged_study(name="rows", *, values=((1, 3), (4, 5)), protocol="composite@1"):
    """Make the study of `make_rows`, whose items on `dog` and `cat` two raters judged."""
    study = make_rows(name, protocol=protocol)
    raters = [make_rater(study, f"rater-{number}") for number in range(2)]
    for item, own in zip(Item.objects.filter(task__study=study).order_by("pk"), values, strict=True):
        for rater, value in zip(raters, own, strict=True):
            make_judgment(item, rater, value)
    return study


def build(study, references="all"):
    return build_rows(study.dataset, level=Level.SEGMENT, selection=ReferenceSelection(references))


def test_rows_have_the_mean_of_their_judgments():
    study = make_judged_study(protocol="custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson")

    judged = load_judged(study, build(study))

    assert judged.batch.keys == ("dog-first", "cat-first")
    assert list(judged.batch.image_keys) == ["dog", "cat"]
    assert judged.batch.references[0] == ("a dog runs", "the  dog barks", "a brown animal")
    assert judged.targets.tolist() == [2.0, 4.5]


def test_excluded_raters_and_rows_that_the_protocol_drops_do_not_count():
    study = make_judged_study(protocol="custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson")
    rater = study.raters.get(pseudonym="rater-0")
    Exclusion.objects.create(rater=rater, reason="clicked through", decided_at=NOW)
    assert load_judged(study, build(study)).targets.tolist() == [3.0, 5.0]

    # Both candidates are references of their images.
    study.protocol = "flickr8k-expert@1"
    with pytest.raises(ScoringFailed, match="study rows has no judgments that its protocol counts"):
        load_judged(study, build(study))


def test_another_dataset_brings_its_own_references_and_keys():
    protocol = "custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson"
    other, scored = make_judged_study("other", protocol=protocol), make_rows()

    judged = load_judged(other, build(scored))

    assert judged.batch.keys == ("other/dog-first", "other/cat-first")


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (TaskKind.PAIRWISE, "study rows has no judgments of single captions to fit on: its tasks are pairwise"),
        (TaskKind.SET_RATING, "study rows has no judgments of single captions to fit on: its tasks are set_rating"),
        (TaskKind.RATING, "study rows has no judgments yet"),
        (TaskKind.CAPTION, "study rows collects captions, which have no values"),
    ],
)
def test_studies_that_nothing_can_be_learned_from(kind, message):
    study = make_rows()
    Study.objects.filter(pk=study.pk).update(kind=kind)
    study.refresh_from_db()

    with pytest.raises(ScoringFailed, match=message):
        load_judged(study, build(study))


def test_a_study_scores_itself_by_folds_of_images(registry):
    study = make_judged_study()
    add_item(study, "sea", position=2)

    report = score_study(study, now=lambda: NOW, metrics=["critic"], registry=registry)

    run = Run.objects.get()
    assert (report.failures, run.n_rows) == ((), 6)
    assert "|apart:cross-fitted|v:1" in run.signature
    # dog by what learned from cat, cat by what learned from dog; sea, which nobody judged, by one of both.
    dog, _, cat, _, sea, _ = unpack_scores(run).tolist()
    assert (dog, cat) == (4.5, 2.0)
    assert sea in (dog, cat)


def test_new_judgments_make_a_new_run(registry):
    study = make_judged_study()
    score_study(study, now=lambda: NOW, metrics=["critic"], registry=registry)
    judgment = Item.objects.get(candidate__key="cat-first").judgments.first()
    judgment.value = 1.0
    judgment.save()

    score_study(study, now=lambda: NOW, metrics=["critic"], registry=registry)
    score_study(study, now=lambda: NOW, metrics=["critic"], registry=registry)

    old, new = Run.objects.order_by("pk")
    assert old.signature != new.signature
    assert (unpack_scores(old)[0], unpack_scores(new)[0]) == (4.5, 3.0)
    assert study.metric_choices.get(metric="critic").signature == new.signature


def test_judgments_of_another_study(registry):
    scored, same = make_rows("scored"), make_judged_study("same")
    other = make_judged_study("other")
    for number, image in enumerate(Image.objects.filter(dataset=other.dataset)):
        image.key = f"image-{number}"
        image.save()

    kinds = {}
    for study in (same, other):
        rows = build(scored)
        learning = Learning(
            lambda: pytest.fail("it learns from judgments"),
            judged=load_judged(study, rows),
            scored_images=frozenset(rows.image_keys),
        )
        prepared = PreparedMetric(registry.build("critic"), learning)
        kinds[study.name] = (type(prepared.ready), prepared.signature.split("|")[2])
    assert kinds == {
        "same": (CrossFitted, "apart:cross-fitted"),
        "other": (FittedCritic, "apart:other-images"),
    }
    options = ScoringOptions(judging=other)
    assert score_study(scored, now=lambda: NOW, metrics=["critic"], registry=registry, options=options).failures == ()
    np.testing.assert_array_equal(unpack_scores(Run.objects.get()), 3.25)


def test_without_judgments_it_says_so_and_unasked_it_is_left_out(registry):
    study = make_rows()

    asked = score_study(study, now=lambda: NOW, metrics=["critic"], registry=registry)

    assert asked.failures == (("critic", "study rows has no judgments yet"),)
    reasons = dict(list_unfitted(registry, level=Level.SEGMENT, available=build(study).available_inputs))
    assert reasons["critic"].startswith("is fitted on judgments: select it by name")
    bundled = dict(list_unfitted(load_registry(), level=Level.SEGMENT, available=build(study).available_inputs))
    assert bundled["critic-judgments"] == reasons["critic"]


@pytest.mark.parametrize("kind", TaskKind)
@pytest.mark.parametrize("level", [Level.SEGMENT, Level.SET])
def test_kinds_that_fit_are_those_that_are_not_refused(kind, level):
    study = make_judged_study()
    Study.objects.filter(pk=study.pk).update(kind=kind)
    study.refresh_from_db()

    try:
        check_training_study(study, level)
    except ScoringFailed:
        trains = False
    else:
        trains = True

    assert trains is (kind in TRAINING_KINDS[level])
