"""A Redis server and an S3 server (moto's), as processes on free ports."""

import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.parts import require_program
from tests.postgres import find_free_port

CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}


@contextmanager
def run_redis(folder: Path, *, port: int | None = None) -> Iterator[str]:
    """Yield the address of a Redis server that keeps nothing; stop it afterwards."""
    port = port or find_free_port()
    options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", str(folder)]
    command = [require_program("redis-server"), *options]
    with _run(command, port=port):
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def run_object_store() -> Iterator[str]:
    """Yield the value of ACCORDANCE_STORAGE for an empty bucket of an S3 server; stop the server afterwards."""
    port = find_free_port()
    command = [str(Path(sys.executable).parent / "moto_server"), "--host", "127.0.0.1", "--port", str(port)]
    with _run(command, port=port):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/accordance", method="PUT")
        request.add_header("Authorization", "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request")
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310 - our own server
            assert answer.status == 200
        yield f"s3://accordance/lab?endpoint=http://127.0.0.1:{port}&region=us-east-1"


@contextmanager
def _run(command: list[str], *, port: int) -> Iterator[None]:
    process = subprocess.Popen(
        command, env=dict(os.environ), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    try:
        _wait_for(port, process)
        yield
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until something answers; Redis answers what is not its protocol by closing the connection."""
    until = time.monotonic() + 60
    while time.monotonic() < until and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10).close()
        except urllib.error.URLError as error:
            if isinstance(error.reason, ConnectionRefusedError):
                time.sleep(0.2)
                continue
        except OSError:
            pass
        return
    raise AssertionError(f"nothing answers at port {port}")
