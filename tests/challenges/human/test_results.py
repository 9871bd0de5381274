"""Tests of human results as shown: computed once, in the API, in files, and in a final board."""

import csv
import json
from datetime import timedelta

import pytest
from django.utils import timezone

from challenges.board import freezing
from challenges.human import results
from challenges.human.results import HUMAN_RESULTS, find_human_column
from challenges.human.samples import PEOPLE
from challenges.models import Challenge, Phase
from jobs.models import Job
from jobs.worker.running import run_waiting_jobs
from studies.models import Exclusion, Judgment, Rater
from tests.challenges.challenges import submit, write_results
from tests.challenges.human.evaluation import close_human, evaluate, judge, open_human, score_all
from tests.factories.studies import NOW

pytestmark = pytest.mark.django_db
VALUES = {"Lynx": 5.0, "Ibex": 4.0, "Puma": 1.0}
PAGE = "/challenges/captions/phases/test/leaderboard/"
API = f"/api/v1{PAGE}"


def evaluate_and_close(phase, criterion="M3", values=None):
    human = evaluate(phase, criterion)
    open_human(human)
    judge(human, values or VALUES)
    close_human(human)
    return human


@pytest.fixture
def counted(monkeypatch):
    """The studies whose column was computed, one for each time."""
    calls = []
    compute = results.load_human_column
    monkeypatch.setattr(
        results, "load_human_column", lambda human, now: calls.append(human.pk) or compute(human, now=now)
    )
    return calls


def freeze(phase):
    Phase.objects.update(closes_at=timezone.now())
    return freezing.freeze_board(Phase.objects.select_related("challenge").get(), now=timezone.now())


def test_columns_are_computed_once_for_all_views(client, phase, counted):
    human = evaluate_and_close(phase)

    for address in (PAGE, API, PAGE, f"{PAGE[:-1]}.csv"):
        assert client.get(address).status_code == 200

    assert counted == [human.pk]


def test_a_judgment_or_an_exclusion_makes_them_old(client, phase, counted):
    human = evaluate(phase)
    open_human(human)
    judge(human, VALUES, raters=("rater-1",))
    human.shown_at = NOW
    human.save()
    before = find_human_column(human, now=NOW).made
    judge(human, VALUES, raters=("rater-2",))
    judged = find_human_column(human, now=NOW).made
    Exclusion.objects.create(rater=Rater.objects.first(), reason="careless", decided_at=NOW)
    excluded = find_human_column(human, now=NOW + timedelta(hours=1)).made

    lynx = human.entries.get(system="Lynx").submission_id
    assert [each.cells[lynx].n for each in (before, judged, excluded)] == [4, 8, 4]
    assert (excluded.at, len(counted)) == (NOW + timedelta(hours=1), 3)


def test_many_judgments_are_computed_by_a_job(client, phase, monkeypatch):
    monkeypatch.setattr("studies.analysis.cached_results.MOST_JUDGMENTS", 3)
    evaluate_and_close(phase)

    first = client.get(PAGE).content.decode()
    pending = client.get(API).json()["human"]
    run_waiting_jobs(now=timezone.now)

    assert "Being computed: M3." in first
    assert (pending["columns"], pending["pending"]) == ([], ["M3"])
    assert Job.objects.get(kind=HUMAN_RESULTS.name).state == "done"
    assert "5.000" in client.get(PAGE).content.decode().partition('id="people"')[2]


def test_the_api_and_files_have_the_numbers_of_the_page(client, phase):
    evaluate_and_close(phase, "M2", {"Lynx": 1.0, "Ibex": 0.0, "Puma": 0.0, PEOPLE: 1.0})
    evaluate_and_close(phase)
    answer = client.get(API).json()
    lines = list(csv.DictReader(b"".join(client.get(f"{PAGE[:-1]}.csv").streaming_content).decode().splitlines()))
    latex = b"".join(client.get(f"{PAGE[:-1]}.tex").streaming_content).decode()

    assert [each["criterion"] for each in answer["human"]["columns"]] == ["M2", "M3"]
    lynx = next(each for each in answer["entries"] if each["team"] == "Lynx")
    assert [cell["value"] for cell in lynx["human"]] == [1.0, 5.0]
    assert (lynx["human"][0]["n"], lynx["human"][1]["low"]) == (8, None)
    assert [cell and cell["value"] for cell in answer["human"]["people"]] == [1.0, None]
    rows = {line["team"]: line for line in lines}
    assert (rows["Lynx"]["M3"], rows["Lynx"]["M3 n"], rows["Lynx"]["M2 low"] != "") == ("5.0", "8", True)
    assert (rows["Human captions"]["M2"], rows["Human captions"]["M3"], rows["Human captions"]["rank"]) == (
        "1.0",
        "",
        "",
    )
    assert "& M2 & M3 \\\\" in latex
    assert "& 1.000 & 5.000 \\\\" in latex


def test_results_that_are_not_shown_are_nowhere(client, phase):
    human = evaluate(phase)
    open_human(human)
    judge(human, VALUES)

    assert client.get(API).json()["human"] is None
    assert {tuple(each["human"]) for each in client.get(API).json()["entries"]} == {()}
    assert "M3" not in b"".join(client.get(f"{PAGE[:-1]}.csv").streaming_content).decode()


def test_an_entry_that_was_replaced_is_behind_the_others(client, phase):
    evaluate_and_close(phase)
    puma = phase.challenge.teams.get(name="Puma")
    submit(phase, team=puma, content=write_results(_10="a dog runs on the green grass"))
    score_all()

    answer = client.get(API).json()
    lines = list(csv.reader(b"".join(client.get(f"{PAGE[:-1]}.csv").streaming_content).decode().splitlines()))

    assert [(each["team"], each["cells"][0]["value"]) for each in answer["human"]["others"]] == [("Puma", 1.0)]
    assert next(each for each in answer["entries"] if each["team"] == "Puma")["human"] == [None]
    assert lines[-1][1] == "Puma (earlier entry)"


def test_names_stay_hidden_in_all_of_them(client, phase):
    evaluate_and_close(phase)
    Challenge.objects.update(is_anonymous=True)

    told = [
        client.get(API).content,
        b"".join(client.get(f"{PAGE[:-1]}.csv").streaming_content),
        b"".join(client.get(f"{PAGE[:-1]}.tex").streaming_content),
    ]

    assert not any(name.encode() in each for name in VALUES for each in told)


def test_a_final_board_keeps_results_of_closed_studies_under_its_digest(client, phase):
    evaluate_and_close(phase)
    open_one = evaluate(phase, "M4")
    open_human(open_one)
    judge(open_one, {"Lynx": 2.0, "Ibex": 3.0, "Puma": 1.0})
    open_one.shown_at = NOW
    open_one.save()
    digest = freeze(phase)
    kept = Phase.objects.get()
    Judgment.objects.filter(item__task__study__name="study-m3").update(value=2.0)
    Exclusion.objects.create(rater=Rater.objects.filter(study__name="study-m3").first(), reason="x", decided_at=NOW)

    answer = client.get(API).json()
    page = client.get(PAGE).content.decode().partition('id="people"')[2]

    assert (answer["digest"], freezing.digest_record(kept.frozen_board)) == (digest, digest)
    assert json.loads(freezing.print_board(freezing.load_board(kept)))["human"] == kept.frozen_board["human"]
    assert [(each["criterion"], each["is_final"]) for each in answer["human"]["columns"]] == [
        ("M3", True),
        ("M4", False),
    ]
    assert answer["human"]["n_stored"] == 1
    lynx = next(each for each in answer["entries"] if each["team"] == "Lynx")
    assert [cell["value"] for cell in lynx["human"]] == [5.0, 2.0]
    assert page.count("not part of the final leaderboard") == 1


def test_a_changed_human_result_breaks_the_digest(phase):
    evaluate_and_close(phase)
    freeze(phase)
    kept = Phase.objects.get()
    kept.frozen_board["human"]["rows"][0]["cells"][0]["value"] = 1.5

    with pytest.raises(ValueError, match="was changed"):
        freezing.load_board(kept)
