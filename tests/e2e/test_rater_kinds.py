"""A rater finishes a study of each kind with the mouse, on a desktop and on a phone."""

import pytest
from playwright.sync_api import Page, expect

from studies.enums import TaskKind
from studies.models import Judgment
from tests.e2e.looking import NARROW, PHONE, check_page
from tests.e2e.rater_steps import expect_task, expect_thanks, join_and_start, save
from tests.factories.open_studies import make_open_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DESKTOP = {"width": 1280, "height": 800}
CLICKS = {
    TaskKind.PAIRWISE: lambda page: page.get_by_role("radio").first.click(),
    TaskKind.RATING: lambda page: page.locator("label", has_text="Minor mistakes").click(),
    TaskKind.SET_RATING: lambda page: [
        page.get_by_role("group", name=f"Set {letter}").get_by_role("radio", name="0.3", exact=True).click()
        for letter in "ABC"
    ],
}


@pytest.mark.parametrize("size", [DESKTOP, PHONE, NARROW], ids=["desktop", "phone", "narrow"])
@pytest.mark.parametrize("kind", TaskKind)
def test_rater_finishes_a_study(page: Page, live_server, kind: TaskKind, size: dict) -> None:
    page.set_viewport_size(size)
    study = make_open_study(kind=kind)
    join_and_start(page, live_server, study, name=kind)
    for number in (1, 2):
        expect_task(page, number, 2)
        expect(page.get_by_role("radio", checked=True)).to_have_count(0)
        CLICKS[kind](page)
        if number == 1:
            check_page(page, f"{kind}-3-task")
        save(page)
    expect_thanks(page)
    check_page(page, f"{kind}-4-thanks")

    values = sorted(Judgment.objects.values_list("value", flat=True))
    expected = {
        # The first caption shown is the item's own candidate in one of two neighbouring tasks.
        TaskKind.PAIRWISE: [-1.0, 1.0],
        TaskKind.RATING: [3.0, 3.0],
        TaskKind.SET_RATING: [0.3] * 6,
    }
    assert values == expected[kind]
    assert all(0 < elapsed < 60_000 for elapsed in Judgment.objects.values_list("elapsed_ms", flat=True))
