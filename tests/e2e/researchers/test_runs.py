"""Tests of a run in a browser: requested, in progress, paused, resumed, cancelled; with real workers."""

import re
import sys
import threading

import pytest
from django.db import connections
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from metrics_plugins.api.resources import install_extras
from studies.enums import RequestState
from studies.models import RequestedMetric, Run, ScoringRequest
from tests.e2e.looking import (
    SMALL,
    check_page,
    check_sizes,
    follow,
    follow_by_key,
    keep_still,
    show_at,
    wait_for_first,
)
from tests.e2e.researchers.test_pages import DESKTOP, log_in
from tests.factories.studies import NOW, make_user
from tests.plugins.installing import installed_hostile_plugins  # noqa: F401 - a fixture
from tests.studies.scored import make_scored_study
from tests.studies.scoring.requested_runs.scored_here import work_on

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def study(transactional_db):
    return make_scored_study(owner=make_user("owner"), score=False)


@pytest.fixture
def researcher(page: Page, live_server, study) -> Page:
    log_in(page, live_server, "owner")
    return page


class Worker(threading.Thread):
    """Works on a run as a worker of the background does, with connections of its own."""

    def __init__(self, run: ScoringRequest) -> None:
        super().__init__()
        self.run_pk = run.pk

    def run(self) -> None:
        try:
            work_on(self.run_pk, now=timezone.now)
        finally:
            connections.close_all()


def start_run(page: Page, live_server, *metrics: str) -> ScoringRequest:
    page.goto(f"{live_server.url}/studies/study/runs/")
    for box in page.get_by_role("group", name="Metrics").get_by_role("checkbox").all():
        box.set_checked(box.get_attribute("value") in metrics)
    follow(page.get_by_role("button", name="Start the run"))
    expect(page).to_have_url(re.compile(r"/runs/\d+/$"))
    return ScoringRequest.objects.latest("pk")


def test_a_run_is_started_watched_paused_resumed_and_cancelled(
    monkeypatch,
    settings,
    installed_hostile_plugins,  # noqa: F811 - the fixture imported above
    researcher: Page,
    live_server,
) -> None:
    monkeypatch.syspath_prepend(installed_hostile_plugins)
    settings.ACCORDANCE_METRIC_SECONDS = 600.0
    run = start_run(researcher, live_server, "length", "loops-forever")
    state = researcher.locator("#run-title .outcome")
    expect(state).to_have_text("Waiting")
    worker = Worker(run)
    worker.start()

    # The bar moves without a reload: the first metric is done, the second never will be.
    expect(researcher.get_by_role("progressbar", name="Scores computed")).to_have_attribute(
        "value", "1", timeout=60_000
    )
    expect(state).to_have_text("Running")
    with keep_still(researcher) as held:
        wait_for_first(researcher, held)
        check_page(researcher, "run-running")
    follow(researcher.get_by_role("button", name="Pause"))
    expect(researcher.get_by_text("The run has been paused.")).to_be_visible()
    expect(state).to_have_text("Paused")
    worker.join(timeout=30)
    assert not worker.is_alive()

    follow(researcher.get_by_role("button", name="Resume"))
    expect(state).to_have_text("Waiting")
    worker = Worker(run)
    worker.start()
    expect(state).to_have_text("Running", timeout=60_000)
    follow(researcher.get_by_role("button", name="Cancel"))
    expect(state).to_have_text("Cancelled")
    worker.join(timeout=30)
    assert not worker.is_alive()
    check_page(researcher, "run-cancelled")


def test_what_is_pressed_while_the_progress_is_updated_is_clicked(researcher: Page, live_server) -> None:
    start_run(researcher, live_server, "length")
    state = researcher.locator("#run-title .outcome")
    pause, cancel = (researcher.get_by_role("button", name=name) for name in ("Pause", "Cancel"))

    pause.hover()
    researcher.mouse.down()
    wait_for_two_looks(researcher)
    with researcher.expect_navigation():
        researcher.mouse.up()
    expect(state).to_have_text("Paused")

    follow(researcher.get_by_role("button", name="Resume"))
    cancel.focus()
    researcher.keyboard.down("Space")
    wait_for_two_looks(researcher)
    with researcher.expect_navigation():
        researcher.keyboard.up("Space")
    expect(state).to_have_text("Cancelled")


def wait_for_two_looks(page: Page) -> None:
    """Wait until the page has asked for its progress and got it: then it asks again."""
    for _ in range(2):
        with page.expect_response(re.compile(r"/runs/\d+/progress/$")):
            pass


def test_without_javascript_a_reload_shows_how_far_it_is(browser: Browser, live_server, study) -> None:
    page = browser.new_context(java_script_enabled=False, viewport=SMALL).new_page()
    log_in(page, live_server, "owner")
    run = start_run(page, live_server, "length")
    work_on(run.pk, now=timezone.now)

    follow(page.get_by_role("link", name="refresh"))

    expect(page.locator("#run-title .outcome")).to_have_text("Finished")
    expect(page.get_by_role("progressbar", name="Scores computed")).to_have_attribute("value", "1")
    expect(page.get_by_role("button", name="Cancel")).to_have_count(0)


def test_pages_of_runs_and_metrics_are_accessible_and_fit(researcher: Page, live_server, study) -> None:
    done = start_run(researcher, live_server, "length", "cider-d")
    work_on(done.pk, now=timezone.now)
    failed = ScoringRequest.objects.create(study=study, state=RequestState.FAILED, requested_at=NOW, message="x" * 300)
    RequestedMetric.objects.create(request=failed, metric="rouge-l", state=RequestState.FAILED, message="why " * 80)
    partial = ScoringRequest.objects.create(study=study, state=RequestState.FINISHED, requested_at=NOW)
    for metric, state in (
        ("spice", RequestState.FINISHED),
        ("wmd", RequestState.FAILED),
        ("meteor", RequestState.FAILED),
    ):
        RequestedMetric.objects.create(
            request=partial, metric=metric, state=state, message="it needs x", estimated_seconds=180, seconds=2340
        )
    pages = (
        *("studies/study/", "studies/study/runs/"),
        *(f"studies/study/runs/{run.pk}/" for run in (done, failed, partial)),
    )
    for address in (*pages, "studies/study/runs/metrics/cider-d/", "metrics/?q=cider", "metrics/cider-d/"):
        researcher.goto(f"{live_server.url}/{address}")
        for _ in show_at(researcher, SMALL, DESKTOP):
            researcher.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
            check_page(researcher, re.sub(r"\W+", "-", address))


def test_metrics_that_are_not_available_are_listed_apart_with_the_command(
    monkeypatch, researcher: Page, live_server
) -> None:
    # What Python itself takes for packages that are not there.
    for module in ("pycocoevalcap", "spacy", "torch"):
        monkeypatch.setitem(sys.modules, module, None)
    researcher.set_viewport_size(SMALL)
    researcher.goto(f"{live_server.url}/studies/study/runs/")

    apart = researcher.get_by_role("region", name=re.compile("not available on this server"))
    meteor = apart.get_by_role("listitem").filter(has_text="meteor")
    expect(meteor).to_have_text("meteor needs pycocoevalcap")
    command = install_extras("critics", "meteor", "parsing")
    expect(apart.locator(".command").first).to_have_text(command)
    offered = researcher.get_by_role("group", name="Metrics").get_by_role("checkbox")
    assert "meteor" not in [box.get_attribute("value") for box in offered.all()]
    button = researcher.get_by_role("button", name="All", exact=True)
    button.click()
    check_sizes(researcher, "run-not-available", DESKTOP, SMALL, seen=[meteor, apart.locator(".command").first, button])

    researcher.goto(f"{live_server.url}/metrics/")
    shown = researcher.locator("#unavailable .command").first
    expect(shown).to_have_text(command)
    check_sizes(researcher, "metrics-not-available", DESKTOP, SMALL, seen=[shown])


def test_metrics_are_selected_by_buttons_in_the_page(researcher: Page, live_server) -> None:
    # An earlier run, in which each row took 5 seconds.
    counts = {"n_rows": 99_000, "seconds": 495_000.0, "chunk_size": 5000, "higher_is_better": True, "versions": {}}
    named = {"signature": "spice|v:1", "input_digest": "x", "plugin": "x 1", "device": "cpu", "dtype": "float64"}
    Run.objects.create(metric="spice", started_at=NOW, finished_at=NOW, **counts, **named)
    researcher.goto(f"{live_server.url}/studies/study/runs/")
    boxes = researcher.get_by_role("group", name="Metrics").get_by_role("checkbox")

    def list_chosen() -> set[str]:
        return {box.get_attribute("value") for box in boxes.all() if box.is_checked()}

    recommended, cost = list_chosen(), researcher.locator("#cost")
    first = cost.text_content()
    researcher.get_by_label("Only for the protocol of this study").check()
    researcher.get_by_role("button", name="None", exact=True).click()
    assert list_chosen() == set()
    expect(cost).to_have_text("less than 1 s")
    researcher.get_by_role("button", name="All of ngram").click()
    assert {"bleu-1", "bleu-4"} <= list_chosen()
    assert "spice" not in list_chosen()
    researcher.get_by_role("button", name="All", exact=True).click()
    assert len(list_chosen()) == boxes.count()
    researcher.get_by_role("button", name="Recommended", exact=True).click()
    assert list_chosen() == recommended
    # The script computes what the server had computed.
    expect(cost).to_have_text(first)
    # Nothing was requested, so what was entered elsewhere is still there.
    expect(researcher.get_by_label("Only for the protocol of this study")).to_be_checked()
    assert researcher.url.endswith("/runs/")


def test_metrics_are_selected_by_buttons_without_javascript(browser: Browser, live_server, study) -> None:
    page = browser.new_context(java_script_enabled=False, viewport=SMALL).new_page()
    log_in(page, live_server, "owner")
    page.goto(f"{live_server.url}/studies/study/runs/")
    page.get_by_label("Only for the protocol of this study").check()
    spice, bleu = (page.get_by_role("checkbox", name=name, exact=True) for name in ("spice (SPICE)", "bleu-4 (BLEU-4)"))
    expect(bleu).to_be_checked()
    follow(page.get_by_role("button", name="None", exact=True))
    expect(bleu).not_to_be_checked()
    follow(page.get_by_role("button", name="All of scene graph"))

    expect(spice).to_be_checked()
    expect(bleu).not_to_be_checked()
    expect(page.get_by_label("Only for the protocol of this study")).to_be_checked()


def test_metrics_are_switched_and_set_by_keyboard(researcher: Page, live_server) -> None:
    researcher.goto(f"{live_server.url}/studies/study/runs/")
    disable = researcher.get_by_role("button", name="Disable rouge-l")
    expect(disable).to_be_hidden()
    researcher.locator("summary", has_text="parameters, and which are disabled").focus()
    researcher.keyboard.press("Enter")
    disable.focus()
    follow_by_key(researcher)
    expect(researcher.get_by_text("rouge-l has been disabled.")).to_be_visible()
    # What differs from the defaults is shown.
    expect(researcher.get_by_role("button", name="Enable rouge-l")).to_be_visible()
    researcher.get_by_role("link", name="Parameters of cider-d").focus()
    follow_by_key(researcher)
    researcher.get_by_label("n:", exact=True).fill("3")
    follow_by_key(researcher)

    expect(researcher.get_by_text("The next run of cider-d will use these parameters.")).to_be_visible()
    expect(researcher.get_by_role("row", name=re.compile("cider-d"))).to_contain_text("n=3")
