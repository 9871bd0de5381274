"""Uploads over a slow line that is cut: `python -m benchmarks.challenges.upload [--mb 300] [--rate 20] [--cuts 3]`.

Our side is the command `serve`. A program sends a file in parts of 64 MB over a connection with a limited rate, which
is cut in the middle of a part so many times. It asks each time how much has arrived, and goes on from there. Printed
are the seconds, the bytes that had to be sent twice, the memory that the server held at most, and whether the digest of
the file is that of what was sent.
"""

import argparse
import hashlib
import json
import os
import socket
import sys
import time
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import urlsplit

import django
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT)]
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from tests.security.serving import Site, serve_site  # noqa: E402
from tests.studies.management.commands.processes import list_children  # noqa: E402

PART, PACKET = 64 << 20, 64 << 10
PHASE: Final = "/api/v1/challenges/captions/phases/test/"
_PREPARE = """
from datetime import timedelta
from django.utils import timezone
from challenges.taking_part.tokens import make_team_token
from tests.challenges.challenges import make_challenge, make_phase, make_team
now = timezone.now()
challenge = make_challenge()
make_phase(challenge, opens_at=now - timedelta(days=1), closes_at=now + timedelta(days=1))
team = make_team(challenge)
print(make_team_token(team, name="script", by=team.members.get().user, now=now)[1])
"""


@dataclass(frozen=True, slots=True)
class Program:
    """A program that submits for a team.

    Attributes:
        site: The address of the site.
        secret: The token of the team.
        rate: The most bytes per second that it sends; 0 for no limit.
    """

    site: str
    secret: str
    rate: int = 0

    def begin(self, n_bytes: int) -> str:
        """Begin an upload and return its path."""
        body = json.dumps({"name": "captions_test_mine_results.zip", "n_bytes": n_bytes})
        begun = self.ask("POST", f"{PHASE}uploads/", body, status=201)
        return f"/api/v1/challenges/captions/submissions/{begun['submission']}/"

    def send(self, path: str, part: memoryview, *, offset: int, cut_after: int | None = None) -> int:
        """Send a part, or only so many of its bytes before the line is cut; return the status, 0 after a cut."""
        connection = HTTPConnection(urlsplit(self.site).netloc, timeout=600)
        connection.putrequest("PATCH", path)
        given = {"Content-Type": "application/octet-stream", "Content-Length": len(part), "Upload-Offset": offset}
        for name, value in {**given, "Authorization": f"Bearer {self.secret}"}.items():
            connection.putheader(name, str(value))
        connection.endheaders()
        try:
            self._pour(connection.sock, part if cut_after is None else part[:cut_after])
            return 0 if cut_after is not None else _read(connection.getresponse())[0]
        finally:
            connection.close()

    def count_arrived(self, path: str) -> int:
        """Return how many bytes of an upload have arrived."""
        return int(self.ask("GET", path)["n_received"])

    def finish(self, path: str) -> str:
        """Finish an upload and return the SHA-256 that the server found."""
        return str(self.ask("POST", f"{path}finish/", status=202)["digest"])

    def ask(self, method: str, path: str, body: str | None = None, *, status: int = 200) -> Any:
        """Return the JSON of a response.

        Raises:
            RuntimeError: The status is another one.
        """
        connection = HTTPConnection(urlsplit(self.site).netloc, timeout=600)
        headers = {"Authorization": f"Bearer {self.secret}", "Content-Type": "application/json"}
        connection.request(method, path, body, headers)
        found, told = _read(connection.getresponse())
        connection.close()
        if found != status:
            raise RuntimeError(f"{method} {path} must answer {status}, got {found}: {told}")
        return told

    def _pour(self, line: socket.socket, part: memoryview) -> None:
        began = time.monotonic()
        for start in range(0, len(part), PACKET):
            line.sendall(part[start : start + PACKET])
            if self.rate:
                time.sleep(max(0.0, began + (start + PACKET) / self.rate - time.monotonic()))


def make_program(site: Site, *, rate: int = 0) -> Program:
    """Make a challenge on an empty site, and return a program that submits for a team."""
    (secret,) = site.call(_PREPARE)
    return Program(site.url, secret, rate)


def main() -> int:
    """Upload once and print the measurements; return 1 if the file that arrived is another one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mb", type=int, default=300)
    parser.add_argument("--rate", type=float, default=20.0, help="MB per second")
    parser.add_argument("--cuts", type=int, default=3)
    chosen = parser.parse_args()
    content = np.random.default_rng(0).bytes(chosen.mb << 20)
    with TemporaryDirectory() as folder, serve_site(Path(folder)) as site:
        row = _measure(make_program(site, rate=int(chosen.rate * 2**20)), content, n_cuts=chosen.cuts, pid=site.pid)
    print(json.dumps({"mb": chosen.mb, "mb_per_second": chosen.rate, "cuts": chosen.cuts, **row}))
    return 0 if row["is_equal"] else 1


def _measure(program: Program, content: bytes, *, n_cuts: int, pid: int) -> dict[str, Any]:
    began, n_sent, n_left = time.monotonic(), 0, n_cuts
    whole, arrived = memoryview(content), 0
    path = program.begin(len(whole))
    rng = np.random.default_rng(0)
    while arrived < len(whole):
        part = whole[arrived : arrived + PART]
        cut_after = int(rng.integers(len(part))) if n_left else None
        n_left -= cut_after is not None
        program.send(path, part, offset=arrived, cut_after=cut_after)
        n_sent += len(part) if cut_after is None else cut_after
        arrived = _wait_until_it_rests(program, path)
    digest = program.finish(path)
    return {
        "seconds": round(time.monotonic() - began, 1),
        "bytes_sent_twice": n_sent - len(whole),
        "server_peak_mb": max(_read_peak(each) for each in (pid, *list_children(pid))),
        "is_equal": digest == hashlib.sha256(content).hexdigest(),
    }


def _wait_until_it_rests(program: Program, path: str) -> int:
    """Return how much has arrived once no more comes; a server reads what was on the way before a cut."""
    before, arrived = -1, program.count_arrived(path)
    while arrived != before:
        time.sleep(0.5)
        before, arrived = arrived, program.count_arrived(path)
    return arrived


def _read(response: HTTPResponse) -> tuple[int, Any]:
    return response.status, json.loads(response.read() or b"null")


def _read_peak(pid: int) -> int:
    """Return the most memory that a process has held, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) >> 10


if __name__ == "__main__":
    sys.exit(main())
