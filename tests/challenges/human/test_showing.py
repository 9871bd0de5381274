"""Tests of the pages of human studies, and of their results with the leaderboard."""

import pytest
from django.urls import reverse
from django.utils import timezone

from challenges.board.freezing import freeze_board
from challenges.errors import ChallengeRefused
from challenges.human.samples import PEOPLE
from challenges.human.showing import show_human_results
from challenges.models import Challenge, HumanStudy, Phase, Submission
from studies.access.audit import COMMAND_LINE
from studies.models import Study
from tests.challenges.challenges import CAPTIONS
from tests.challenges.human.evaluation import close_human, evaluate, judge, open_human
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
VALUES = {"Lynx": 5.0, "Ibex": 4.0, "Puma": 1.0}


def find(phase, name, **extra):
    return reverse(f"challenges:{name}", kwargs={"slug": phase.challenge.slug, "phase": phase.slug, **extra})


def read_people(client, phase):
    """Return the section with human results; empty without one."""
    return client.get(find(phase, "board")).content.decode().partition('id="people"')[2]


@pytest.fixture
def shown(phase):
    human = evaluate(phase)
    open_human(human)
    judge(human, VALUES)
    close_human(human)
    return phase


def make(client, phase, **given):
    client.force_login(phase.challenge.owner)
    data = {"criterion": "M1", "n_images": 2, "raters_per_task": 3, "seed": 4, "name": "", **given}
    return client.post(find(phase, "human_new"), data)


def test_a_host_makes_a_study_by_a_form(client, phase):
    client.force_login(phase.challenge.owner)
    page = client.get(find(phase, "human_new")).content.decode()
    answer = make(client, phase)

    human = HumanStudy.objects.get()
    assert "raters also see one human caption of each sampled image" in page
    assert answer.url == "/studies/captions-test-m1/"
    assert (human.seed, len(human.images), human.entries.count()) == (4, 2, 3)
    assert human.study.versions.get().design["raters_per_task"] == 3
    assert client.get(answer.url).status_code == 200


def test_chosen_entries(client, phase):
    lynx = Submission.objects.get(team__name="Lynx")

    make(client, phase, entries=[lynx.pk], name="chosen")

    assert [each.submission for each in HumanStudy.objects.get(study__name="chosen").entries.all()] == [lynx]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"n_images": 5}, "The number of images must be 1 to 4"),
        ({"n_images": 501}, "less than or equal to 500"),
        ({"criterion": "M9"}, "M9"),
        ({"seed": -1}, "greater than or equal to 0"),
        ({"raters_per_task": 0}, "greater than or equal to 1"),
        ({"entries": [0]}, "0"),
    ],
)
def test_what_the_form_refuses(client, phase, given, message):
    answer = make(client, phase, **given)

    assert answer.status_code == 422
    assert message in answer.content.decode()
    assert not Study.objects.exists()


def test_results_are_on_the_board_once_the_study_is_closed(client, shown):
    people = read_people(client, shown)

    assert all(text in people for text in ("Lynx", "5.000", "4.000", "1.000", "on the same 4 images"))
    assert people.count('<td class="number">8</td>') == 3


def test_results_of_an_open_study_are_shown_by_decision_of_a_host(client, phase):
    human = evaluate(phase)
    open_human(human)
    judge(human, VALUES)
    before = read_people(client, phase)
    client.force_login(phase.challenge.owner)

    answer = client.post(find(phase, "human_show", pk=human.pk), follow=True)
    client.logout()

    assert before == ""
    assert "The results are shown" in answer.content.decode()
    assert "the study has not ended yet" in read_people(client, phase)
    assert phase.challenge.events.first().action == "human_shown"
    with pytest.raises(ChallengeRefused, match="shown already"):
        show_human_results(human, actor=COMMAND_LINE, now=NOW)


def test_names_of_teams_stay_hidden(client, shown):
    Challenge.objects.update(is_anonymous=True)

    people = read_people(client, shown)
    client.force_login(shown.challenge.owner)
    hosts = read_people(client, shown)

    assert not any(name in people for name in VALUES)
    assert people.count("Anonymous") == 3
    assert all(name in hosts for name in VALUES)


def test_a_disqualified_submission_has_no_row(client, shown):
    Submission.objects.filter(team__name="Lynx").update(disqualified_because="Copied.")

    assert "Lynx" not in read_people(client, shown)


def test_human_captions_have_a_row_where_they_are_judged(client, phase):
    human = evaluate(phase, "M2")
    open_human(human)
    judge(human, {"Lynx": 1.0, "Ibex": 0.0, "Puma": 0.0, PEOPLE: 1.0})
    close_human(human)

    people = read_people(client, phase)

    assert "human captions" in people
    assert not any(text in people for texts in CAPTIONS.values() for text in texts)


def test_a_final_board_keeps_its_digest_and_shows_people(client, shown):
    Phase.objects.update(closes_at=timezone.now())
    digest = freeze_board(Phase.objects.get(), now=timezone.now())

    page = client.get(find(shown, "board")).content.decode()

    assert digest in page
    assert "Judged by people" in page


def test_the_page_of_studies_and_correlation(client, shown):
    client.force_login(shown.challenge.owner)
    page = client.get(find(shown, "human")).content.decode()
    answer = client.post(find(shown, "human_correlate"), {"name": "systems"})
    again = client.post(find(shown, "human_correlate"), {"name": "systems"})

    assert "study-m3" in page
    assert "Correlate people and metrics" in page
    assert answer.url == "/studies/systems/explore/"
    assert client.get(answer.url).status_code == 200
    assert again.status_code == 422
