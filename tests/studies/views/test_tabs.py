"""Tests of the tabs of a study, and of the pages below a tab that has several."""

import pytest

from tests.studies.scored import make_scored_study

TABS = ["Overview", "Design", "Raters", "Monitoring", "Runs", "Explore", "Reports", "People"]


@pytest.mark.parametrize(
    ("page", "tab", "current", "pages"),
    [
        ("", "Overview", "Overview", []),
        ("explore/", "Explore", "Correlations", ["Correlations", "Systems", "Disagreements"]),
        ("systems/", "Explore", "Systems", ["Correlations", "Systems", "Disagreements"]),
        ("disagreements/", "Explore", "Disagreements", ["Correlations", "Systems", "Disagreements"]),
        ("people/", "People", "Members", ["Members", "History"]),
        ("history/", "People", "History", ["Members", "History"]),
    ],
)
def test_a_page_below_a_tab_marks_both(researcher, owner, page, tab, current, pages):
    make_scored_study(owner=owner)

    context = researcher.get(f"/studies/study/{page}").context

    assert [each.label for each in context["tabs"]] == TABS
    shown = context["current"]
    assert (shown.label, [each.label for each in shown.pages]) == (tab, pages)
    assert [each.label for each in shown.pages or (shown,) if each.url == context["current_page"]] == [current]
