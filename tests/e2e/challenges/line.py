"""A line between a browser and a site that a test can cut: it passes bytes on, and counts those that go to the site."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field


@dataclass
class Line:
    """Accepts connections on `port` and passes them on to `site`.

    Attributes:
        site: The port of the site on this machine.
        n_sent: The bytes that were passed on to the site.
        cut_after: The line is cut and down when so many bytes have been passed on; None for never.
        is_down: Whether new connections are closed at once, as they are after a cut until `repair`.
        n_refused: The connections that were closed at once.
    """

    site: int
    n_sent: int = 0
    cut_after: int | None = None
    is_down: bool = False
    n_refused: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _open: set[socket.socket] = field(default_factory=set)
    _listener: socket.socket = field(default_factory=lambda: socket.create_server(("127.0.0.1", 0)))

    @property
    def port(self) -> int:
        return self._listener.getsockname()[1]

    def accept(self) -> None:
        """Accept connections until the listener is closed."""
        with suppress(OSError):
            while True:
                browser, _ = self._listener.accept()
                with self._lock:
                    # Either the cut comes first, or it finds this connection among those that it hangs up.
                    if self.is_down:
                        self.n_refused += 1
                        browser.close()
                        continue
                    self._open.add(browser)
                site = socket.create_connection(("127.0.0.1", self.site))
                threading.Thread(target=self._serve, args=(browser, site), daemon=True).start()

    def repair(self) -> None:
        """Accept connections again."""
        self.is_down = False

    def close(self) -> None:
        # Closing alone does not wake a thread that accepts.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _serve(self, browser: socket.socket, site: socket.socket) -> None:
        back = threading.Thread(target=_pass_down, args=(site, browser), daemon=True)
        with browser, site:
            back.start()
            self._pass_up(browser, site)
            back.join()
            self._open.discard(browser)

    def _pass_up(self, browser: socket.socket, site: socket.socket) -> None:
        with suppress(OSError):
            while data := browser.recv(1 << 16):
                with self._lock:
                    is_cut = self.cut_after is not None and self.n_sent + len(data) >= self.cut_after
                    if is_cut:
                        data = data[: self.cut_after - self.n_sent]
                        self.cut_after, self.is_down = None, True
                    self.n_sent += len(data)
                site.sendall(data)
                if is_cut:
                    # Other connections that the browser keeps as well.
                    for each in self._open - {browser}:
                        _hang_up(each)
                    break
        # In this order: the site answers once it has all that was sent before, and the browser must not get that.
        _hang_up(browser)
        with suppress(OSError):
            site.shutdown(socket.SHUT_WR)


def _hang_up(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _pass_down(site: socket.socket, browser: socket.socket) -> None:
    with suppress(OSError):
        while data := site.recv(1 << 16):
            browser.sendall(data)
    with suppress(OSError):
        browser.shutdown(socket.SHUT_WR)


@contextmanager
def lay_line(site: int) -> Iterator[Line]:
    """Yield a line to a port of this machine."""
    line = Line(site)
    thread = threading.Thread(target=line.accept, daemon=True)
    thread.start()
    try:
        yield line
    finally:
        line.close()
        thread.join()
