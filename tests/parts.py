"""Programs other than Python that tests start, and messages if one is missing."""

import os
import shutil
from pathlib import Path
from typing import Final

import pytest

ADVICE: Final = {
    "chromium-headless-shell": "apt-get install chromium-headless-shell",
    "initdb": "apt-get install postgresql",
    "java": "apt-get install default-jdk-headless",
    "nginx": "apt-get install nginx-light",
    "openssl": "apt-get install openssl",
    "redis-server": "apt-get install redis-server",
    "setpriv": "apt-get install util-linux",
    "systemd-analyze": "apt-get install systemd",
    "systemd-socket-activate": "apt-get install systemd",
}
# For programs that end within a minute or so: the second compiler and a collector with threads of its own take more
# than they save, such as half of the processor time of tokenising 500,000 captions.
QUICK_JAVA: Final = ("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_DEBIAN_POSTGRES = Path("/usr/lib/postgresql")


def require_program(name: str) -> str:
    """Return the path of a program; where it is missing, fail under CI=true, else skip, saying how to get it."""
    found = find_program(name)
    if found:
        return found
    message = f"this test starts {name}, which is not on this machine; to get it: {ADVICE[name]}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def find_program(name: str) -> str | None:
    """Return the path of a program, looking where Debian keeps the PostgreSQL server's own too."""
    servers = sorted(_DEBIAN_POSTGRES.glob(f"*/bin/{name}"), reverse=True)
    return shutil.which(name) or shutil.which(name, path="/usr/sbin") or (str(servers[0]) if servers else None)
