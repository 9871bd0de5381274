"""Simulated raters, who join a study over HTTP and answer its tasks; uses only the standard library.

`python benchmarks/studies/scripted_raters.py URL --raters 300 --think 3 --seconds 60` prints a line `acknowledged
ASSIGNMENT` for each answer that the server acknowledged with a redirect, and at the end `summary JSON`. A failed
request (the server is down) is repeated, as a person would do; with `--patience 0` it counts as an error.
"""

import argparse
import asyncio
import json
import re
import sys
import time
from dataclasses import dataclass, field
from random import Random
from urllib.parse import urlencode, urljoin, urlsplit

_FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
_ACTION = re.compile(r"<form\b[^>]*\baction=\"([^\"]*)\"")
_INPUT = re.compile(r"<input\b[^>]*>")
_TEXT = re.compile(r"<textarea name=\"([^\"]*)\"")
_ATTRIBUTE = re.compile(r"\b(type|name|value)=\"([^\"]*)\"")
_TASK = re.compile(r"/task/(\d+)/")
_CAPTION = "A brown dog leaps over a fallen log in the middle of a forest."
REDIRECTS = (301, 302, 303)


@dataclass(slots=True)
class Tally:
    """The measurements of all raters: seconds of each request, by kind, and errors."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: {"show": [], "submit": []})
    errors: list[str] = field(default_factory=list)
    n_judgments: int = 0
    n_done: int = 0
    is_printed: bool = False


class Browser:
    """The connection of a rater, which is kept alive, stores cookies, and does not follow redirects."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.host, self.port = parts.hostname or "127.0.0.1", parts.port or 80
        self.headers = [f"Host: {self.host}:{self.port}"]
        self.cookies: dict[str, str] = {}
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(self, method: str, path: str, data: dict[str, str] | str | None = None) -> tuple[int, str, str]:
        """Send a form, or a string as JSON; return the status, the address of a redirect, and the page.

        Raises OSError or EOFError if the server closes the connection.
        """
        was_open = self._streams is not None
        try:
            return await self._send(method, path, data)
        except (OSError, EOFError):
            self.close()
            # The server may have closed an idle connection; a new one must work.
            if not was_open:
                raise
            return await self._send(method, path, data)

    def close(self) -> None:
        """Close the connection; the next request opens another one."""
        if self._streams:
            self._streams[1].close()
        self._streams = None

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Return a new connection."""
        return await asyncio.open_connection(self.host, self.port)

    async def _send(self, method: str, path: str, data: dict[str, str] | str | None) -> tuple[int, str, str]:
        if self._streams is None:
            self._streams = await self.connect()
        reader, writer = self._streams
        body = (data if isinstance(data, str) else urlencode(data or {})).encode()
        content = "application/json" if isinstance(data, str) else "application/x-www-form-urlencoded"
        lines = [f"{method} {path} HTTP/1.1", *self.headers, f"Content-Length: {len(body)}"]
        lines += [f"Content-Type: {content}"] if body else []
        lines += [f"Cookie: {'; '.join(f'{k}={v}' for k, v in self.cookies.items())}"] if self.cookies else []
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        status, headers = await self._read_head(reader)
        page = await _read_body(reader, headers)
        if headers.get("connection", "").lower() == "close":
            self.close()
        return status, headers.get("location", ""), page.decode(errors="replace")

    async def _read_head(self, reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {}
        for line in head[1:]:
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie":
                cookie, _, content = value.partition(";")[0].partition("=")
                self.cookies[cookie] = content
            headers[name.lower()] = value
        return int(head[0].split()[1]), headers


async def _read_body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding", "").lower() != "chunked":
        if "content-length" not in headers:
            return await reader.read()
        return await reader.readexactly(int(headers["content-length"]))
    parts = []
    while size := int(await reader.readline(), 16):
        parts.append(await reader.readexactly(size))
        await reader.readexactly(2)
    await reader.readline()
    return b"".join(parts)


@dataclass(slots=True)
class Rater:
    """A simulated rater of one of our studies, from the study link to the last task."""

    browser: Browser
    path: str
    tally: Tally
    rng: Random
    think: float
    patience: float
    until: float

    async def work(self) -> None:
        """Go from page to page until the time is over or a page has no form."""
        page, path = await self.open_link()
        while page and time.monotonic() < self.until:
            opened = await self.go_on(page, path)
            if opened is None:
                self.tally.n_done += 1
                return
            page, path = opened
        self.browser.close()

    async def open_link(self) -> tuple[str, str]:
        """Open the study link; return the page and its address."""
        return await self._open("GET", self.path, kind=None)

    async def go_on(self, page: str, path: str) -> tuple[str, str] | None:
        """Fill in the page's form, or follow its link; return the next page and its address, None if it has neither.

        The page is empty if the server answered with an error.
        """
        found = _find_form(page, path, self.rng)
        if found is None:
            return None
        target, data, is_task = found
        if is_task:
            await asyncio.sleep(self.think * (0.5 + self.rng.random()))
        return await self._open("POST" if data else "GET", target, data, kind="submit" if is_task else None)

    async def _open(
        self, method: str, path: str, data: dict[str, str] | None = None, *, kind: str | None
    ) -> tuple[str, str]:
        status, location, page = await self._try(method, path, data, kind=kind)
        if method == "POST" and status in REDIRECTS and kind == "submit":
            self.tally.n_judgments += 1
            if self.tally.is_printed:
                _say("acknowledged", *(_TASK.findall(path) or [path]))
        while status in REDIRECTS:
            path = urljoin(path, location)
            status, location, page = await self._try("GET", path, None, kind="show" if kind else None)
        if status >= 400:
            self.tally.errors.append(f"{method} {path}: status {status}")
        return (page if status == 200 else ""), path

    async def _try(
        self, method: str, path: str, data: dict[str, str] | None, *, kind: str | None
    ) -> tuple[int, str, str]:
        last_try = time.monotonic() + self.patience
        while True:
            began = time.monotonic()
            try:
                answer = await self.browser.send(method, path, data)
            except (OSError, EOFError) as error:
                answer = (599, "", "")
                if not self.patience:
                    self.tally.errors.append(f"{method} {path}: {error!r}")
            if kind:
                self.tally.seconds[kind].append(time.monotonic() - began)
            # Server errors while the database is down are retried too, by reloading.
            if answer[0] < 500 or time.monotonic() > last_try:
                return answer
            await asyncio.sleep(0.2 + 0.3 * self.rng.random())


def _find_form(page: str, path: str, rng: Random) -> tuple[str, dict[str, str], bool] | None:
    """Return the next request: its address, its data, and whether it is an answer to a task."""
    for form in _FORM.findall(page):
        groups: dict[str, list[str]] = {}
        for tag in _INPUT.findall(form):
            attributes = dict(_ATTRIBUTE.findall(tag))
            unsaid = "on" if attributes.get("type") in ("checkbox", "radio") else ""
            groups.setdefault(attributes.get("name", ""), []).append(attributes.get("value", unsaid))
        groups.pop("", None)
        groups |= {name: [_CAPTION] for name in _TEXT.findall(form)}
        action = _ACTION.search(form)
        is_task = any(name.startswith("item-") for name in groups)
        if is_task or "agrees" in groups:
            data = {name: rng.choice(values) for name, values in groups.items()}
            return urljoin(path, action.group(1) if action else ""), data, is_task
    link = re.search(r'<a class="[^"]*\bprimary\b[^"]*" href="([^"]+)"', page) or re.search(
        r'<a [^>]*href="([^"]+/task/)"', page
    )
    return (urljoin(path, link.group(1)), {}, False) if link else None


def _make_rng(seed: int, number: int) -> Random:
    return Random(seed * 1000 + number)  # noqa: S311 - clicks, not secrets


def _say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def run_raters(
    url: str, *, n_raters: int, think: float, seconds: float, patience: float, ramp: float, seed: int
) -> Tally:
    """Let raters join during `ramp` seconds and work until `seconds` are over.

    Requests before all raters have joined are not timed.
    """
    tally, began = Tally(is_printed=True), time.monotonic()
    path = urlsplit(url).path

    async def come(number: int) -> None:
        await asyncio.sleep(ramp * number / n_raters)
        rater = Rater(Browser(url), path, tally, _make_rng(seed, number), think, patience, began + seconds)
        try:
            await rater.work()
        finally:
            rater.browser.close()

    async def forget_ramp() -> None:
        await asyncio.sleep(ramp)
        tally.seconds, tally.n_judgments = {"show": [], "submit": []}, 0

    await asyncio.gather(forget_ramp(), *(come(number) for number in range(n_raters)))
    return tally


def summarize(tally: Tally, *, seconds: float) -> dict[str, object]:
    """Return counts, the rate, and quantiles of the times of pages and answers together."""
    times = sorted(tally.seconds["show"] + tally.seconds["submit"])

    def quantile(share: float) -> float | None:
        return round(1000 * times[min(len(times) - 1, int(share * len(times)))], 1) if times else None

    return {
        "judgments": tally.n_judgments,
        "judgments_per_second": round(tally.n_judgments / seconds, 2),
        "requests": len(times),
        "p50_ms": quantile(0.5),
        "p95_ms": quantile(0.95),
        "p99_ms": quantile(0.99),
        "errors": len(tally.errors),
        "first_errors": tally.errors[:5],
        "done": tally.n_done,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("url", help="the study link")
    parser.add_argument("--raters", type=int, default=20)
    parser.add_argument("--think", type=float, default=3.0, help="mean seconds between a page and its answer")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long they work, the ramp included")
    parser.add_argument("--ramp", type=float, default=0.0, help="seconds over which they come in")
    parser.add_argument("--patience", type=float, default=0.0, help="seconds for which a failed request is repeated")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    tally = asyncio.run(
        run_raters(
            chosen.url,
            n_raters=chosen.raters,
            think=chosen.think,
            seconds=chosen.seconds,
            patience=chosen.patience,
            ramp=chosen.ramp,
            seed=chosen.seed,
        )
    )
    _say("summary", json.dumps(summarize(tally, seconds=chosen.seconds - chosen.ramp)))


if __name__ == "__main__":
    main()
