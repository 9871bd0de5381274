"""Tests of human studies of a phase: what is sampled, what raters judge, and which references get out."""

from random import Random

import pytest

from challenges.enums import HumanCriterion
from challenges.errors import ChallengeRefused
from challenges.hosting.actions import disqualify, find_problems
from challenges.human.criteria import CRITERIA
from challenges.human.making import list_entries, name_systems
from challenges.human.samples import PEOPLE, draw_sample
from challenges.models import ChallengeEvent, HumanStudy, Submission, Team
from studies.access.audit import COMMAND_LINE
from studies.enums import StudyState
from studies.models import Candidate, Image, Item, Reference, Study, System
from tests.challenges.challenges import CAPTIONS
from tests.challenges.human.evaluation import TEAMS, evaluate
from tests.factories.studies import NOW, make_member, make_user

pytestmark = pytest.mark.django_db


def list_captions(human):
    """Return the captions of the study's dataset by system."""
    found = Candidate.objects.filter(dataset=human.study.dataset).order_by("image__key")
    texts = {}
    for system, image, text in found.values_list("system__name", "image__key", "text"):
        texts.setdefault(system, {})[image] = text
    return texts


@pytest.mark.parametrize("criterion", HumanCriterion.values)
def test_a_study_is_a_draft_of_the_host_with_the_same_images_for_all_entries(phase, criterion):
    human = evaluate(phase, criterion, n_images=3, raters_per_task=2)

    study, asked = human.study, CRITERIA[criterion]
    captions = list_captions(human)
    assert (study.state, study.owner, study.kind) == (StudyState.DRAFT, phase.challenge.owner, asked.kind)
    assert study.versions.get().design["raters_per_task"] == 2
    assert study.versions.get().design["question"] == asked.design.question
    assert set(captions) == {*TEAMS, *([PEOPLE] if asked.shows_people else [])}
    assert {frozenset(texts) for texts in captions.values()} == {frozenset(human.images)}
    assert set(Item.objects.filter(task__study=study).values_list("category", flat=True)) == {criterion}
    assert all(image.file for image in Image.objects.filter(dataset=study.dataset))
    assert set(human.entries.values_list("submission__team__name", "system")) == {(name, name) for name in TEAMS}
    assert list(System.objects.filter(dataset=study.dataset, is_human=True)) == list(
        System.objects.filter(dataset=study.dataset, name=PEOPLE)
    )


def test_the_same_seed_gives_the_same_images_for_every_criterion(phase):
    first, second = evaluate(phase, "M1", n_images=2, seed=5), evaluate(phase, "M4", n_images=2, seed=5)
    others = {tuple(evaluate(phase, "M5", n_images=2, seed=seed, name=f"s{seed}").images) for seed in range(8)}

    assert first.images == second.images
    assert len(others) > 1


@pytest.mark.parametrize("criterion", HumanCriterion.values)
def test_no_reference_gets_out_but_the_human_captions_that_are_judged(phase, criterion):
    human = evaluate(phase, criterion, n_images=3)

    private = {text for texts in CAPTIONS.values() for text in texts}
    # An entry may have written a reference itself.
    own = {text for name, texts in list_captions(human).items() if name != PEOPLE for text in texts.values()}
    shown = set(Candidate.objects.filter(dataset=human.study.dataset).values_list("text", flat=True))
    assert not Reference.objects.filter(image__dataset=human.study.dataset).exists()
    assert len((shown - own) & private) <= (3 if CRITERIA[criterion].shows_people else 0)
    assert Candidate.objects.filter(dataset=human.study.dataset, system__name=PEOPLE).count() == (
        3 if CRITERIA[criterion].shows_people else 0
    )


@pytest.mark.parametrize(("criterion", "pairs"), [("M1", 3 * 4), ("wins", 3 * 4)])
def test_pairs(phase, criterion, pairs):
    human = evaluate(phase, criterion)

    judged = Item.objects.filter(task__study=human.study)
    others = set(judged.values_list("other_candidate__system__name", flat=True))
    assert judged.count() == pairs
    assert others == ({PEOPLE} if criterion == "M1" else set(TEAMS))


def test_chosen_entries_only(phase):
    lynx = Submission.objects.get(team__name="Lynx")

    human = evaluate(phase, submissions=frozenset({lynx.pk}))

    assert set(list_captions(human)) == {"Lynx"}


def test_entries_are_those_of_the_board(phase):
    disqualify(
        Submission.objects.select_related("team__challenge").get(team__name="Puma"),
        reason="Copied.",
        actor=COMMAND_LINE,
        now=NOW,
    )

    assert {each.team.name for each in list_entries(phase)} == {"Lynx", "Ibex"}


def test_images_without_a_picture_or_a_caption_are_left_out(phase):
    Image.objects.filter(dataset=phase.challenge.dataset, key="12").update(file="")

    assert "12" not in evaluate(phase, n_images=3).images
    with pytest.raises(ChallengeRefused, match="must be 1 to 3, which have a picture"):
        evaluate(phase, n_images=4, name="other")


def test_what_is_refused(phase):
    evaluate(phase)

    with pytest.raises(ChallengeRefused, match="existing study"):
        evaluate(phase)
    with pytest.raises(ChallengeRefused, match="choose 2 or more entries, got 1"):
        evaluate(phase, "wins", submissions=frozenset({Submission.objects.first().pk}))
    with pytest.raises(ChallengeRefused, match="1 to 4"):
        evaluate(phase, n_images=0, name="other")
    assert (HumanStudy.objects.count(), Study.objects.count()) == (1, 1)


def test_too_many_captions_are_refused():
    images = {str(number): ["a cat"] for number in range(20_000)}

    with pytest.raises(ChallengeRefused, match="at most 20,000 captions can be judged, got 20,002"):
        draw_sample(
            {"a": dict.fromkeys(images, "a dog")}, images, criterion=CRITERIA["M3"], n_images=10_001, rng=Random(1)
        )


def test_a_team_with_the_name_of_people_gets_a_number():
    submissions = [Submission(team=Team(name=name)) for name in (PEOPLE, "Lynx", "Lynx")]

    assert name_systems(submissions) == ["human (2)", "Lynx", "Lynx (2)"]


def test_the_making_is_recorded(phase):
    evaluate(phase, "M2")

    event = ChallengeEvent.objects.first()
    assert (event.action, event.details) == ("human_made", {"phase": "test", "criterion": "M2", "study": "study-m2"})


def test_a_challenge_cannot_be_opened_while_others_see_human_captions_in_a_study(phase):
    human = evaluate(phase, "M1")
    assert not any("study" in problem for problem in find_problems(phase.challenge, now=NOW))

    make_member(human.study, make_user("colleague"))

    assert "study study-m1: people who are not hosts can see its human captions, which are references" in find_problems(
        phase.challenge, now=NOW
    )


def test_a_study_without_human_captions_may_have_members(phase):
    make_member(evaluate(phase, "M3").study, make_user("colleague"))

    assert not any("study" in problem for problem in find_problems(phase.challenge, now=NOW))
