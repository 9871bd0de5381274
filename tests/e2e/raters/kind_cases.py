"""How to answer a task of each kind with the mouse and with the keyboard only, and what is stored."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page, expect

from studies.design.study_design import Slider
from studies.enums import TaskKind
from tests.e2e.looking import follow_by_key

CAPTION = "A brown dog leaps over a fallen log in the woods."
SLIDER = Slider(low_label="does not fit at all", high_label="fits perfectly")


@dataclass(frozen=True, slots=True)
class KindCase:
    """One kind of task, or a variant of it.

    Attributes:
        click: Takes the page, or the question of one item, and answers it with the mouse (and, to write, the
            keyboard); needs no script.
        press: Answers a task from the top of the page with keys alone, the last of which saves.
        values: What the judgments of one task are, sorted.
        pressed: The same after `press`, where that gives another answer.
    """

    name: str
    kind: TaskKind
    click: Callable[[Page | Locator], Any]
    press: Callable[[Page], Any]
    values: list[float | None]
    design: dict[str, Any] = field(default_factory=dict)
    pressed: list[float | None] | None = None

    @property
    def shares_captions(self) -> bool:
        """Whether the items of a task are judged together, so that it always has the same number of them."""
        return self.kind in (TaskKind.SET_RATING, TaskKind.BEST_WORST)

    def click_all(self, page: Page) -> None:
        """Answer all items of the task in view as `click` does."""
        for place in [page] if self.shares_captions else page.locator(".question").all():
            self.click(place)


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def see_keys(page: Page) -> None:
    """Wait, like a person, for the keys to be shown beside the choices: then the script is there."""
    expect(page.locator("kbd:visible").first).to_be_visible()


def press_number(*numbers: str) -> Callable[[Page], None]:
    def answer(page: Page) -> None:
        see_keys(page)
        press(page, *numbers)
        expect(page.get_by_role("radio", checked=True)).to_have_count(len(numbers))
        follow_by_key(page)

    return answer


def _rate_sets(page: Page | Locator) -> None:
    for letter in "ABC":
        page.get_by_role("group", name=f"Set {letter}").get_by_role("radio", name="0.3", exact=True).click()


def _press_sets(page: Page) -> None:
    see_keys(page)
    # Skip link, then one stop for each set; an arrow chooses the next value.
    press(page, "Tab", "Tab", "Space", "ArrowRight", "Tab", "Space", "ArrowLeft", "Tab", "Space")
    follow_by_key(page)


def _press_slider(page: Page) -> None:
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", "nothing chosen yet")
    press(page, "Tab", "Tab")
    expect(slider).to_be_focused()
    press(page, "End", "ArrowLeft", "ArrowLeft")
    expect(slider).to_have_attribute("aria-valuetext", "98")
    follow_by_key(page)


def _mark_best_and_worst(page: Page | Locator) -> None:
    page.get_by_role("radio", name="Best").first.click()
    page.get_by_role("radio", name="Worst").last.click()


def _write(page: Page) -> None:
    press(page, "Tab", "Tab")
    expect(page.get_by_label("Your caption")).to_be_focused()
    page.keyboard.type(CAPTION)
    follow_by_key(page, "Control+Enter")


CASES = (
    KindCase(
        "pairwise", TaskKind.PAIRWISE, lambda page: page.get_by_role("radio").last.click(), press_number("0"), [0]
    ),
    KindCase(
        "rating",
        TaskKind.RATING,
        lambda page: page.locator("label", has_text="Minor mistakes").click(),
        press_number("3"),
        [3],
    ),
    KindCase(
        "slider",
        TaskKind.RATING,
        lambda page: page.get_by_role("spinbutton").fill("98"),
        _press_slider,
        [98],
        design={"scale": (), "slider": SLIDER},
    ),
    KindCase("set_rating", TaskKind.SET_RATING, _rate_sets, _press_sets, [0.3] * 3, pressed=[0.0, 0.1, 1.0]),
    KindCase(
        "turing",
        TaskKind.TURING,
        lambda page: page.get_by_role("radio", name="A person wrote it").click(),
        press_number("1"),
        [1],
    ),
    KindCase("best_worst", TaskKind.BEST_WORST, _mark_best_and_worst, press_number("2", "3"), [-1, 0, 1]),
    KindCase("caption", TaskKind.CAPTION, lambda page: page.get_by_label("Your caption").fill(CAPTION), _write, [None]),
)
