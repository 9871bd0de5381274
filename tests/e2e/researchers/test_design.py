"""Tests of what docs/design.md says: directions of texts, the mark, and sizes; and the pictures in it and the README.

With ACCORDANCE_SHOTS=docs/images the pictures are made anew (`make pictures`).
"""

import re

import pytest
from playwright.sync_api import Page, expect

from studies.enums import StudyState
from studies.models import Candidate, Study
from tests.e2e.looking import PHONE, check_page, show_in_schemes
from tests.e2e.researchers.test_pages import DESKTOP, log_in, wait_for_pictures
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_user
from tests.studies.page_rights import make_report
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ARABIC = "كلب بني يقفز فوق جذع شجرة."


@pytest.fixture
def study(transactional_db):
    owner = make_user("owner")
    study = make_rated_study("dogs", n_items=12)
    other = make_open_study("cats", n_tasks=4)
    for each, title in ((study, "Captions of dogs"), (other, "Captions of cats")):
        each.owner, each.title = owner, title
        each.save()
    make_report(study)
    return study


@pytest.fixture
def researcher(page: Page, live_server, study) -> Page:
    log_in(page, live_server, "owner")
    return page


def test_pages_of_the_document(researcher: Page, live_server, study) -> None:
    for name, address in (("report", "reports/1/"), ("item", f"items/{list_items(study)[0].pk}/")):
        researcher.goto(f"{live_server.url}/studies/dogs/{address}")
        for scheme in show_in_schemes(researcher, DESKTOP, PHONE):
            wait_for_pictures(researcher)
            check_page(researcher, f"design-{name}-{scheme}")


def test_front_page_of_the_readme(page: Page, live_server, study) -> None:
    Study.objects.update(is_public=True)
    Study.objects.filter(pk=study.pk).update(state=StudyState.CLOSED, started_at=NOW)
    page.goto(f"{live_server.url}/")
    for scheme in show_in_schemes(page, DESKTOP, PHONE):
        check_page(page, f"design-front-{scheme}")


def test_caption_has_the_direction_of_its_own_text(researcher: Page, live_server, study) -> None:
    Candidate.objects.filter(pk=list_items(study)[0].candidate_id).update(text=ARABIC)
    for address in (f"items/{list_items(study)[0].pk}/", ""):
        researcher.goto(f"{live_server.url}/studies/dogs/{address}")
        caption = researcher.get_by_text(ARABIC).first
        assert caption.evaluate("each => getComputedStyle(each).direction") == "rtl"


def test_mark_stands_beside_the_name_and_icons_are_loaded(researcher: Page, live_server) -> None:
    missing: list[str] = []
    researcher.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    researcher.goto(f"{live_server.url}/activity/")

    brand = researcher.get_by_role("link", name=re.compile("^Accordance$"))
    expect(brand).to_be_visible()
    assert "favicon.svg" in brand.evaluate("each => getComputedStyle(each, '::before').backgroundImage")
    researcher.wait_for_load_state("networkidle")
    assert missing == []
