"""Tests of the benchmark matrix as a figure: published columns, public reports of people, places and headline."""

from dataclasses import replace

import pytest

from studies.enums import StudyState
from studies.models import FrozenReport, Study
from studies.publishing.freezing import freeze_report
from studies.publishing.public_matrix import draw_matrix, find_public_matrix
from studies.scoring.plugins.published import PublishedColumn, list_published_columns
from tests.correlation.reports.example import REPORT
from tests.factories.studies import NOW
from tests.studies.rated import make_rated_study


def make_column(study: str = "one", **values: float) -> PublishedColumn:
    cells = {
        name.replace("_", "-"): {"value": value, "low": value - 0.12, "high": value + 0.12}
        for name, value in values.items()
    }
    return PublishedColumn(study, "Kendall τ-c", {"value": 0.5, "low": 0.4, "high": 0.6}, cells)


def publish(name: str, **fields) -> Study:
    study = make_rated_study(name)
    Study.objects.filter(pk=study.pk).update(is_public=True, state=StudyState.CLOSED, started_at=NOW, **fields)
    freeze_report(study, REPORT, now=NOW)
    FrozenReport.objects.filter(study=study).update(is_public=True)
    return study


def test_the_published_columns_are_drawn_with_intervals_in_their_cells():
    figure = draw_matrix(list_published_columns(), [])

    assert [column.name for column in figure.columns] == [
        "flickr8k-expert",
        "flickr8k-cf",
        "pascal-50s",
        "composite-8k-half",
        "nebula",
    ]
    cells = [cell for line in figure.lines for cell, _ in line.pairs if cell]
    assert len(cells) == 5 * len(figure.lines)
    assert all(0 <= cell.low_at <= cell.at <= cell.high_at <= 100 for cell in cells)
    assert [column.people is not None for column in figure.columns] == [True, False, False, False, False]


def test_places_are_linear_and_ticks_are_few():
    figure = draw_matrix([make_column(low=0.1, middle=0.3, high=0.5)], [])

    # The axis goes from -0.02, the lowest end, to 0.62; 4 % are empty at both sides.
    assert [line.pairs[0][0].at for line in figure.lines] == pytest.approx([21.25, 50.0, 78.75], abs=0.01)
    assert [tick.value for tick in figure.columns[0].ticks] == pytest.approx([0.0, 0.5])


def test_metrics_developed_on_the_data_do_not_compete_there():
    columns = [
        make_column("one", critic_reference=0.9, a=0.6, b=0.5),
        make_column("two", critic_reference=0.9, a=0.4, b=0.7),
    ]

    figure = draw_matrix(columns, [])

    assert [[cell.is_best for cell, _ in line.pairs] for line in figure.lines] == [
        [False, False],
        [True, False],
        [False, True],
    ]
    assert [line.is_optimistic for line in figure.lines] == [True, False, False]
    assert (
        figure.headline
        == "No metric is best everywhere: a has the highest agreement with people on 1 of 2 published data sets"
    )


def test_the_headline_names_a_metric_that_is_best_everywhere():
    columns = [make_column(name, a=0.6, b=0.5) for name in ("one", "two")]

    assert draw_matrix(columns, []).headline == "a has the highest agreement with people on all 2 published data sets"


@pytest.mark.django_db
def test_public_reports_of_people_are_further_columns():
    publish("people")
    publish("truth", is_computed=True)
    publish("demo", is_simulated=True)
    Study.objects.filter(pk=publish("private").pk).update(is_public=False)
    FrozenReport.objects.filter(study=publish("unpublished")).update(is_public=False)

    figure = find_public_matrix()

    assert [column.name for column in figure.columns if column.report] == ["people"]
    assert figure.n_studies == 1
    own = {line.metric: line.pairs[-1][0].estimate for line in figure.lines if line.pairs[-1][0]}
    assert own["spice_u"].value == 0.5125


@pytest.mark.django_db
def test_a_stale_report_is_no_column():
    study = publish("people")
    FrozenReport.objects.filter(study=study).update(stale_since=NOW, stale_reason="a rater withdrew")

    assert find_public_matrix().n_studies == 0


@pytest.mark.django_db
def test_a_report_is_a_column_without_being_read():
    study = publish("people")
    few = tuple(replace(row, caution="only 3 images") for row in REPORT.rows)
    frozen = freeze_report(study, replace(REPORT, rows=few), now=NOW)
    FrozenReport.objects.filter(pk=frozen.pk).update(is_public=True, content="")

    (column,) = (each for each in find_public_matrix().columns if each.report)

    assert (column.measure, column.people.estimate.value) == ("Kendall τ-c", 0.5)
    assert column.cautions == ("only 3 images",)
