"""The command `score --output` on the small tables of the tests, run to its end or killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from metrics_plugins.large_tables.manifest import FILE
from metrics_plugins.large_tables.storage import Storage
from tests.metrics_plugins.large_tables.tables import write_inputs


def list_arguments(folder: Path, *more: str) -> list[str]:
    """Write the tables to a folder, and return arguments that score them into its folder `out`."""
    candidates, references = write_inputs(folder)
    inputs = ["--candidates", str(candidates), "--references", str(references)]
    return ["score", *inputs, "--metrics", "bleu-4,cider-d", "--output", "out", *more]


def kill_command(arguments: list[str], output: Storage, *, folder: Path, n_partitions: int, **environment: str) -> dict:
    """Run a command until some partitions are complete, kill it with all its processes, and return the manifest."""
    process = subprocess.Popen(
        [sys.executable, "-m", "metrics_plugins", *arguments],
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        while len(read_manifest(output).get("partitions", ())) < n_partitions:
            assert process.poll() is None
            time.sleep(0.005)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return read_manifest(output)


def read_manifest(output: Storage) -> dict:
    """Return the content of the manifest of a folder; empty if there is none yet."""
    try:
        return json.loads(output.read_bytes(FILE))
    except FileNotFoundError:
        return {}
