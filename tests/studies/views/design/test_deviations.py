"""Tests of deviations from a preregistration on pages: the question in the form, the badge, and the list."""

import re
from html import unescape

import pytest

from studies.access.audit import COMMAND_LINE
from studies.design.preregistration.deviations import Confirmation
from studies.design.renaming import rename_study
from studies.design.study_design import StudyDesign
from studies.forms.design.steps import STEPS, StepForm
from studies.models import AuditEntry, ScoringRequest, Study, StudyVersion
from tests.factories.open_studies import make_designed_study
from tests.factories.studies import NOW, make_member, make_user
from tests.studies.preregistered import make_preregistration

pytestmark = pytest.mark.django_db
ADDRESS = "/studies/study/"
REGISTERED = '<a class="state registered" href="/studies/study/design/preregistration/">Preregistered</a>'
DEVIATED = (
    '<a class="state deviated" href="/studies/study/design/preregistration/#deviations">'
    "Preregistered, with deviations</a>"
)
PARTS = (
    "",
    "design/raters/",
    "design/launch/",
    "design/preregistration/",
    "monitoring/",
    "runs/",
    "reports/",
    "people/",
    "history/",
    "explore/",
)


@pytest.fixture
def study(owner):
    study = make_designed_study()
    Study.objects.filter(pk=study.pk).update(owner=owner)
    study.refresh_from_db()
    return study


def _save_exclusion(client, **given):
    form = StepForm(STEPS["checks"], kind="rating", design=StudyDesign())
    return client.post(f"{ADDRESS}design/checks/", {**form.write(), "exclusion-failed_checks": "2", **given})


def _deviate(study):
    given = Confirmation(is_given=True, reason="<b>Better</b>")
    rename_study(study, protocol="flickr8k-cf@1", now=NOW, actor=COMMAND_LINE, confirmation=given)


@pytest.mark.parametrize("part", PARTS)
def test_badge_is_on_every_page(researcher, study, part):
    def read():
        page = researcher.get(f"{ADDRESS}{part}").content.decode()
        return page[page.index('<header class="study">') : page.index("</h1>")]

    before = read()
    make_preregistration(study)
    registered = read()
    _deviate(study)

    deviated = read()
    badges = [[badge in page for badge in (REGISTERED, DEVIATED)] for page in (before, registered, deviated)]
    assert badges == [[False, False], [True, False], [False, True]]


def test_form_comes_back_with_the_deviation_and_what_was_typed(researcher, study):
    make_preregistration(study)

    response = _save_exclusion(researcher)

    page = unescape(response.content.decode())
    assert response.status_code == 422
    assert "“Checks” has not been saved, because the change deviates from the preregistration." in page
    assert "This deviates from preregistration 1:" in page
    assert '<th scope="row">exclusion criterion failed_checks</th><td>nothing</td><td>2</td>' in page
    assert re.search(r'name="exclusion-failed_checks" value="2"', page)
    assert page.count('name="confirm_deviation"') == 1
    assert StudyVersion.objects.count() == 2


def test_confirmed_change_is_saved_and_listed_with_its_reason(researcher, study, owner):
    make_preregistration(study)

    response = _save_exclusion(researcher, confirm_deviation="on", deviation_reason="<i>Bots</i>")

    page = researcher.get(f"{ADDRESS}design/preregistration/").content.decode()
    history = researcher.get(f"{ADDRESS}history/").content.decode()
    assert response.status_code == 302
    entry = AuditEntry.objects.get()
    assert (entry.actor, entry.details["deviates_from"]) == (owner, 1)
    assert "<td>exclusion criterion failed_checks</td>" in page
    assert "&lt;i&gt;Bots&lt;/i&gt;" in page
    assert "deviates_from: 1; deviation_reason: &lt;i&gt;Bots&lt;/i&gt;; deviations: exclusion criterion" in history


def test_study_without_preregistration_is_not_asked(researcher, study):
    assert _save_exclusion(researcher).status_code == 302


def test_confirmation_gives_a_viewer_no_right(client, study):
    make_preregistration(study)
    viewer = make_user("viewer")
    make_member(study, viewer)
    client.force_login(viewer)

    assert _save_exclusion(client, confirm_deviation="on").status_code == 403
    assert DEVIATED not in client.get(ADDRESS).content.decode()
    assert REGISTERED in client.get(ADDRESS).content.decode()


def test_text_saved_by_a_browser_is_no_change(researcher, owner):
    study = make_designed_study(instructions="Look.\n\n- first", question="Good?")
    Study.objects.filter(pk=study.pk).update(owner=owner)
    make_preregistration(study)
    design = StudyDesign.from_json(StudyVersion.objects.get(number=2).design)
    sent = StepForm(STEPS["question"], kind=study.kind, design=design).write()

    response = researcher.post(
        f"{ADDRESS}design/question/", {name: value.replace("\n", "\r\n") for name, value in sent.items()}
    )

    assert (response.status_code, StudyVersion.objects.count()) == (302, 2)


def test_run_of_other_metrics_asks_and_starts_once_confirmed(researcher, study):
    make_preregistration(study)
    asked = {"metrics": ["length", "rouge-l"]}

    response = researcher.post(f"{ADDRESS}runs/start/", asked)

    page = response.content.decode()
    assert response.status_code == 422
    assert '<th scope="row">metrics added</th><td>length</td><td>rouge-l</td>' in page
    assert not ScoringRequest.objects.exists()
    response = researcher.post(f"{ADDRESS}runs/start/", {**asked, "confirm_deviation": "on"})
    assert response.status_code == 302
    assert AuditEntry.objects.get().details["deviations"] == ["metrics added"]


def test_choices_of_the_plan_are_explained_and_signatures_are_folded(researcher, study):
    page = unescape(researcher.get(f"{ADDRESS}design/preregistration/").content.decode())

    form, _, fold = page.partition("Protocols and metrics in detail, with their signatures</summary>")
    for name in ("perm-both", "perm-input", "perm-system", "bootstrap", "williams", "holm", "bh", "none"):
        assert re.search(rf'value="{name}"[^>]*>\s*{name}: \w+', form)
    assert "rows:" not in form
    assert "flickr8k-expert@1|rows:" in fold
    assert "Kendall τ-c over all items. Individual judgments are used." in fold
