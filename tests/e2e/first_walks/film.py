"""Takes a picture of a page after each thing that a person does there, and counts clicks and seconds."""

import base64
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

_PATIENCE = 600_000
_DROP = """(input, [name, content]) => {
  const bytes = Uint8Array.from(atob(content), each => each.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], name));
  const drop = new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true });
  input.closest(".drop-zone").dispatchEvent(drop);
}"""


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture of a film.

    Attributes:
        text: What was done before it, as a sentence without a full stop.
        is_click: Whether that was a click.
        n_clicks: Clicks so far, with this one.
        seconds: Since the start of the film. The time for taking pictures is part of it.
        picture: The visible part of the page, as PNG.
    """

    text: str
    is_click: bool
    n_clicks: int
    seconds: float
    picture: bytes


class Film:
    """The pictures of one walk.

    Attributes:
        shots: The pictures so far.
        n_clicks, n_typed, n_dropped: How often something was clicked, how many fields were filled, and how many files
            were dropped.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._started: float | None = None
        self.shots: list[Shot] = []
        self.n_clicks = self.n_typed = self.n_dropped = 0

    @property
    def seconds(self) -> float:
        return 0.0 if self._started is None else self._clock() - self._started

    @property
    def seconds_filmed(self) -> float:
        """The clock of the last picture."""
        return self.shots[-1].seconds

    def start(self) -> None:
        """Start the clock."""
        self._started = self._clock()

    def click(self, control: Locator, text: str, *, shows: Locator) -> None:
        """Click a link or a button, wait for what it leads to, and take a picture."""
        page = control.page
        control.click()
        self.n_clicks += 1
        self.look(page, text, shows=shows, is_click=True)

    def look(self, page: Page, text: str, *, shows: Locator, is_click: bool = False) -> None:
        """Take a picture once something can be seen. A person would scroll there, so this scrolls."""
        expect(shows).to_be_visible(timeout=_PATIENCE)
        if not is_click or not _is_in_view(shows):
            shows.scroll_into_view_if_needed()
        page.evaluate("document.fonts.ready")
        self.shots.append(Shot(text, is_click, self.n_clicks, self.seconds, page.screenshot()))

    def type(self, field: Locator, text: str) -> None:
        """Fill a field without a picture."""
        field.fill(text)
        self.n_typed += 1

    def drop(self, field: Locator, file: Path) -> None:
        """Drop a file on a field as from a file manager, without a picture."""
        field.evaluate(_DROP, [file.name, base64.b64encode(file.read_bytes()).decode()])
        expect(field).to_have_value(re.compile(f"{re.escape(file.name)}$"))
        self.n_dropped += 1


def _is_in_view(shown: Locator) -> bool:
    box, size = shown.bounding_box(), shown.page.viewport_size
    return bool(box and size and box["y"] >= 0 and box["y"] + box["height"] <= size["height"])
