"""Tests of the design on a page: every section saved, rejected and frozen; versions; no controls for viewers."""

from dataclasses import replace
from html import unescape

import pytest

from studies.collection.lifecycle import open_study
from studies.design.study_design import (
    Checks,
    ExclusionRules,
    Panel,
    Pay,
    Qualification,
    ScalePoint,
    Slider,
    StudyDesign,
)
from studies.design.versions import load_newest_version
from studies.enums import MemberRole, PanelKind, RaterOutcome, StudyState, TaskKind
from studies.forms.design.study_design import SECTIONS, make_sections
from studies.models import Study, StudyVersion
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_member, make_user

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/study/design/"
HALVES = (ScalePoint(0, "No"), ScalePoint(0.5, "Half"), ScalePoint(1, "Yes"))
SLIDER = {"low_label": "bad", "high_label": "good"}
PROLIFIC = Panel(PanelKind.PROLIFIC, {RaterOutcome.FINISHED: "C1"})


@pytest.fixture
def study(owner):
    return _own(make_designed_study(), owner)


def _own(study, owner):
    Study.objects.filter(pk=study.pk).update(owner=owner)
    study.refresh_from_db()
    return study


def _load(study):
    return StudyDesign.from_json(load_newest_version(study).design)


def _fill(study, section, **given):
    """Return what a browser would send of a section in which these fields were changed."""
    form = make_sections(study.kind, design=_load(study), frozen={}, may_change=True)[section]
    values = {name: form.get_initial_for_field(field, name) for name, field in form.fields.items()} | given
    return {
        name: "on" if value is True else value
        for name, value in values.items()
        if value is not None and value is not False
    }


def _save(client, study, section, **given):
    return client.post(f"{ADDRESS}{section}/", _fill(study, section, **given))


def test_page_has_a_form_for_each_section_and_what_is_missing(researcher, owner) -> None:
    _own(make_designed_study(consent=""), owner)

    page = researcher.get(ADDRESS).content.decode()

    assert [f'action="{ADDRESS}{section}/"' in page for section in SECTIONS] == [True] * 8
    assert "Before the study can be opened, it needs: consent text." in page
    assert "Version 2" in page


@pytest.mark.parametrize("section", list(SECTIONS))
def test_section_saved_as_it_is_changes_nothing(researcher, study, section) -> None:
    response = _save(researcher, study, section)

    assert (response.status_code, response.url) == (302, f"{ADDRESS}#{section}")
    assert StudyVersion.objects.count() == 2


@pytest.mark.parametrize(
    ("section", "given", "changed"),
    [
        ("texts", {"instructions": "# Look\n\n- first"}, {"instructions": "# Look\n\n- first"}),
        ("texts", {"question": "How good?"}, {"question": "How good?"}),
        ("answer", {"scale": "0 No\n0.5 Half\n1 Yes"}, {"scale": HALVES}),
        ("answer", {"scale": "Bad\n\nGood"}, {"scale": (ScalePoint(1, "Bad"), ScalePoint(2, "Good"))}),
        ("answer", {"scale": "", **SLIDER, "high": 10}, {"scale": (), "slider": Slider("bad", "good", high=10.0)}),
        ("assignment", {"raters_per_task": 4, "may_correct": False}, {"raters_per_task": 4, "may_correct": False}),
        ("checks", {"is_qualified": True, "pass_share": 0.7}, {"qualification": Qualification(0.7, 2)}),
        ("checks", {"every": 5}, {"checks": Checks(5)}),
        ("exclusion", {"failed_checks": 2}, {"exclusion_rules": ExclusionRules(failed_checks=2)}),
        ("exclusion", {"agreement": -0.1}, {"exclusion_rules": ExclusionRules(agreement=-0.1)}),
        ("panel", {"kind": "prolific", "code_finished": "C1"}, {"panel": PROLIFIC}),
        ("pay", {"currency": "GBP", "reward": 1.5}, {"pay": Pay("GBP", 1.5)}),
    ],
)  # fmt: skip
def test_section_saves_its_fields_and_no_others(researcher, study, section, given, changed) -> None:
    before = _load(study)

    response = _save(researcher, study, section, **given)

    assert response.status_code == 302
    assert _load(study) == replace(before, **changed)
    assert load_newest_version(study).created_by == study.owner
    assert "Saved as version 3." in researcher.get(ADDRESS).content.decode()


def test_pairs_have_no_scale_and_may_be_left_undecided(researcher, owner) -> None:
    study = _own(make_designed_study(kind=TaskKind.PAIRWISE), owner)

    _save(researcher, study, "answer", allows_no_preference=False)

    assert _load(study).allows_no_preference is False
    assert "answer-scale" not in researcher.get(ADDRESS).content.decode()


@pytest.mark.parametrize(
    ("section", "given", "problem"),
    [
        ("answer", {"scale": "only one"}, "This must be a list of two labels or more"),
        ("answer", {"scale": "2 a\n1 b"}, "This must rise from the lowest value to the highest."),
        ("answer", {"scale": "1 a\nb"}, "Either all lines must start with a number, or none."),
        ("answer", {"low_label": "bad", "high_label": ""}, "This field is required for a slider."),
        (
            "answer",
            {"low_label": "bad", "high_label": "good", "low": 5, "high": 5},
            "This must have a low value below the high value.",
        ),
        ("assignment", {"raters_per_task": 0}, "Ensure this value is greater than or equal to 1."),
        ("checks", {"is_qualified": True, "pass_share": 0}, "This must be above 0 and at most 1."),
        ("checks", {"attempts": 1}, "Ensure this value is greater than or equal to 2."),
        ("panel", {"return_url": "javascript:alert(1)"}, "This must begin with https:// or http://."),
        ("pay", {"currency": "euro"}, "Enter a valid value."),
        ("pay", {"reward": "nan"}, "Enter a number."),
        ("texts", {"question": "x" * 501}, "Ensure this value has at most 500 characters"),
    ],
)
def test_what_makes_no_sense_is_said_beside_the_field(researcher, study, section, given, problem) -> None:
    response = _save(researcher, study, section, **given)

    page = unescape(response.content.decode())
    assert response.status_code == 422
    assert problem in page
    assert "Not saved. Please correct the errors below." in page
    assert StudyVersion.objects.count() == 2


def test_open_study_shows_why_a_field_cannot_change(researcher, study) -> None:
    open_study(study, now=NOW)

    page = researcher.get(ADDRESS).content.decode()
    response = researcher.post(f"{ADDRESS}texts/", {**_fill(study, "texts"), "question": "Another?"})

    assert "once raters may have judged; clone the study" in page
    # A disabled field keeps what it had, whatever is sent.
    assert (response.status_code, StudyVersion.objects.count()) == (302, 2)


def test_open_study_cannot_lose_what_it_needs(researcher, study) -> None:
    open_study(study, now=NOW)

    response = _save(researcher, study, "texts", consent="")

    assert response.status_code == 422
    assert "The study is open, but would have no consent text." in response.content.decode()


def test_versions_and_their_differences_are_shown(researcher, study) -> None:
    _save(researcher, study, "texts", thanks="<b>Thanks</b>\nall")

    page = researcher.get(ADDRESS).content.decode()

    assert "&lt;b&gt;Thanks&lt;/b&gt;<br>all" in page
    assert "<code>thanks</code>" in page
    assert page.count("<summary>Version") == 3


def test_viewer_looks_and_has_nothing_to_press(client, study) -> None:
    viewer = make_user("viewer")
    make_member(study, viewer, MemberRole.VIEWER)
    client.force_login(viewer)

    page = client.get(ADDRESS).content.decode()

    assert "Save “" not in page
    assert "disabled" in page
    assert "/design/clone/" not in page


@pytest.mark.parametrize("section", ["nothing", "answer"])
def test_section_that_there_is_not_is_not_found(researcher, owner, section) -> None:
    _own(make_designed_study(kind=TaskKind.CAPTION), owner)

    assert researcher.post(f"{ADDRESS}{section}/", {}).status_code == 404


@pytest.mark.parametrize("n_versions", [1, 3])
def test_page_takes_a_fixed_number_of_queries(researcher, study, n_versions, django_assert_num_queries) -> None:
    for number in range(n_versions):
        _save(researcher, study, "texts", thanks=f"Thanks {number}")
    assert Study.objects.get().state == StudyState.DRAFT
    researcher.get(ADDRESS)

    with django_assert_num_queries(13):
        researcher.get(ADDRESS)
