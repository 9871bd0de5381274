"""A plugin whose metric starts programs that run for ever, in each form, and what finds these programs."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

KINDS: Final = ("adapted", "left", "run")
"""Asked by an adapter in a thread, left to itself, and waited for."""

QUICK: Final = "a dog runs"
"""The caption for which the metric starts nothing."""

_PLUGIN = """
import contextlib, subprocess, sys, threading, time
from pathlib import Path
from metrics_plugins.adapters import adapt_function
from metrics_plugins.adapters.programs import Program
from metrics_plugins.api import hookimpl

FOLDER = Path(__file__).parent
SLEEPS = "import os, sys, time; open(f'{sys.argv[1]}.{os.getpid()}', 'x').close(); time.sleep(600)"

def list_command(kind):
    return [sys.executable, "-c", SLEEPS, str(FOLDER / kind)]

def ask_adapted():
    # The thread may see that its program was killed before Python has ended: what it would print is its own failure.
    with contextlib.suppress(Exception):
        Program(list_command("adapted")).ask("line", end=time.monotonic() + 900)

def rate(candidate: str, references: tuple[str, ...]) -> float:
    if candidate != QUICK:
        if "left" in KINDS:
            subprocess.Popen(list_command("left"))
        if "adapted" in KINDS:
            threading.Thread(target=ask_adapted, daemon=True).start()
        subprocess.run(list_command("run"))
    return 0.5

Metric = adapt_function(
    rate, id="starts", title="Starts", bounds=(0.0, 1.0), higher_is_better=True, citation="-", version="1"
)

@hookimpl
def register_metrics():
    return [Metric]
"""


def write_plugin(folder: Path, *, kinds: Sequence[str] = KINDS) -> Path:
    """Write the plugin, whose metric `starts` starts a program of each kind for every caption but the quick one."""
    path = folder / "starting.py"
    path.write_text(f"KINDS = {tuple(kinds)!r}\nQUICK = {QUICK!r}\n{_PLUGIN}")
    return path


def list_programs(folder: Path) -> dict[str, list[int]]:
    """Return the process ids of the programs that have started, by kind; `folder` is that of the plugin."""
    names = [path.name.partition(".") for path in folder.iterdir()]
    return {kind: [int(pid) for which, _, pid in names if which == kind] for kind in KINDS}


def find_programs(folder: Path) -> list[int]:
    """Return the process ids of all programs that have started."""
    return [pid for pids in list_programs(folder).values() for pid in pids]
