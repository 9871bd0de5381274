import socket
import time
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from django.core.management import CommandError

from studies.management.serving import check_address
from tests.postgres import find_free_port
from tests.studies.management.commands.processes import list_children, make_environment, migrate, start


def fetch(address, *, within=30.0):
    deadline = time.monotonic() + within
    while True:
        try:
            with urlopen(address, timeout=10) as response:  # noqa: S310 - our own server
                return response.read().decode()
        except (URLError, ConnectionError, TimeoutError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def test_serves_from_an_empty_folder_with_several_workers(tmp_path):
    port = find_free_port()

    options = ("--port", str(port), "--workers", "2", "--background", "0")
    with start("serve", *options, environment=make_environment(tmp_path)) as process:
        page = fetch(f"http://127.0.0.1:{port}/login/")
        workers = list_children(process.pid)
        process.terminate()

    assert "csrfmiddlewaretoken" in page
    assert len(workers) == 2
    assert process.returncode == 0


def test_connections_without_a_request_keep_nobody_out(tmp_path):
    port, environment = find_free_port(), make_environment(tmp_path)
    migrate(environment)

    options = ("--port", str(port), "--workers", "1", "--background", "0")
    with start("serve", *options, environment=environment) as process:
        fetch(f"http://127.0.0.1:{port}/login/")
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        # Within the ten seconds that `fetch` waits for an answer: only after thirty are idle workers replaced.
        page = fetch(f"http://127.0.0.1:{port}/login/", within=0)
        for connection in idle:
            connection.close()
        process.terminate()

    assert "csrfmiddlewaretoken" in page


def test_a_taken_port_is_an_error():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(CommandError, match=rf"cannot serve at 127.0.0.1:{port}: Address already in use"):
            check_address("127.0.0.1", port)
