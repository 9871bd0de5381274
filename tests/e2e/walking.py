"""A rater's walk through all raters' pages, in any language."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils import timezone, translation
from django.utils.translation import gettext
from playwright.sync_api import Page, expect

from studies.collection.lifecycle import close_study
from studies.design.study_design import Checks, Panel, Pay, Qualification
from studies.enums import PanelKind, TaskKind
from tests.e2e.looking import follow
from tests.factories.open_studies import make_designed_study, make_open_study
from tests.studies.collection.assignment.staged import make_staged_study

RIGHT, WRONG = "Describes it without any mistake", "Unrelated to the image"
TEXTS = {
    "information": "We study which captions people prefer.\n\nThe study is run by an example university.",
    "debriefing": "Your answers tell which automatic measures agree with people.",
    "retention_days": 90,
    "task_seconds": 20,
    "pay": Pay(currency="EUR", reward=1.5, hourly_wage=12.0),
}
Look = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Words:
    """What buttons, links and headings are called in a language."""

    code: str

    def say(self, text: str) -> str:
        with translation.override(self.code):
            return gettext(text)


def walk_to_the_end(page: Page, root: str, *, words: Words, look: Look) -> None:
    """Go from the link by training, qualification, a correction and a break to a withdrawal, looking everywhere."""
    study = make_staged_study(
        training=1, trial=1, main=2, qualification=Qualification(pass_share=1.0), tasks_per_session=1, **TEXTS
    )
    page.goto(f"{root}/r/{study.join_token}/")
    look("join")
    _press(page, words, "Continue")
    look("join-error")
    page.get_by_role("checkbox").check()
    _press(page, words, "Continue")
    look("instructions")
    _follow(page, words, "Start with the first task")
    _learn(page, words=words, look=look)
    look("task")
    page.get_by_text(words.say("Instructions"), exact=True).click()
    look("task-guide")
    _press(page, words, "Save and continue")
    expect(page.get_by_role("alert")).to_be_focused()
    look("task-error")
    _press(page, words, "Stop for now")
    look("pause")
    _follow(page, words, "Continue now")
    _answer(page, words, RIGHT)
    look("break")
    _press(page, words, "Start the next session")
    _follow(page, words, "Back to my last answer")
    look("correct")
    _answer(page, words, WRONG)
    _answer(page, words, RIGHT)
    look("thanks")
    _withdraw(page, words=words, look=look)


def _learn(page: Page, *, words: Words, look: Look) -> None:
    """Go through training, fail the qualification, and pass it."""
    look("training")
    _answer(page, words, WRONG)
    look("feedback")
    _follow(page, words, "Continue")
    _answer(page, words, WRONG)
    look("failed")
    _follow(page, words, "Read the instructions and try again")
    _follow(page, words, "Try again")
    _answer(page, words, RIGHT)
    look("qualified")
    _follow(page, words, "Start with the first task")


def _withdraw(page: Page, *, words: Words, look: Look) -> None:
    _follow(page, words, "Withdraw from the study")
    look("leave")
    _press(page, words, "Withdraw from the study")
    look("leave-error")
    page.get_by_label(words.say("Erase my answers too.")).check()
    _press(page, words, "Withdraw from the study")
    look("withdrawn")


def visit_dead_ends(page: Page, root: str, *, words: Words, look: Look) -> None:
    """Open every page that a rater can only go away from."""
    closed, panel = (
        make_open_study("closed"),
        make_open_study("panel", panel=Panel(kind=PanelKind.PROLIFIC, codes={"finished": "C1"})),
    )
    draft, staged = make_designed_study("draft"), make_open_study("declined", checks=Checks())
    close_study(closed, now=timezone.now())
    for name, address in (
        ("unknown", "no-such-study/"),
        ("draft", f"{draft.join_token}/"),
        ("closed", f"{closed.join_token}/"),
        ("no-arrival", f"{panel.join_token}/"),
        ("refused", f"{panel.join_token}/?PROLIFIC_PID=x&STUDY_ID=y&SESSION_ID=z"),
    ):
        page.goto(f"{root}/r/{address}")
        look(name)
    page.goto(f"{root}/r/{staged.join_token}/")
    _press(page, words, "I do not want to take part")
    look("declined")


def open_task(page: Page, root: str, *, words: Words, kind: TaskKind, **design: object) -> None:
    """Join a study of one task and open that."""
    study = make_open_study(kind=kind, n_tasks=1, **design)
    page.goto(f"{root}/r/{study.join_token}/")
    page.get_by_role("checkbox").check()
    _press(page, words, "Continue")
    _follow(page, words, "Start with the first task")
    expect(page.locator("form[data-task]")).to_be_visible()


def _answer(page: Page, words: Words, label: str) -> None:
    page.get_by_label(label).check()
    _press(page, words, "Save and continue")


def _press(page: Page, words: Words, name: str) -> None:
    follow(page.get_by_role("button", name=words.say(name), exact=True))


def _follow(page: Page, words: Words, name: str) -> None:
    follow(page.get_by_role("link", name=words.say(name), exact=True))
