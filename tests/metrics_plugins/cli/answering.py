"""A server that gives one answer to every request."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass(frozen=True)
class AnsweringServer:
    """Its address, and the Authorization header of each request so far."""

    address: str
    tokens: list[str | None] = field(default_factory=list)


@contextmanager
def answer_with(content: bytes, *, status: int = 200, location: str | None = None) -> Iterator[AnsweringServer]:
    """Run a server on a free port of this machine."""
    tokens: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            tokens.append(self.headers.get("Authorization"))
            self.send_response(status)
            if location is not None:
                self.send_header("Location", location)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
            """Print nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield AnsweringServer(address=f"http://127.0.0.1:{server.server_port}/phase/", tokens=tokens)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
