import pytest
from django.http import QueryDict

from studies.forms.analysis.scatter import FigureForm, MetricForm


@pytest.mark.parametrize(
    ("query", "metrics", "chosen"),
    [
        ("", ["a", "b"], "a"),
        ("metric=b", ["a", "b"], "b"),
        ("metric=c", ["a", "b"], "a"),
        ("metric=b", [], ""),
    ],
)
def test_metric_form_falls_back_to_the_first(query, metrics, chosen):
    assert MetricForm(QueryDict(query), metrics=metrics).chosen == chosen


@pytest.mark.parametrize(
    ("query", "is_valid"),
    [("metric=a", True), ("metric=a&size=narrow&download=1", True), ("", False), ("metric=a&size=huge", False)],
)
def test_figure_form(query, is_valid):
    assert FigureForm(QueryDict(query)).is_valid() is is_valid
