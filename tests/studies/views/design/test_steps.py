"""Tests of the steps of making a study: saved, rejected and frozen; drafts and conflicts; the checklist; versions."""

import re
from dataclasses import replace
from html import unescape

import pytest
from django.db import connection

from studies.collection.lifecycle import open_study
from studies.design.completeness import ITEMS, find_missing
from studies.design.design_files import read_fields
from studies.design.steps.recommendations import PREREGISTRATION, SIMULATION, list_recommended
from studies.design.study_design import (
    LANGUAGES,
    Checks,
    ExclusionRules,
    Panel,
    Pay,
    Qualification,
    ScalePoint,
    Slider,
    StudyDesign,
)
from studies.design.study_facts import load_facts
from studies.design.versions import load_newest_version
from studies.enums import MemberRole, PanelKind, RaterOutcome, StudyState, TaskKind
from studies.forms.design.steps import STEPS, StepForm, find_place
from studies.models import DesignDraft, Study, StudyVersion
from studies.shared.errors import ImportFailed, SourceLocation
from studies.views.design import steps
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_member, make_user

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/study/design/"
HALVES = (ScalePoint(0, "No"), ScalePoint(0.5, "Half"), ScalePoint(1, "Yes"))
SLIDER = {"answer-is_slider": True, "answer-low_label": "bad", "answer-high_label": "good"}
PROLIFIC = Panel(PanelKind.PROLIFIC, {RaterOutcome.FINISHED: "C1"})
PAGES_OF_THEIR_OWN = (ITEMS, PREREGISTRATION, SIMULATION)
THANKS = "texts-thanks"


@pytest.fixture
def study(owner):
    return _own(make_designed_study(), owner)


def _own(study, owner):
    Study.objects.filter(pk=study.pk).update(owner=owner)
    study.refresh_from_db()
    return study


def _load(study):
    return StudyDesign.from_json(load_newest_version(study).design)


def _fill(study, step, given=None):
    """Return what a browser would send of a step in which these fields were changed."""
    form = StepForm(STEPS[step], kind=study.kind, design=_load(study))
    values = {"based_on": load_newest_version(study).number, **form.write(), **(given or {})}
    return {name: "on" if value is True else value for name, value in values.items() if value is not False}


def _save(client, study, step, given=None):
    return client.post(f"{ADDRESS}{step}/", _fill(study, step, given))


def _keep(client, study, step, given=None):
    return client.post(f"{ADDRESS}{step}/typed/", _fill(study, step, given))


def _read(client, step):
    return unescape(client.get(f"{ADDRESS}{step}/").content.decode())


def _find_text(page, name):
    return re.search(rf'<textarea[^>]*name="{name}"[^>]*>\s*([^<]*)<', page)[1]


def test_design_leads_to_the_first_step_that_lacks_something(researcher, owner) -> None:
    study = _own(make_designed_study(consent=""), owner)
    assert researcher.get(ADDRESS).url == f"{ADDRESS}raters/"

    _save(researcher, study, "raters", {"texts-consent": "I agree."})

    assert researcher.get(ADDRESS).url == f"{ADDRESS}launch/"


@pytest.mark.parametrize("step", list(STEPS))
def test_every_step_lists_all_steps_and_marks_itself(researcher, study, step) -> None:
    page = _read(researcher, step)

    assert [f'href="{ADDRESS}{each}/"' in page for each in STEPS] == [True] * 6
    assert f'href="{ADDRESS}{step}/" aria-current="step"' in page
    assert page.count('aria-current="step"') == 1


@pytest.mark.parametrize("kind", list(TaskKind))
def test_every_kind_of_study_has_all_steps(researcher, owner, kind) -> None:
    _own(make_designed_study(kind=kind), owner)

    assert [researcher.get(f"{ADDRESS}{step}/").status_code for step in STEPS] == [200] * 6


@pytest.mark.parametrize("step", [name for name, step in STEPS.items() if step.sections])
def test_step_saved_as_it_is_changes_nothing_and_goes_on(researcher, study, step) -> None:
    names = list(STEPS)

    response = _save(researcher, study, step)

    assert (response.status_code, response.url) == (302, f"{ADDRESS}{names[names.index(step) + 1]}/?saved={step}")
    assert StudyVersion.objects.count() == 2


@pytest.mark.parametrize("go", ["files", "checks", "launch"])
def test_previous_and_any_other_step_save_too(researcher, study, go) -> None:
    response = _save(researcher, study, "question", {"question-question": "How good?", "go": go})

    assert response.url == f"{ADDRESS}{go}/?saved=question"
    assert _load(study).question == "How good?"


@pytest.mark.parametrize(
    ("step", "given", "changed"),
    [
        ("question", {"question-instructions": "# Look\n\n- first"}, {"instructions": "# Look\n\n- first"}),
        ("question", {"question-question": "How good?"}, {"question": "How good?"}),
        ("question", {"answer-scale": "0 No\n0.5 Half\n1 Yes"}, {"scale": HALVES}),
        ("question", {"answer-scale": "Bad\n\nGood"}, {"scale": (ScalePoint(1, "Bad"), ScalePoint(2, "Good"))}),
        ("question", {**SLIDER, "answer-high": 10}, {"scale": (), "slider": Slider("bad", "good", high=10.0)}),
        ("raters", {"assignment-raters_per_task": 4, "assignment-may_correct": False},
         {"raters_per_task": 4, "may_correct": False}),
        ("checks", {"checks-is_qualified": True, "checks-pass_share": 0.7}, {"qualification": Qualification(0.7, 2)}),
        ("checks", {"checks-every": 5}, {"checks": Checks(5)}),
        ("checks", {"exclusion-failed_checks": 2}, {"exclusion_rules": ExclusionRules(failed_checks=2)}),
        ("checks", {"exclusion-agreement": -0.1}, {"exclusion_rules": ExclusionRules(agreement=-0.1)}),
        ("raters", {"panel-kind": "prolific", "panel-code_finished": "C1"}, {"panel": PROLIFIC}),
        ("raters", {"panel-eligibility": "Adults in Ireland"}, {"eligibility": "Adults in Ireland"}),
        ("raters", {"pay-currency": "GBP", "pay-reward": 1.5, "texts-thanks": "Thanks"},
         {"pay": Pay("GBP", 1.5), "thanks": "Thanks"}),
    ],
)  # fmt: skip
def test_step_saves_its_fields_and_no_others(researcher, study, step, given, changed) -> None:
    before = _load(study)

    response = _save(researcher, study, step, given)

    assert response.status_code == 302
    assert _load(study) == replace(before, **changed)
    assert load_newest_version(study).created_by == study.owner
    assert f"Saved “{STEPS[step].title}” as version 3." in _read(researcher, "launch")


def test_language_of_captions_is_chosen_where_raters_write_them(researcher, study, owner) -> None:
    captions = _own(make_designed_study("captions", kind=TaskKind.CAPTION), owner)
    address = "/studies/captions/design/question/"
    form = StepForm(STEPS["question"], kind=captions.kind, design=_load(captions))
    data = {"based_on": load_newest_version(captions).number, **form.write(), "question-language": "de"}

    researcher.post(address, data)

    assert _load(captions).language == "de"
    assert re.search(r'<option value="de" selected>\s*German', researcher.get(address).content.decode())
    assert "<dt>Language of the captions</dt><dd>German</dd>" in researcher.get("/studies/captions/").content.decode()
    assert "question-language" not in _read(researcher, "question")


def test_every_language_of_a_design_can_be_chosen() -> None:
    form = StepForm(STEPS["question"], kind=TaskKind.CAPTION, design=StudyDesign())
    offered = {code for code, _ in form.sections["question"].fields["language"].choices}

    assert offered == {"", *LANGUAGES}
    with pytest.raises(ImportFailed, match=r"field language: must be empty or one of af, ar, .*, got 'zh-cn'"):
        read_fields({"language": "zh-cn"}, SourceLocation("design"))


def test_pairs_have_no_scale_and_may_be_left_undecided(researcher, owner) -> None:
    study = _own(make_designed_study(kind=TaskKind.PAIRWISE), owner)

    _save(researcher, study, "question", {"answer-allows_no_preference": False})

    assert _load(study).allows_no_preference is False
    assert "answer-scale" not in _read(researcher, "question")


@pytest.mark.parametrize(
    ("step", "given", "problem"),
    [
        ("question", {"answer-scale": "only one"}, "This must be a list of two labels or more"),
        ("question", {"answer-scale": "2 a\n1 b"}, "This must rise from the lowest value to the highest."),
        ("question", {"answer-scale": "1 a\nb"}, "Either all lines must start with a number, or none."),
        ("question", {**SLIDER, "answer-high_label": ""}, "This field is required for a slider."),
        (
            "question",
            {**SLIDER, "answer-low": 5, "answer-high": 5},
            "This must have a low value below the high value.",
        ),
        ("raters", {"assignment-raters_per_task": 0}, "Ensure this value is greater than or equal to 1."),
        ("checks", {"checks-is_qualified": True, "checks-pass_share": 0}, "This must be above 0 and at most 1."),
        ("checks", {"checks-attempts": 1}, "Ensure this value is greater than or equal to 2."),
        ("raters", {"panel-return_url": "javascript:alert(1)"}, "This must begin with https:// or http://."),
        ("raters", {"pay-currency": "euro"}, "Enter a valid value."),
        ("raters", {"pay-reward": "nan"}, "Enter a number."),
        ("question", {"question-question": "x" * 501}, "Ensure this value has at most 500 characters"),
    ],
)
def test_what_makes_no_sense_is_said_beside_the_field(researcher, study, step, given, problem) -> None:
    response = _save(researcher, study, step, given)

    page = unescape(response.content.decode())
    assert response.status_code == 422
    assert page.count(problem) == 2, "above the form, with a link, and beside the field"
    assert "Not saved. Please correct the errors below." in page
    assert StudyVersion.objects.count() == 2


def test_open_study_shows_why_a_field_cannot_change(researcher, study) -> None:
    open_study(study, now=NOW)

    page = _read(researcher, "question")
    response = _save(researcher, study, "question", {"question-question": "Another?"})

    assert "once raters may have judged; clone the study" in page
    # A disabled field keeps what it had, whatever is sent.
    assert (response.status_code, StudyVersion.objects.count()) == (302, 2)


def test_open_study_cannot_lose_what_it_needs(researcher, study) -> None:
    open_study(study, now=NOW)

    response = _save(researcher, study, "raters", {"texts-consent": ""})

    assert response.status_code == 422
    assert "The study is open, but would have no consent text." in response.content.decode()


def test_versions_and_their_differences_are_shown(researcher, study) -> None:
    _save(researcher, study, "raters", {THANKS: "<b>Thanks</b>\nall"})

    page = researcher.get(f"{ADDRESS}launch/").content.decode()

    assert "&lt;b&gt;Thanks&lt;/b&gt;<br>all" in page
    assert "<code>thanks</code>" in page
    assert page.count("<summary>Version") == 3


def test_viewer_looks_and_has_nothing_to_press(client, study) -> None:
    viewer = make_user("viewer")
    make_member(study, viewer, MemberRole.VIEWER)
    client.force_login(viewer)

    pages = [_read(client, step) for step in STEPS]

    assert [page.count("<button") for page in pages] == [4] * 6, "only for logging out, searching and shortcuts"
    assert "disabled" in "".join(pages)
    assert "/design/clone/" not in "".join(pages)
    assert "data-keep" not in "".join(pages)


@pytest.mark.parametrize("step", ["nothing", "answer"])
def test_step_that_there_is_not_is_not_found(researcher, study, step) -> None:
    answers = [researcher.post(f"{ADDRESS}{step}/{part}") for part in ("", "typed/", "discard/", "preset/")]

    assert [answer.status_code for answer in answers] == [404] * 4


def test_what_is_typed_is_kept_without_a_version_and_shown_again(researcher, study) -> None:
    kept = _keep(researcher, study, "raters", {THANKS: "Well", "pay-reward": "-1", "assignment-may_correct": False})

    assert (kept.status_code, StudyVersion.objects.count()) == (200, 2)
    page = _read(researcher, "raters")
    assert _find_text(page, THANKS) == "Well"
    assert 'name="pay-reward" value="-1"' in page
    assert re.search(r'name="assignment-may_correct"[^>]*checked', page) is None
    assert "which are not saved yet" in page
    assert f'name="revision" value="{kept.json()["revision"]}"' in page
    assert '<span class="mark unsaved">' in _read(researcher, "files")
    assert "Not saved yet:" in _read(researcher, "launch")


def test_saving_and_discarding_end_the_draft(researcher, study) -> None:
    revision = _keep(researcher, study, "raters", {THANKS: "Saved"}).json()["revision"]
    _save(researcher, study, "raters", {THANKS: "Saved", "revision": revision})
    assert not DesignDraft.objects.exists()

    _keep(researcher, study, "raters", {THANKS: "Discarded"})
    researcher.post(f"{ADDRESS}raters/discard/")

    assert not DesignDraft.objects.exists()
    assert _load(study).thanks == "Saved"


def test_saving_ends_a_draft_that_the_page_does_not_know_of(researcher, study) -> None:
    _keep(researcher, study, "raters", {THANKS: "Well"})
    _save(researcher, study, "raters", {THANKS: "Well"})
    assert not DesignDraft.objects.exists()

    _keep(researcher, study, "raters", {THANKS: "From another tab"})
    _save(researcher, study, "raters", {THANKS: "From this one"})
    assert DesignDraft.objects.get().typed[THANKS] == "From another tab"


def test_what_arrives_after_it_was_saved_is_not_kept(researcher, study) -> None:
    late = _fill(study, "raters", {THANKS: "Well"})
    _save(researcher, study, "raters", {THANKS: "Well"})

    answer = researcher.post(f"{ADDRESS}raters/typed/", late)

    assert (answer.status_code, answer.json()["revision"]) == (200, "")
    assert not DesignDraft.objects.exists()


def test_typing_back_what_is_saved_ends_the_draft(researcher, study) -> None:
    revision = _keep(researcher, study, "raters", {THANKS: "Thank you"}).json()["revision"]

    _keep(researcher, study, "raters", {"revision": revision})

    assert not DesignDraft.objects.exists()


def test_what_could_not_be_saved_is_kept(researcher, study) -> None:
    _save(researcher, study, "raters", {"pay-currency": "eur", THANKS: "Kept"})

    page = _read(researcher, "raters")
    assert 'name="pay-currency" value="eur"' in page
    assert _find_text(page, THANKS) == "Kept"


def test_drafts_are_of_one_person(researcher, client, study) -> None:
    _keep(researcher, study, "raters", {THANKS: "Mine"})
    editor = make_user("editor")
    make_member(study, editor, MemberRole.EDITOR)
    client.force_login(editor)

    assert _find_text(_read(client, "raters"), THANKS) != "Mine"


def test_second_tab_is_told_of_the_first_and_both_values_are_shown(researcher, study) -> None:
    first = _keep(researcher, study, "raters", {THANKS: "From the first"}).json()["revision"]

    second = _keep(researcher, study, "raters", {THANKS: "From the second"})

    told = second.json()
    assert (second.status_code, told["revision"]) == (409, first)
    assert '<th scope="row">Thanks</th><td>From the first</td><td>From the second</td>' in told["conflict"]
    assert told["conflict"].count('scope="row"') == 1
    assert DesignDraft.objects.get().typed[THANKS] == "From the first"
    chosen = _keep(researcher, study, "raters", {THANKS: "From the second", "revision": first})
    assert (chosen.status_code, DesignDraft.objects.get().typed[THANKS]) == (200, "From the second")


def test_number_that_is_no_version_stands_for_the_newest(researcher, study) -> None:
    _save(researcher, study, "raters", {THANKS: "First"})
    _save(researcher, study, "raters", {THANKS: "Second", "based_on": "9" * 5000})

    assert _load(study).thanks == "Second"


@pytest.mark.django_db(transaction=True)
def test_what_was_sent_is_merged_and_saved_under_one_lock(researcher, study, monkeypatch) -> None:
    # Otherwise a change that somebody else saves in between would be lost.
    locked = []

    def load(study):
        locked.append(connection.in_atomic_block)
        return load_facts(study)

    monkeypatch.setattr(steps, "load_facts", load)

    _save(researcher, study, "raters", {THANKS: "First"})

    assert (_load(study).thanks, locked) == ("First", [True])


def test_tabs_with_other_steps_or_other_fields_do_not_overwrite_each_other(researcher, study) -> None:
    question, raters = _fill(study, "question"), _fill(study, "raters")

    researcher.post(f"{ADDRESS}question/", {**question, "question-question": "First?"})
    researcher.post(f"{ADDRESS}raters/", {**raters, THANKS: "Second"})
    researcher.post(f"{ADDRESS}raters/", {**raters, "pay-reward": "3", "assignment-may_correct": ""})

    design = _load(study)
    assert (design.question, design.thanks, design.pay.reward, design.may_correct) == ("First?", "Second", 3.0, False)


def test_field_that_was_saved_elsewhere_is_a_conflict_with_both_values(researcher, study) -> None:
    old = _fill(study, "raters")
    researcher.post(f"{ADDRESS}raters/", {**old, THANKS: "First"})

    response = researcher.post(f"{ADDRESS}raters/", {**old, THANKS: "Second"})

    page = unescape(response.content.decode())
    assert response.status_code == 409
    assert '<th scope="row">Thanks</th><td>First</td><td>Second</td>' in page
    assert _find_text(page, THANKS) == "Second"
    assert '<input type="hidden" name="based_on" value="3">' in page
    assert _load(study).thanks == "First"
    researcher.post(f"{ADDRESS}raters/", {**old, THANKS: "Second", "based_on": "3"})
    assert _load(study).thanks == "Second"


def test_draft_shows_what_was_saved_elsewhere_in_other_fields(researcher, study) -> None:
    _keep(researcher, study, "raters", {THANKS: "Typed"})
    _save(researcher, study, "raters", {"pay-reward": "3"})

    page = _read(researcher, "raters")

    assert 'name="pay-reward" value="3.0"' in page
    assert _find_text(page, THANKS) == "Typed"
    assert '<input type="hidden" name="based_on" value="2">' in page


def test_preset_fills_the_question_without_saving(researcher, study) -> None:
    given = {**_fill(study, "question"), "preset": "slider-quality"}

    response = researcher.post(f"{ADDRESS}question/preset/", given)

    assert response.url == f"{ADDRESS}question/?saved=question"
    page = _read(researcher, "question")
    assert 'name="answer-low_label" value="not at all"' in page
    assert re.search(r'name="answer-is_slider"[^>]*checked', page)
    assert StudyVersion.objects.count() == 2
    assert researcher.post(f"{ADDRESS}question/preset/", {"preset": "coco-m1"}).status_code == 404


def test_preview_in_the_frame_shows_what_is_typed_and_no_other_does(researcher, study) -> None:
    _keep(researcher, study, "question", {"question-question": "Typed only?"})
    address = f"/as-rater/{study.join_token}/task/"

    framed, other = researcher.get(f"{address}?typed=question"), researcher.get(address)

    assert "Typed only?" in framed.content.decode()
    assert "frame-ancestors 'self'" in framed.headers["Content-Security-Policy"]
    assert framed.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "Typed only?" not in other.content.decode()
    assert other.headers["X-Frame-Options"] == "DENY"


def test_cost_follows_what_is_typed(researcher, study) -> None:
    given = {"assignment-task_seconds": "60", "assignment-raters_per_task": "3", "pay-reward": "2"}

    cost = _keep(researcher, study, "raters", given).json()["cost"]

    assert f"<dt>Judged tasks</dt><dd>{3 * study.tasks.count()}</dd>" in cost
    assert "<dt>Total</dt><dd>6.00 EUR</dd>" in cost


def test_checklist_links_to_the_field_that_is_missing(researcher, owner) -> None:
    _own(make_designed_study(consent="", question=""), owner)

    page = _read(researcher, "launch")

    assert f'<a href="{ADDRESS}question/#question-question">Question</a>' in page
    assert f'<a href="{ADDRESS}raters/#texts-consent">Consent text</a>' in page
    assert "<button disabled" in page


def test_every_place_of_the_checklist_is_a_field_of_its_step(researcher, study) -> None:
    panel = replace(_load(study).panel, kind=PanelKind.PROLIFIC)
    design = replace(_load(study), panel=panel, checks=Checks(5), qualification=Qualification(), instructions="")
    places = [each.place for each in (*find_missing(study, design), *list_recommended(study, design))]

    found = {place: find_place(place, kind=study.kind) for place in places if place not in PAGES_OF_THEIR_OWN}

    assert len(found) > 6
    for place, (step, field) in found.items():
        assert f'id="{field}"' in _read(researcher, step), place


def test_study_is_opened_from_the_last_step(researcher, study) -> None:
    page = _read(researcher, "launch")
    assert "The study is ready to be opened." in page
    assert '<form method="post" action="/studies/study/open/"' in page

    researcher.post("/studies/study/open/")

    assert Study.objects.get().state == StudyState.OPEN
    assert "The study is open" in _read(researcher, "launch")


def test_login_leads_back_to_the_step(client, study) -> None:
    response = client.post(f"{ADDRESS}raters/", {THANKS: "Thank you"})
    assert response.url == f"/login/?next={ADDRESS}raters/"

    client.force_login(study.owner)

    assert client.get(f"{ADDRESS}raters/").status_code == 200


@pytest.mark.parametrize("n_versions", [1, 3])
def test_pages_take_a_fixed_number_of_queries(researcher, study, n_versions, django_assert_max_num_queries) -> None:
    for number in range(n_versions):
        _save(researcher, study, "raters", {THANKS: f"Thanks {number}"})
    for step in STEPS:
        researcher.get(f"{ADDRESS}{step}/")
        with django_assert_max_num_queries(32):
            researcher.get(f"{ADDRESS}{step}/")
