"""The two walks of a newcomer, who presses what the pages offer and reads nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from playwright.sync_api import Browser, Page, expect

from tests.e2e.first_walks.files import read_fits
from tests.e2e.first_walks.film import Film
from tests.e2e.first_walks.raters import answer_all, join
from tests.e2e.looking import follow

DESKTOP = {"width": 1280, "height": 900}
MOST_CLICKS_TO_LINK = 5
MOST_CLICKS_TO_REPORT = 20
MOST_SECONDS_TO_INSIGHT = 180
MOST_SECONDS_TO_REPORT = 900
_PATIENCE = 120_000
_SEED = 1


@dataclass(frozen=True, slots=True)
class Walked:
    """What a walk took.

    Attributes:
        film: Its pictures.
        n_clicks_to_link: Clicks until the study was open; 0 for a walk without one.
        n_raters, n_judgments: Who answered through the link, and how often.
        rating_seconds: How long the raters' programs took.
        insight: The sentence that the walk led to.
    """

    film: Film
    insight: str
    n_clicks_to_link: int = 0
    n_raters: int = 0
    n_judgments: int = 0
    rating_seconds: float = 0.0


def walk_to_an_insight(browser: Browser, site: str) -> Walked:
    """Go from the front page of the demo to the best metric of a finished study, and to a caption it judges badly."""
    film, page = Film(), _open(browser)
    film.start()
    page.goto(site)
    film.look(page, "The address that make demo printed", shows=page.get_by_role("heading", level=1))
    insight = page.get_by_role("region", name="No metric").get_by_role("heading").inner_text()
    finished = page.get_by_role("region", name="Look around").get_by_role("link").first
    film.click(finished, "Look around: a finished study", shows=page.get_by_role("region", name="Table of results"))
    page.context.close()
    return Walked(film, insight)


def walk_to_a_report(browser: Browser, site: str, files: Mapping[str, Path]) -> Walked:
    """Go from an empty list of studies, by a study of three files that raters answer, to a shared report."""
    film, page = Film(), _open(browser)
    _sign_up(page, site)
    film.start()
    film.look(page, "A new account, and three files", shows=page.get_by_role("heading", name="Studies", exact=True))
    link = _open_study(film, page, files)
    n_clicks_to_link, started = film.n_clicks, film.seconds
    n_raters, n_judgments = _rate(film, browser, link)
    rating_seconds = film.seconds - started
    insight = _run_metrics(film, page)
    address = _share_report(film, page)
    _read_as_a_stranger(film, browser, address)
    page.context.close()
    return Walked(film, insight, n_clicks_to_link, n_raters, n_judgments, rating_seconds)


def _open(browser: Browser) -> Page:
    page = browser.new_context(viewport=DESKTOP).new_page()
    page.set_default_timeout(_PATIENCE)
    return page


def _sign_up(page: Page, site: str) -> None:
    page.goto(f"{site}/login/")
    follow(page.get_by_role("link", name="Sign up"))
    page.get_by_label("Username").fill("newcomer")
    page.get_by_label("E-mail address").fill("newcomer@example.org")
    for label in ("Password", "Password confirmation"):
        page.get_by_label(f"{label}:", exact=True).fill("wide-open-meadow-7")
    follow(page.get_by_role("button", name="Create an account"))
    expect(page.get_by_role("heading", name="Studies", exact=True)).to_be_visible()


def _open_study(film: Film, page: Page, files: Mapping[str, Path]) -> str:
    """Return the link for raters."""
    check = page.get_by_role("button", name="Check the files")
    film.click(page.get_by_role("link", name="New study").first, "New study", shows=page.get_by_label("Title"))
    film.type(page.get_by_label("Name"), "my-captions")
    film.type(page.get_by_label("Title"), "My captions")
    for label, name in (("Items", "captions.csv"), ("Images", "images.zip"), ("References", "references.csv")):
        film.drop(page.get_by_label(label), files[name])
    film.look(page, "A title, and the files dropped", shows=check)
    create = page.get_by_role("button", name="Create the study")
    film.click(check, "Check the files", shows=create)
    save = page.get_by_role("button", name="Save and go to Launch")
    film.click(create, "Create the study: it asks for a consent text", shows=page.locator(".lacks"))
    film.type(page.get_by_role("textbox", name="Consent"), "I am 18 or older and agree to take part.")
    opens = page.get_by_role("button", name="Open the study")
    film.click(save, "Consent typed; Save and go to Launch", shows=opens)
    link = page.get_by_label("Link for raters", exact=True)
    film.click(opens, "Open the study: here is the raters' link", shows=link)
    return link.input_value()


def _rate(film: Film, browser: Browser, link: str) -> tuple[int, int]:
    """Let raters come by the link until no task is left; return how many came and how many judgments they gave."""
    rng, fits = np.random.default_rng(_SEED), read_fits()
    n_raters = n_judgments = 0
    for number in range(5):
        rater = _open(browser)
        join(rater, link)
        if number == 0:
            film.look(rater, "A rater follows the link", shows=rater.locator("form[data-task]"))
        n_judgments += answer_all(rater, fits=fits, rng=rng)
        n_raters += 1
        rater.context.close()
    return n_raters, n_judgments


def _run_metrics(film: Film, page: Page) -> str:
    """Return the sentence above the results."""
    page.reload()
    start = page.get_by_role("button", name="Start the run")
    run = page.get_by_role("region", name="What to do next").get_by_role("link", name="Run metrics")
    film.look(page, "Raters have answered: what to do next", shows=run)
    film.click(run, "Run metrics: recommended ones are ticked", shows=start)
    finished = page.locator("#run-title .outcome").filter(has_text="Finished")
    film.click(start, "Start the run, and wait", shows=finished)
    # The interval comes last.
    headline = page.locator("#agreement").filter(has_text="[")
    film.click(page.get_by_role("link", name="Overview", exact=True), "Overview: which metric agrees", shows=headline)
    return headline.inner_text()


def _share_report(film: Film, page: Page) -> str:
    """Return the address that anybody may read."""
    freeze = page.get_by_role("button", name="Freeze a report")
    film.click(page.get_by_role("link", name="Reports", exact=True), "Reports", shows=freeze)
    report = page.get_by_role("link", name="Report 1", exact=True)
    film.click(freeze, "Freeze a report, and wait", shows=report)
    share = page.get_by_role("button", name="Create a share link")
    film.click(report, "Report 1", shows=share)
    address = page.get_by_role("textbox", name="Anyone with this address")
    film.click(share, "Create a share link", shows=address)
    return address.input_value()


def _read_as_a_stranger(film: Film, browser: Browser, address: str) -> None:
    stranger = _open(browser)
    stranger.goto(address)
    table = stranger.get_by_role("region", name="Table of results")
    film.look(stranger, "The link, without an account", shows=table.first)
    stranger.context.close()
