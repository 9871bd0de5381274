"""Tests of monitoring and disagreements in a browser: desktop, small phone, keyboard, with and without JavaScript."""

import pytest
from django.core.files.base import ContentFile
from playwright.sync_api import Browser, Page, expect

from studies.models import Image, StudyVersion
from tests.e2e.looking import SMALL, check_page, follow, follow_by_key
from tests.e2e.researchers.test_explorer import do_the_work
from tests.e2e.researchers.test_pages import DESKTOP, log_in, owner, researcher, wait_for_pictures  # noqa: F401
from tests.factories.open_studies import draw_picture
from tests.studies.rated import make_rated_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RULE = {"width": 0.001, "looks": 2, "max_judgments": 36}


def make_study_of(owner, *, state="open"):  # noqa: F811
    study = make_rated_study()
    for image in Image.objects.filter(dataset=study.dataset):
        image.file.save(f"{image.key}.png", ContentFile(draw_picture()))
    version = StudyVersion.objects.get(study=study)
    version.design = {**version.design, "stopping_rule": RULE}
    version.save()
    study.owner, study.state, study.started_at = owner, state, study.created_at
    study.save()
    return study


@pytest.fixture(autouse=True)
def _own_files(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.mark.parametrize("size", [DESKTOP, SMALL], ids=["desktop", "small"])
def test_monitoring_is_accessible_and_fits(researcher: Page, live_server, owner, size: dict) -> None:  # noqa: F811
    make_study_of(owner)
    researcher.set_viewport_size(size)

    researcher.goto(f"{live_server.url}/studies/rated/monitoring/?wait=1")
    researcher.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")

    check_page(researcher, "researcher")


@pytest.mark.parametrize("size", [DESKTOP, SMALL], ids=["desktop", "small"])
def test_disagreements_are_accessible_and_fit(researcher: Page, live_server, owner, size: dict) -> None:  # noqa: F811
    make_study_of(owner)
    researcher.set_viewport_size(size)

    researcher.goto(f"{live_server.url}/studies/rated/disagreements/?metric=rouge-l&tuples=on")
    researcher.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    researcher.evaluate("document.querySelectorAll('img').forEach(each => each.loading = 'eager')")
    wait_for_pictures(researcher)

    check_page(researcher, "disagreements")


def test_numbers_that_take_longer_arrive_without_reload(researcher: Page, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    researcher.goto(f"{live_server.url}/studies/rated/monitoring/")
    expect(researcher.get_by_text("Waiting for a worker.")).to_be_visible()

    do_the_work()

    expect(researcher.get_by_role("heading", name="Inter-rater agreement")).to_be_visible()
    expect(researcher.get_by_text("Waiting for a worker.")).to_have_count(0)


def test_monitoring_works_without_javascript_and_by_keyboard(browser: Browser, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/rated/monitoring/")

    page.get_by_role("link", name="Compute now and wait").focus()
    follow_by_key(page)
    expect(page.get_by_role("heading", name="Inter-rater agreement")).to_be_visible()
    page.get_by_role("button", name="Take look 2").focus()
    follow_by_key(page)

    expect(page.get_by_text("The stopping rule was met").first).to_be_visible()
    follow(page.get_by_role("link", name="refresh"))
    expect(page.get_by_role("img", name="Bar chart of judgments by hour")).to_be_visible()


def test_disagreements_work_without_javascript_and_by_keyboard(browser: Browser, live_server, owner) -> None:  # noqa: F811
    make_study_of(owner)
    page = browser.new_context(java_script_enabled=False).new_page()
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/rated/disagreements/")

    page.get_by_label("Compare").select_option("raters")
    page.get_by_role("button", name="Show").focus()
    follow_by_key(page)

    expect(page.get_by_text("Items sorted by the standard deviation of their judgments")).to_be_visible()
