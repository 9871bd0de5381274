"""Scripted raters, each with a way of working, at the real pages over HTTP."""

import re
import time
from dataclasses import dataclass
from random import Random
from typing import Final

from annotation_ui.simulation.answering import fill_form
from annotation_ui.simulation.browsing import Browser, Page
from annotation_ui.simulation.panels import PlayedPanel
from annotation_ui.simulation.perceiving import Perception
from studies.enums import RaterOutcome

_TASK: Final = re.compile(r"/task/(\d+)/$")
_MOST_PAGES: Final = 5000


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A way of working.

    Attributes:
        manner: How answers come about: `careful`, `careless` or `same`.
        pace: Seconds on a task, as a share of what the design expects.
        ends: What a rater does after a few tasks: nothing (""), "leave", "vanish" in the middle of a task, or
            "decline" before the first.
        doubles: Whether everything is opened twice and every form sent twice.
        expected: The outcome that the panel should hear of; None if it should hear nothing.
    """

    manner: str = "careful"
    pace: float = 1.0
    ends: str = ""
    doubles: bool = False
    expected: RaterOutcome | None = RaterOutcome.FINISHED


BEHAVIOURS: Final[dict[str, Behaviour]] = {
    "attentive": Behaviour(),
    "hasty": Behaviour(manner="careless", pace=0.15),
    "straight-lining": Behaviour(manner="same", pace=0.5),
    "double-opening": Behaviour(doubles=True),
    "returning": Behaviour(ends="leave", expected=RaterOutcome.LEFT),
    "timing-out": Behaviour(ends="vanish", expected=None),
    "declining": Behaviour(ends="decline", expected=RaterOutcome.DECLINED),
}
PATTERN: Final = (
    *["attentive"] * 4,
    "hasty",
    "double-opening",
    "returning",
    "straight-lining",
    "timing-out",
    "declining",
)
"""The behaviours of ten raters; of more they come again in this order."""


@dataclass(frozen=True, slots=True)
class SimulatedVisit:
    """What a scripted rater saw.

    Attributes:
        number, behaviour: Who.
        pseudonym: By which the study knows this rater; empty for who was not taken in.
        code: The completion code that came back to the panel; empty if none did.
        heading: Of the last page.
        n_sent: Answers that were acknowledged by a page that follows.
        problem: What went wrong; empty if nothing did.
    """

    number: int
    behaviour: str
    pseudonym: str
    code: str
    heading: str
    n_sent: int
    problem: str


class ScriptedRater:
    """One person with a browser, a way of working and a watch that runs as fast as the server's."""

    def __init__(
        self,
        number: int,
        *,
        behaviour: str,
        link: str,
        played: PlayedPanel,
        task_seconds: float,
        speed: float,
        rng: Random,
        perception: Perception,
    ) -> None:
        self.number, self.name, self.behaviour = number, behaviour, BEHAVIOURS[behaviour]
        self.link, self.played, self.rng, self.perception = link, played, rng, perception
        self.task_seconds, self.speed = task_seconds, speed
        self.browser, self.n_sent, self.page = Browser(), 0, Page(url=link, status=0)
        self._leaves_after = rng.randint(1, 3)

    def work(self) -> SimulatedVisit:
        """Go through the study as far as this rater goes."""
        problem = ""
        try:
            self._go()
        except UnexpectedPage as error:
            problem = str(error)
        code = self.played.find_code(self.page, self.number)
        pseudonym = self.browser.read_cookie("rater-").partition(":")[0]
        return SimulatedVisit(self.number, self.name, pseudonym, code, self.page.heading, self.n_sent, problem)

    def _go(self) -> None:
        if self.played.make_preview_query():
            self._open(self.link + self.played.make_preview_query())
        address = self.link + self.played.make_query(self.number)
        self._open(address)
        decline = self.page.get_form("/decline/")
        if self.behaviour.ends == "decline" and decline:
            self._show(self.browser.send(self.page, decline, {}))
            return
        self._send("/", {"agrees": "on"})
        if self.behaviour.doubles:
            # A second window on another device, whose page is left open.
            Browser().open(address)
        self._open(self.link + "task/")
        for _ in range(_MOST_PAGES):
            if not self._take_step():
                break
        hand_in = self.page.get_form("/mturk/externalSubmit")
        if hand_in:
            self.browser.send(self.page, hand_in, {})

    def _take_step(self) -> bool:
        """Do what the page asks for; return whether there is more to do."""
        form = next((form for form in self.page.forms if _TASK.search(form.action)), None)
        if form is None:
            return self._go_on()
        if self.n_sent >= self._leaves_after and self.behaviour.ends == "vanish":
            return False
        if self.n_sent >= self._leaves_after and self.behaviour.ends == "leave":
            self._open(self.link + "leave/")
            self._send("/leave/now/", {})
            return False
        pk = int(_TASK.search(form.action)[1])
        fields = fill_form(pk, manner=self.behaviour.manner, rng=self.rng, perception=self.perception)
        self._wait(self.task_seconds * self.behaviour.pace * self.rng.lognormvariate(0, 0.3))
        before = self.page
        self._show(self.browser.send(before, form, fields))
        if self.behaviour.doubles:
            self._show(self.browser.send(before, form, fields))
        self.n_sent += 1
        return True

    def _go_on(self) -> bool:
        begin = self.page.get_form("/begin/")
        if begin:
            self._show(self.browser.send(self.page, begin, {}))
            return True
        inside = self.link.split("/r/")[-1]
        ways = [
            link for link in self.page.links.values() if inside in link and link.endswith(("/task/", "/instructions/"))
        ]
        if not ways:
            return False
        self._open(self.link + ways[-1].split(inside)[-1])
        return True

    def _open(self, url: str) -> None:
        self._show(self.browser.open(url))

    def _send(self, path_end: str, fields: dict[str, str]) -> None:
        form = self.page.get_form(path_end)
        if form is None:
            raise UnexpectedPage(f"{self.page.url}: no form that goes to …{path_end}, on “{self.page.heading}”")
        self._show(self.browser.send(self.page, form, fields))

    def _show(self, page: Page) -> None:
        self.page = page
        if page.status >= 400:
            raise UnexpectedPage(f"{page.url}: status {page.status}, “{page.heading}”")

    def _wait(self, seconds: float) -> None:
        time.sleep(seconds / self.speed)


class UnexpectedPage(Exception):
    """A page that no rater should see."""
