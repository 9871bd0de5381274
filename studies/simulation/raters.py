"""Simulated raters with different behaviours, who use the real pages."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

from studies.enums import RaterOutcome
from studies.simulation.answers import fill_form
from studies.simulation.browser import Browser, Form, Page
from studies.simulation.panels import SUBMIT_PATH, PlayedPanel
from studies.simulation.perception import Perception

_TASK: Final = re.compile(r"/task/(\d+)/$")
_MOST_PAGES: Final = 5000


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A behaviour.

    Attributes:
        manner: How answers are chosen: `careful`, `careless` or `same`.
        pace: The time per task as a fraction of the expected time.
        ends: How a rater ends early after a few tasks: not (""), "leave", "vanish" in the middle of a task, or
                "decline" before the first.
        doubles: Whether everything is opened and submitted twice.
        expected: The outcome expected by the panel; None if it should get none.
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
"""The behaviours of ten raters, repeated in this order for more."""


@dataclass(frozen=True, slots=True)
class SimulatedVisit:
    """The visit of a simulated rater.

    Attributes:
        number, behaviour: Identify the rater.
        pseudonym: The pseudonym in the study; empty if the rater did not join.
        code: The completion code returned to the panel; empty if none.
        heading: The heading of the last page.
        n_sent: The number of answers confirmed by the following page.
        problem: The error; empty if there was none.
    """

    number: int
    behaviour: str
    pseudonym: str
    code: str
    heading: str
    n_sent: int
    problem: str


class ScriptedRater:
    """A simulated rater: a browser and a behaviour."""

    def __init__(
        self,
        number: int,
        *,
        behaviour: str,
        link: str,
        played: PlayedPanel,
        task_seconds: float,
        rng: Random,
        perception: Perception,
    ) -> None:
        self.number, self.name, self.behaviour = number, behaviour, BEHAVIOURS[behaviour]
        self.link, self.played, self.rng, self.perception = link, played, rng, perception
        self.task_seconds, self.problem = task_seconds, ""
        self.browser, self.n_sent, self.page = Browser(), 0, Page(url=link, status=0)
        self._leaves_after = rng.randint(1, 3)

    def work(self) -> Iterator[float]:
        """Take part in the study until this rater ends; yield the duration of each next step in seconds."""
        try:
            yield from self._go()
        except UnexpectedPage as error:
            self.problem = str(error)

    def describe_visit(self) -> SimulatedVisit:
        """Return the visit so far."""
        code = self.played.find_code(self.page, self.number)
        pseudonym = self.browser.read_cookie("rater-").partition(":")[0]
        return SimulatedVisit(self.number, self.name, pseudonym, code, self.page.heading, self.n_sent, self.problem)

    def _go(self) -> Iterator[float]:
        if self.played.make_preview_query():
            self._open(self.link + self.played.make_preview_query())
        address = self.link + self.played.make_query(self.number)
        self._open(address)
        decline = self.page.get_form("/decline/")
        if self.behaviour.ends == "decline" and decline:
            self._show(self.browser.send(decline, {}))
            return
        self._send("/", {"agrees": "on"})
        if self.behaviour.doubles:
            # Open a second window on another device, and leave it open.
            Browser().open(address)
        self._open(self.link + "task/")
        for _ in range(_MOST_PAGES):
            task = next((form for form in self.page.forms if _TASK.search(form.action)), None)
            if task is None and self._go_on():
                continue
            if task is None or self._stops():
                break
            yield from self._answer(task)
        hand_in = self.page.get_form(SUBMIT_PATH)
        if hand_in:
            self.played.receive(hand_in)

    def _stops(self) -> bool:
        """Return whether the rater does no further task; leave first if that is the behaviour."""
        if self.n_sent < self._leaves_after or self.behaviour.ends not in ("vanish", "leave"):
            return False
        if self.behaviour.ends == "leave":
            self._open(self.link + "leave/")
            self._send("/leave/now/", {})
        return True

    def _answer(self, task: Form) -> Iterator[float]:
        pk = int(_TASK.search(task.action)[1])
        fields = fill_form(pk, task, manner=self.behaviour.manner, rng=self.rng, perception=self.perception)
        yield self.task_seconds * self.behaviour.pace * self.rng.lognormvariate(0, 0.3)
        for _ in range(1 + self.behaviour.doubles):
            self._show(self.browser.send(task, fields))
        self.n_sent += 1

    def _go_on(self) -> bool:
        """Go to the next page; return whether there is one."""
        begin = self.page.get_form("/begin/")
        if begin:
            self._show(self.browser.send(begin, {}))
            return True
        ends = ("/task/", "/instructions/")
        ways = [link for link in self.page.links.values() if link.startswith(self.link) and link.endswith(ends)]
        if not ways:
            return False
        self._open(ways[-1])
        return True

    def _open(self, url: str) -> None:
        self._show(self.browser.open(url))

    def _send(self, path_end: str, fields: dict[str, str]) -> None:
        form = self.page.get_form(path_end)
        if form is None:
            raise UnexpectedPage(f"{self.page.url}: no form that goes to …{path_end}, on “{self.page.heading}”")
        self._show(self.browser.send(form, fields))

    def _show(self, page: Page) -> None:
        self.page = page
        if page.status >= 400:
            raise UnexpectedPage(f"{page.url}: status {page.status}, “{page.heading}”")


class UnexpectedPage(Exception):
    """A page that no rater should get."""
