"""Local servers that receive webhooks, well-behaved and not."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """A server, with what it received: method, path, headers and body of each request."""

    url: str
    port: int
    received: list[tuple[str, str, dict[str, str], bytes]] = field(default_factory=list)
    status: int = 204
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


@contextmanager
def receive(context: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """Yield a receiver that answers each request with its status."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            receiver.received.append((self.command, self.path, dict(self.headers), body))
            self.send_response(receiver.status)
            for name, value in receiver.headers.items():
                self.send_header(name, value)
            self.end_headers()
            with suppress(OSError):
                self.wfile.write(receiver.body)

        do_GET = do_POST  # noqa: N815 - the name is that of the standard library

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    port = server.server_address[1]
    receiver = Receiver(f"{'https' if context else 'http'}://127.0.0.1:{port}/hook", port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield receiver
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def answer_by(behave: Callable[[socket.socket], None]) -> Iterator[str]:
    """Yield the URL of a server that reads the beginning of one request and then does something of its own."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            connection, _ = listener.accept()
            with connection:
                connection.recv(1 << 16)
                behave(connection)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()
