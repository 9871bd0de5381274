import pytest

from correlation.errors import CorrelationInputError
from correlation.planning.sizes import plan_from_pilot, plan_metric_difference, plan_preference, plan_system_difference
from studies.analysis.planning import Pilot, Prices, make_plan
from studies.enums import TaskKind
from studies.models import Candidate, Item, Judgment
from tests.factories.studies import make_judgment, make_rater, make_study
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

METRICS = {"first": 0.6, "second": 0.5, "between": 0.7}


@pytest.mark.parametrize(
    ("what", "assumptions", "expected"),
    [
        ("metric-difference", METRICS, plan_metric_difference(**METRICS)),
        ("metric-difference", {**METRICS, "raters": 3, "reliability": 0.5, "power": 0.9}, None),
        (
            "system-difference",
            {"difference": 0.5, "deviation": 1.0},
            plan_system_difference(difference=0.5, deviation=1),
        ),
        ("preference", {"share": 0.6, "ties": 0.1}, plan_preference(share=0.6, ties=0.1)),
    ],
)
def test_plans_from_assumptions_are_those_of_the_engine(what, assumptions, expected):
    made = make_plan(what, assumptions=assumptions)

    assert made.plan == (expected or plan_metric_difference(**assumptions))
    assert (made.assumptions, made.cost) == (assumptions, None)


def test_a_cost_needs_time_and_wage():
    made = make_plan("preference", assumptions={"share": 0.6}, prices=Prices(seconds=20, wage=12, fee=0.25))

    # 204 judgments of 20 seconds are 1.13 hours, at 12 an hour and a quarter for the panel.
    assert (made.cost.judgments, round(made.cost.hours, 2), round(made.cost.price, 2)) == (204, 1.13, 17.0)


@pytest.mark.parametrize(
    ("what", "assumptions", "prices", "message"),
    [
        ("preference", {}, None, "plan preference needs --share and takes --ties, .*; missing: --share$"),
        ("preference", {"share": 0.6, "first": 0.2}, None, "not applicable to this question: --first$"),
        ("preference", {"share": 1.2}, None, r"`share` must be in \(0, 1\), got 1.2"),
        (
            "preference",
            {"share": 0.6},
            Prices(wage=3),
            "computing the cost needs --seconds per judgment, because no pilot",
        ),
        ("preference", {"share": 0.6}, Prices(seconds=3), "computing the cost needs --wage, the hourly wage"),
    ],
)
def test_what_cannot_be_planned_is_said(what, assumptions, prices, message):
    with pytest.raises(CorrelationInputError, match=message):
        make_plan(what, assumptions=assumptions, prices=prices)


@pytest.mark.django_db
def test_a_pilot_of_metrics():
    pilot = Pilot(make_rated_study(), ("rouge-l", "length"), resamples=50, seed=3)

    made = make_plan("metric-difference", assumptions={"difference": 0.1}, pilot=pilot)

    known = made.assumptions
    assert list(known) == ["difference", "error", "n_pilot", "judgments_per_unit"]
    assert (known["difference"], known["n_pilot"], known["judgments_per_unit"]) == (0.1, 12, 3)
    assert made.plan == plan_from_pilot(difference=0.1, error=known["error"], n_pilot=12, judgments_per_unit=3)
    assert make_plan("metric-difference", assumptions={}, pilot=pilot).assumptions["difference"] > 0.1


def make_two_systems():
    """Make ratings of two systems on two images; the numbers are those of tests/correlation/planning/test_pilots.py."""
    study = make_study(n_tasks=2)
    for item in list_items(study):
        other = Candidate.objects.get(image=item.image, system__name="second")
        Item.objects.create(task=item.task, position=1, key=f"{item.key}-b", image=item.image, candidate=other)
    raters = [make_rater(study, f"rater-{number}") for number in range(2)]
    for item, values in zip(list_items(study), ((1, 3), (1, 1), (3, 5), (1, 1)), strict=True):
        for rater, value in zip(raters, values, strict=True):
            make_judgment(item, rater, value)
    return study


@pytest.mark.django_db
def test_a_pilot_of_systems():
    made = make_plan(
        "system-difference", assumptions={"raters": 2}, pilot=Pilot(make_two_systems(), ("first", "second"))
    )

    assert made.assumptions == {"difference": 2.0, "deviation": 1.0, "rater_deviation": 1.0, "raters": 2}
    assert made.plan == plan_system_difference(difference=2, deviation=1, rater_deviation=1, raters=2)


@pytest.mark.django_db
def test_a_pilot_of_preferences_counts_for_the_system_that_is_named_first():
    study = make_study(kind=TaskKind.PAIRWISE, n_tasks=4)
    rater = make_rater(study)
    for item, value in zip(list_items(study), (1, 1, 1, -1), strict=True):
        make_judgment(item, rater, value)

    shares = [
        make_plan("preference", assumptions={}, pilot=Pilot(study, pair)).assumptions
        for pair in (("first", "second"), ("second", "first"))
    ]

    assert shares == [
        {"share": 0.75, "ties": 0.0, "design_effect": 1.0},
        {"share": 0.25, "ties": 0.0, "design_effect": 1.0},
    ]


@pytest.mark.django_db
def test_the_time_of_a_judgment_is_the_median_of_the_pilot():
    study = make_two_systems()
    Judgment.objects.update(elapsed_ms=30_000)
    Judgment.objects.filter(pk=Judgment.objects.first().pk).update(elapsed_ms=900_000)

    made = make_plan(
        "system-difference", assumptions={}, pilot=Pilot(study, ("first", "second")), prices=Prices(wage=12)
    )

    assert made.cost.hours == pytest.approx(made.plan.judgments * 30 / 3600)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("what", "pair", "message"),
    [
        ("preference", ("first", "second"), "pilot study has ratings, not pairs: plan a system-difference"),
        ("system-difference", ("first", "third"), "two images with ratings of first and third, got 0"),
        ("system-difference", ("first",), "a pilot needs two names to compare, got: first"),
        ("metric-difference", (), "a pilot needs two names to compare, got: none"),
    ],
)
def test_a_pilot_that_does_not_fit_is_refused(what, pair, message):
    with pytest.raises(CorrelationInputError, match=message):
        make_plan(what, assumptions={}, pilot=Pilot(make_two_systems(), pair))


@pytest.mark.django_db
def test_a_pilot_without_judgments():
    with pytest.raises(CorrelationInputError, match="study study has no judgments yet"):
        make_plan("system-difference", assumptions={}, pilot=Pilot(make_study(), ("first", "second")))
