"""Tests of the page of a simulation: requested, rejected, in progress, finished; and one run by a worker."""

import re

import pytest
from django.urls import reverse

from studies.design.study_design import Pay
from studies.enums import PanelKind, StudyState, WorkState
from studies.models import Judgment, Simulation, Study
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.factories.studies import NOW, make_user
from tests.studies.uploads import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)
REPORT = {
    "rows": [
        {
            "behaviour": "attentive", "n": 12, "outcomes": "12 finished", "n_coded": 12, "n_tasks": 48,
            "minutes": 11.04, "hourly": "7.1628", "n_broken": 1,
        }
    ],
    "n_raters": 30, "n_judgments": 89, "n_slots": 90, "n_filled": 88, "minutes": 57.2,
    "pay": {
        "currency": "EUR", "hourly_wage": "12.0", "median_hourly": "4.9822", "spent": "8.00", "owed": "9.63",
        "budget_left": None, "earnings": [], "claims": [],
    },
    "problems": [],
}  # fmt: skip


@pytest.fixture
def study(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return own(make_designed_study(pay=Pay(currency="EUR", reward=1.0, hourly_wage=12.0), task_seconds=10))


@pytest.fixture
def researcher(client, study):
    client.force_login(study.owner)
    return client


def own(study):
    study.owner = make_user(f"owner-of-{study.name}")
    study.save()
    return study


def address(study, page="simulation", *more):
    return reverse(f"studies:{page}", args=[study.name, *more])


def read(response):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def keep(study, **given):
    known = {"panel": PanelKind.LINK, "n_raters": 30, "made_at": NOW, "state": WorkState.DONE}
    return Simulation.objects.create(study=study, **{**known, "report": REPORT, **given})


def test_form_begins_with_the_panel_of_the_design_and_thirty_raters(researcher, study) -> None:
    form = researcher.get(address(study)).context["form"]

    assert {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()} == {
        "panel": PanelKind.LINK,
        "raters": 30,
        "seed": 0,
    }


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"raters": "0"}, "greater than or equal to 1"),
        ({"raters": "201"}, "less than or equal to 200"),
        ({"panel": "nowhere"}, "nowhere is not one of the available choices"),
    ],
)
def test_nonsense_is_refused(researcher, study, given, said) -> None:
    response = researcher.post(address(study), {"panel": "link", "raters": "3", "seed": "0", **given})

    assert (response.status_code, Simulation.objects.count()) == (422, 0)
    assert said in read(response)


def test_open_study_is_refused_with_the_reason(client, settings, tmp_path) -> None:
    settings.MEDIA_ROOT = tmp_path
    study = own(make_open_study())
    client.force_login(study.owner)

    assert "Only drafts can be simulated" in read(client.get(address(study)))
    response = client.post(address(study), {"panel": "link", "raters": "3", "seed": "0"})
    assert (response.status_code, Simulation.objects.count()) == (422, 0)


def test_what_came_of_it_is_shown(researcher, study) -> None:
    keep(study)

    response = researcher.get(address(study))

    said = read(response)
    assert "Every participation ended as the panel expects; completion codes and wages are correct." in said
    assert "attentive 12 finished 12 12 48 11.0 7.16 1" in said
    assert "Cost 8.00 EUR" in said
    assert "Median hourly wage 4.98 EUR, promised 12.00" in said
    assert "The median hourly wage is below the promised wage." in said
    assert "88 of 90" in said


@pytest.mark.parametrize(("median_hourly", "told"), [("156.0", "13 times the promised wage"), ("12.5", "")])
def test_a_wage_far_above_the_promised_one_is_a_warning(researcher, study, median_hourly, told) -> None:
    keep(study, report={**REPORT, "pay": {**REPORT["pay"], "median_hourly": median_hourly}})

    said = read(researcher.get(address(study)))

    assert ("The median hourly wage is" in said) == bool(told)
    assert told in said


@pytest.mark.parametrize(
    ("given", "right"),
    [
        ({"gives_codes": True, "pay": None}, "; completion codes are correct."),
        ({"gives_codes": False}, "; wages are correct."),
        ({"gives_codes": False, "pay": None}, "."),
    ],
)
def test_nothing_is_said_of_codes_and_wages_that_there_are_not(researcher, study, given, right) -> None:
    keep(study, report=REPORT | given)

    page = researcher.get(address(study)).content.decode()

    assert f"Every participation ended as the panel expects{right}</p>" in page
    assert ("Returned with a code" in page) is given["gives_codes"]
    said = "This panel does not use completion codes."
    assert (said in page) is (not given["gives_codes"])


def test_problems_are_listed(researcher, study) -> None:
    keep(study, report={**REPORT, "pay": None, "problems": [f"rater {number}: odd" for number in range(25)]})

    said = read(researcher.get(address(study)))

    assert "25 problems found:" in said
    assert "rater 19: odd" in said
    assert "rater 20: odd" not in said
    assert "neither a reward nor an hourly wage" in said


def test_progress_asks_for_the_whole_page_when_it_is_over(researcher, study) -> None:
    waiting = keep(study, state=WorkState.RUNNING, report=None)
    # Not lost, though made long ago by the clock of tests.
    Simulation.objects.update(made_at=study.created_at.now(tz=study.created_at.tzinfo))
    assert "HX-Refresh" not in researcher.get(address(study, "simulation_progress")).headers

    Simulation.objects.filter(pk=waiting.pk).update(state=WorkState.DONE, report=REPORT)

    assert researcher.get(address(study, "simulation_progress")).headers["HX-Refresh"] == "true"


@pytest.mark.slow
def test_simulation_is_played_by_a_worker_and_becomes_a_study(researcher, study) -> None:
    researcher.post(address(study), {"panel": "prolific", "raters": "5", "seed": "1"})
    assert Simulation.objects.get().state == WorkState.WAITING

    run_jobs()

    simulation = Simulation.objects.get()
    assert (simulation.state, simulation.problem, simulation.report["problems"]) == (WorkState.DONE, "", [])
    assert simulation.report["n_raters"] == 5
    assert Judgment.objects.count() == 0
    response = researcher.post(address(study, "simulation_try", simulation.pk), follow=True)
    trial = Study.objects.get(simulation_of=study)
    assert response.redirect_chain == [(reverse("studies:runs", args=[trial.name]), 302)]
    assert "All judgments in this study are simulated" in read(response)
    assert (trial.state, Judgment.objects.count()) == (StudyState.CLOSED, simulation.report["n_judgments"])
    assert "no person gave them" not in read(researcher.get(address(study)))


@pytest.mark.slow
def test_reason_of_a_failure_is_told(researcher, study) -> None:
    researcher.post(address(study), {"panel": "link", "raters": "1", "seed": "1"})
    # Somebody changes the design before a worker comes.
    version = study.versions.latest("number")
    version.design["consent"] = ""
    version.save()

    run_jobs()

    simulation = Simulation.objects.get()
    assert (simulation.state, simulation.problem) == (
        WorkState.FAILED,
        "study study cannot be opened: it has no consent text",
    )
    assert "cannot be opened: it has no consent text" in read(researcher.get(address(study)))
