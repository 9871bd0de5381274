"""Sends a message to an address that a user gave, and nowhere else.

The name of the host is looked up once and the connection made to what was found and checked, with the name in the TLS
handshake and the header `Host`. There are no redirects, no proxies from the environment and no cookies; of the answer
only the status is read.
"""

import io
import socket
import ssl
import time
from collections.abc import Mapping
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPResponse
from typing import Any, Final

from studies.webhooks.addresses import NoPublicAddress, Resolve, find_addresses
from studies.webhooks.policy import Policy, Target, check_url

SECONDS_TO_CONNECT: Final = 5.0
MOST_ADDRESSES: Final = 3
"""How many addresses of a host are tried."""
SECONDS: Final = 10.0
"""How long a message may take, from the connection to the status of the answer."""
AGENT: Final = "Accordance-Webhook/1"
MOST_BYTES: Final = 1 << 16
"""The most bytes that are read of an answer, which are its status and headers."""


class NotDelivered(Exception):
    """A message did not arrive; the message says why in words that may be shown to the user who gave the address."""


def post(
    url: str,
    *,
    body: bytes,
    headers: Mapping[str, str],
    policy: Policy,
    resolve: Resolve = socket.getaddrinfo,
    seconds: float = SECONDS,
) -> int:
    """Post a body and return the status of the answer, between 200 and 299.

    Args:
        url: The address.
        body: What is sent.
        headers: Further headers, with the type of the body.
        policy: What the operator allows.
        resolve: Looks the host up.
        seconds: How long it may take.

    Raises:
        WebhookRefused: The policy forbids the address.
        NotDelivered: There is no public host, no answer in time, or another status, such as a redirect.
    """
    target = check_url(url, policy=policy)
    try:
        addresses = find_addresses(target, policy=policy, resolve=resolve)
    except NoPublicAddress as error:
        raise NotDelivered(str(error)) from error
    with _connect(addresses[:MOST_ADDRESSES]) as connected:
        try:
            status = _exchange(target, connected, body=body, headers=headers, deadline=time.monotonic() + seconds)
        except (OSError, HTTPException, ValueError) as error:
            raise NotDelivered(_explain(error)) from error
    if not 200 <= status < 300:
        raise NotDelivered(f"the host answered with status {status}")
    return status


class _Reader(io.RawIOBase):
    """Reads a limited number of bytes from a connection, until a deadline.

    The time-out of a socket is not enough, as a host that sends a byte now and then never meets it; nor would closing
    the connection from another thread be, as what has arrived can still be read.
    """

    def __init__(self, connected: socket.socket, *, deadline: float) -> None:
        self._connected, self._deadline, self._n_left = connected, deadline, MOST_BYTES

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._n_left:
            raise OSError("the answer is too long")
        self._connected.settimeout(_find_seconds(self._deadline))
        n_read = self._connected.recv_into(memoryview(buffer)[: self._n_left])
        self._n_left -= n_read
        return n_read


class _Answer(HTTPResponse):
    """An answer that is read by a `_Reader`."""

    def __init__(self, connected: socket.socket, *, deadline: float, **options: Any) -> None:
        super().__init__(connected, **options)
        self.fp.close()
        self.fp = io.BufferedReader(_Reader(connected, deadline=deadline))


class _Connection(HTTPConnection):
    """HTTP over a connection that was made before."""

    def __init__(self, target: Target, connected: socket.socket, *, deadline: float) -> None:
        super().__init__(target.host, target.port)
        self.default_port = 443 if target.has_tls else 80
        self.response_class = partial(_Answer, deadline=deadline)  # type: ignore[assignment]
        self.sock = connected

    def connect(self) -> None:
        raise OSError("a connection for one message is not made again")


def _connect(addresses: list[tuple[socket.AddressFamily, tuple[Any, ...]]]) -> socket.socket:
    problem: OSError | None = None
    for family, address in addresses:
        connected = socket.socket(family, socket.SOCK_STREAM)
        try:
            connected.settimeout(SECONDS_TO_CONNECT)
            connected.connect(address)
        except OSError as error:
            problem = error
            connected.close()
        else:
            return connected
    raise NotDelivered("the host could not be reached") from problem


def _exchange(
    target: Target, connected: socket.socket, *, body: bytes, headers: Mapping[str, str], deadline: float
) -> int:
    connected.settimeout(_find_seconds(deadline))
    if target.has_tls:
        context = ssl.create_default_context()
        connected = context.wrap_socket(connected, server_hostname=target.host)
    with connected:
        connected.settimeout(_find_seconds(deadline))
        http = _Connection(target, connected, deadline=deadline)
        http.request("POST", target.path, body=body, headers={"User-Agent": AGENT, **headers, "Connection": "close"})
        with http.getresponse() as answer:
            return answer.status


def _find_seconds(deadline: float) -> float:
    """Return the seconds until a deadline; raise TimeoutError after it."""
    seconds = deadline - time.monotonic()
    if seconds <= 0:
        raise TimeoutError
    return seconds


def _explain(error: Exception) -> str:
    if isinstance(error, TimeoutError):
        return "the host did not answer in time"
    if isinstance(error, ssl.SSLCertVerificationError):
        return f"the certificate of the host is not valid: {error.verify_message}"
    if isinstance(error, ssl.SSLError):
        return "the TLS handshake failed"
    return "the connection was closed without a valid answer"
