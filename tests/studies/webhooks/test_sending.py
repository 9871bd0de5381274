"""Tests of sending, with real local servers: where a message goes, and what an answer may not do."""

import socket
import ssl
import subprocess
import time
from contextlib import suppress

import pytest

from studies.webhooks.policy import Policy, WebhookRefused
from studies.webhooks.sending import NotDelivered, post
from tests.parts import require_program
from tests.studies.webhooks.receiver import answer_by, receive
from tests.studies.webhooks.test_addresses import resolve_to

LAX = Policy(hosts=frozenset({"*"}), is_lax=True)
STRICT = Policy(hosts=frozenset({"*"}))


def send(url, *, policy=LAX, **extra):
    return post(url, body=b"{}", headers={"Content-Type": "application/json"}, policy=policy, **extra)


@pytest.fixture
def receiver():
    with receive() as receiver:
        yield receiver


def test_a_message_arrives(receiver):
    assert send(f"{receiver.url}?a=b") == 204

    ((method, path, headers, body),) = receiver.received
    assert (method, path, body) == ("POST", "/hook?a=b", b"{}")
    assert headers["Host"] == f"127.0.0.1:{receiver.port}"
    assert (headers["Content-Type"], headers["Content-Length"]) == ("application/json", "2")
    assert "Cookie" not in headers


def test_the_name_is_looked_up_once(receiver):
    """A name that has another address the next time (DNS rebinding) is not asked a second time."""
    asked = []

    def resolve(host, port, **options):
        asked.append(host)
        return resolve_to("127.0.0.1" if len(asked) == 1 else "127.0.0.2")(host, port, **options)

    assert send(f"http://hooks.example.org:{receiver.port}/", resolve=resolve) == 204
    assert asked == ["hooks.example.org"]
    assert receiver.received[0][2]["Host"] == f"hooks.example.org:{receiver.port}"


def test_the_standard_library_does_not_look_it_up_either(receiver, monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a second look-up")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)

    assert send(f"http://hooks.example.org:{receiver.port}/", resolve=resolve_to("127.0.0.1")) == 204


def test_this_machine_is_not_reached(receiver):
    for url in (receiver.url, f"https://127.0.0.1:{receiver.port}/"):
        with pytest.raises(WebhookRefused):
            send(url, policy=STRICT)
    policy = Policy(hosts=frozenset({"*"}), ports=frozenset({receiver.port}))
    with pytest.raises(NotDelivered, match="has no public address"):
        send(f"https://hooks.example.org:{receiver.port}/", policy=policy, resolve=resolve_to("127.0.0.1"))
    assert receiver.received == []


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_not_followed(receiver, status):
    receiver.status, receiver.headers = status, {"Location": receiver.url}

    with pytest.raises(NotDelivered, match=f"status {status}"):
        send(receiver.url)
    assert len(receiver.received) == 1


@pytest.mark.parametrize("status", [400, 404, 410, 500, 503])
def test_other_statuses_are_failures_without_the_body(receiver, status):
    receiver.status, receiver.body = status, b"internal words"

    with pytest.raises(NotDelivered) as failure:
        send(receiver.url)
    assert str(failure.value) == f"the host answered with status {status}"


def test_proxies_of_the_environment_are_not_used(receiver, monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9/")
        monkeypatch.setenv(name.upper(), "http://127.0.0.1:9/")

    assert send(receiver.url) == 204


def drip(connection):
    """Send a header that never ends, a byte at a time."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
    for _ in range(200):
        connection.sendall(b"x")
        time.sleep(0.05)


def say_nothing(connection):
    connection.settimeout(10)
    while connection.recv(1 << 16):
        pass


def go_on_forever(connection):
    while True:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")


@pytest.mark.parametrize("behave", [drip, say_nothing])
def test_a_slow_host_is_given_up(behave):
    began = time.monotonic()
    with answer_by(behave) as url, pytest.raises(NotDelivered, match="did not answer in time"):
        send(url, seconds=0.5)
    assert time.monotonic() - began < 5


def test_an_answer_that_goes_on_is_given_up():
    with answer_by(go_on_forever) as url, pytest.raises(NotDelivered, match="without a valid answer"):
        send(url)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"SSH-2.0-OpenSSH\r\n",
        b"HTTP/1.1 OK\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 200 + b"\r\n",
        b"HTTP/1.1 200 OK\r\nX: " + b"y" * 100_000,
    ],
)
def test_an_answer_that_is_none_is_refused(answer):
    with (
        answer_by(lambda connection: connection.sendall(answer)) as url,
        pytest.raises(NotDelivered, match="without a valid answer"),
    ):
        send(url)


def test_a_large_answer_is_not_read():
    n_sent = []

    def pour(connection):
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        with suppress(OSError):
            n_sent.extend(connection.send(b"x" * 100_000) for _ in range(10_000))

    with answer_by(pour) as url:
        assert send(url) == 200
    assert sum(n_sent) < 100_000_000


def test_a_host_that_is_not_there():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(NotDelivered, match="could not be reached"):
        send(f"http://127.0.0.1:{port}/")


@pytest.fixture
def certified(tmp_path):
    """A receiver with a certificate for hooks.example.org, and the file to trust it."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    given = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=hooks.example.org"]
    names = ["-addext", "subjectAltName=DNS:hooks.example.org"]
    files = ["-keyout", str(key), "-out", str(certificate)]
    subprocess.run([require_program("openssl"), "req", *given, *names, *files], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with receive(context) as receiver:
        yield receiver, certificate


def test_tls_is_checked_by_the_name_of_the_host(certified, monkeypatch):
    receiver, certificate = certified
    resolve = resolve_to("127.0.0.1")
    with pytest.raises(NotDelivered, match="certificate of the host is not valid"):
        send(f"https://hooks.example.org:{receiver.port}/", resolve=resolve)

    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert send(f"https://hooks.example.org:{receiver.port}/", resolve=resolve) == 204
    with pytest.raises(NotDelivered, match="certificate of the host is not valid"):
        send(f"https://other.example.org:{receiver.port}/", resolve=resolve)
    assert [headers["Host"] for _, _, headers, _ in receiver.received] == [f"hooks.example.org:{receiver.port}"]


def test_a_host_without_tls_is_no_host_with_tls(receiver):
    with pytest.raises(NotDelivered, match=r"TLS handshake failed|without a valid answer"):
        send(f"https://127.0.0.1:{receiver.port}/")
