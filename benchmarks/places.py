"""Where the parts of a Dask cluster run: in virtual environments and network namespaces, as on several machines.

Network namespaces are joined by a bridge. They need Linux, the program `ip` and the rights of root.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ROOT: Final = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a part of a cluster runs.

    Attributes:
        host: Its address.
        python: Its interpreter.
        path: Its `PYTHONPATH`; empty for the packages of its virtual environment alone.
        namespace: Its network namespace; empty for the one of this process.
    """

    host: str = "127.0.0.1"
    python: str = sys.executable
    path: str = str(ROOT)
    namespace: str = ""


@dataclass(frozen=True, slots=True)
class Namespace:
    """A network namespace with one cable to the bridge.

    Attributes:
        name: Its name, for `ip netns exec`.
        host: Its address, which this process reaches too.
        cable: The end of the cable at the bridge.
    """

    name: str
    host: str
    cable: str

    def set_cable(self, *, is_plugged: bool) -> None:
        """Plug the cable in, or pull it out: packets are then lost without a notice."""
        _ip("link", "set", self.cable, "up" if is_plugged else "down")


@contextmanager
def make_namespaces(count: int) -> Iterator[list[Namespace]]:
    """Make namespaces and the bridge that joins them with each other and with this process; remove all at the end."""
    number = os.getpid()
    bridge, network = f"ac{number}", f"10.213.{number % 250}"
    with ExitStack() as stack:
        _ip("link", "add", bridge, "type", "bridge")
        stack.callback(_ip, "link", "del", bridge)
        _ip("addr", "add", f"{network}.1/24", "dev", bridge)
        _ip("link", "set", bridge, "up")
        made = []
        for index in range(count):
            space = Namespace(f"{bridge}-{index}", f"{network}.{index + 2}", f"{bridge}-{index}")
            _ip("netns", "add", space.name)
            stack.callback(_ip, "netns", "del", space.name)
            _ip("link", "add", space.cable, "type", "veth", "peer", "name", "eth0", "netns", space.name)
            _ip("link", "set", space.cable, "master", bridge, "up")
            for line in (("addr", "add", f"{space.host}/24", "dev", "eth0"), ("link", "set", "eth0", "up")):
                _ip("-n", space.name, *line)
            _ip("-n", space.name, "link", "set", "lo", "up")
            made.append(space)
        yield made


def add_place_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that `choose_places` reads."""
    parser.add_argument(
        "--namespaces", action="store_true", help="scheduler and workers in network namespaces of their own, as root"
    )
    parser.add_argument(
        "--environments",
        nargs="+",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="virtual environments for the scheduler, the first worker and so on, in turn; by default this one",
    )


def choose_places(
    chosen: argparse.Namespace, *, n_workers: int, stack: ExitStack
) -> tuple[list[Place], Sequence[Namespace]]:
    """Return where the scheduler and each worker run, and the namespaces, which the stack removes."""
    # So that the stack is left, which ends what was started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    spaces = stack.enter_context(make_namespaces(1 + n_workers)) if chosen.namespaces else []
    places = []
    for number in range(1 + n_workers):
        place = Place()
        if chosen.environments:
            folder = chosen.environments[number % len(chosen.environments)]
            # Without this checkout: the environment has Accordance installed.
            place = Place(python=str(folder.absolute() / "bin" / "python"), path="")
        if spaces:
            place = replace(place, host=spaces[number].host, namespace=spaces[number].name)
        places.append(place)
    return places, spaces


def _ip(*arguments: str) -> None:
    subprocess.run(["ip", *arguments], check=True)
