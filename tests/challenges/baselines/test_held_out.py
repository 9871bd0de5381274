"""Tests of human captions: references that are held out and scored against the others."""

import pytest

from challenges.baselines.held_out import draw_captions
from challenges.errors import ChallengeRefused
from challenges.hosting.actions import rescore
from challenges.models import PhaseReferences, SubmissionScore
from challenges.submissions.scoring import Measure, compute_score
from metrics_plugins.readers.results import ResultsFile
from studies.access.audit import COMMAND_LINE
from studies.models import Reference
from tests.challenges.baselines.adding import add, read_captions
from tests.challenges.challenges import CAPTIONS, make_challenge, make_phase, score_all
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db


def make_own(references=(("c2", 2), ("c3", 3)), **extra):
    return make_phase(make_challenge(), references=references, **extra)


def test_captions_are_references_that_all_sets_share():
    phase = make_own()

    drawn = [draw_captions(phase, seed=seed) for seed in range(20)]

    # c2 has the first two references only.
    found = {key: {each[key][0] for each in drawn} for key in CAPTIONS}
    assert found == {key: set(texts[:2]) for key, texts in CAPTIONS.items()}
    assert drawn[3] == draw_captions(phase, seed=3)


def test_scores_are_those_of_the_captions_with_the_other_references():
    phase = make_own(references=(("c2", 2),), metrics=("rouge-l", "cider-d"))

    made = add(phase, "human", seed=5)
    score_all()

    captions = {key: tuple(texts) for key, texts in read_captions(made.submission).items()}
    assert captions == draw_captions(phase, seed=5)
    others = {key: tuple(text for text in CAPTIONS[key][:2] if text != captions[key][0]) for key in CAPTIONS}
    results = ResultsFile(captions=captions, split=None, algorithm=None)
    for metric in ("rouge-l", "cider-d"):
        expected = compute_score(Measure(metric, {}, "c2", others), results=results)
        stored = SubmissionScore.objects.get(submission=made.submission, metric=metric)
        assert (stored.value, stored.n_images) == (pytest.approx(expected.value), 4)
        # It is not compared with itself.
        assert stored.value < 1


def test_of_equal_references_one_remains():
    phase = make_own(references=(("c2", 2),), metrics=("rouge-l",))
    Reference.objects.filter(position__lt=2).update(text="a dog")

    made = add(phase, "human")
    score_all()

    assert SubmissionScore.objects.get(submission=made.submission).value == pytest.approx(1)


def test_caption_sets_hold_out_as_many():
    phase = make_own(references=(("c3", 3),), captions_per_image=2)
    phase.images.set(phase.challenge.dataset.images.exclude(key="13"))

    drawn = draw_captions(phase, seed=1)

    assert {key: len(set(texts)) for key, texts in drawn.items()} == {"10": 2, "11": 2, "12": 2}


@pytest.mark.parametrize(
    ("references", "problem"),
    [
        ((("c1", 1),), "image 10 has 1 in c1 (and 3 more images)"),
        # Image 13 has two references, and so is not in the set.
        ((("c3", 3),), "image 13 has none"),
        ((("c2", 2), ("c1", 1)), "image 10 has 1 in c1 (and 3 more images)"),
    ],
)
def test_images_with_too_few_references_are_named(references, problem):
    phase = make_own(references=references)

    with pytest.raises(ChallengeRefused) as refusal:
        add(phase, "human")

    assert str(refusal.value) == (
        f"human captions need at least 2 references of each image in each set, of which 1 is its caption: {problem}"
    )


def test_sets_must_share_a_reference():
    phase = make_own(references=())
    phase.images.set(phase.challenge.dataset.images.filter(key="10"))
    image = phase.images.get()
    Reference.objects.create(image=image, position=3, text="one more")
    for position, start in enumerate((0, 2)):
        PhaseReferences.objects.create(phase=phase, name=f"from-{start}", start=start, count=2, position=position)

    with pytest.raises(ChallengeRefused, match="image 10 has 0 that are in all sets"):
        draw_captions(phase, seed=1)


def test_references_that_changed_since_are_no_score():
    phase = make_own(references=(("c2", 2),))
    made = add(phase, "human")
    score_all()
    Reference.objects.filter(image__key="11").update(text="something else")
    before = list(made.submission.scores.values_list("pk", "value"))

    rescore(phase, reason="References were corrected.", actor=COMMAND_LINE, now=NOW)
    score_all()

    made.submission.refresh_from_db()
    assert made.submission.reason == "the references of image 11 have changed since its captions were drawn"
    assert list(made.submission.scores.values_list("pk", "value")) == before
