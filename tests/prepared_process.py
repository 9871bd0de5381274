"""A process with Django set up, copies of which run commands and Python one after another.

Each runs in a process of its own, as one that is started does, and imports nothing again. For tests of what commands do
to an installation, not of how they are started.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# Reads a program, or the arguments of a command, from each line; imports what it imports, and runs it in a copy of this
# process.
_SERVER = """
import ast, contextlib, gc, importlib, json, os, sys, tempfile, traceback
import django
django.setup()
from django.core.management import execute_from_command_line, get_commands, load_command_class

def import_all(job):
    if isinstance(job, list):
        load_command_class(get_commands()[job[0]], job[0])
        return
    for node in ast.parse(job).body:
        if isinstance(node, ast.ImportFrom):
            importlib.import_module(node.module)

def run(job):
    try:
        if isinstance(job, list):
            execute_from_command_line(["manage.py", *job])
        else:
            exec(compile(job, "<program>", "exec"), {"__name__": "__main__"})
        return 0
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException:
        traceback.print_exc()
        return 1

def run_in_copy(job):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            code = run(job)
            with contextlib.suppress(BaseException):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)
        _, status = os.waitpid(pid, 0)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode())
    return os.waitstatus_to_exitcode(status), *texts

for line in sys.stdin:
    job = json.loads(line)
    # An error is that of the copy.
    with contextlib.suppress(Exception):
        import_all(job)
    gc.freeze()
    print(json.dumps(run_in_copy(job)), flush=True)
"""


class PreparedProcess:
    """What `prepare_process` yields; the process is started by the first call."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = {"DJANGO_SETTINGS_MODULE": "config.settings", **environment}
        self._process: subprocess.Popen[str] | None = None

    def call(self, source: str) -> list[str]:
        """Run Python, and return the lines that it printed; its failure is the test's."""
        return self._run(source).splitlines()

    def manage(self, *arguments: str) -> str:
        """Run a command of `manage.py` and return what it printed; its failure is the test's."""
        return self._run(list(arguments))

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.communicate(timeout=20)
            self._process = None

    def _run(self, job: str | list[str]) -> str:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _SERVER],
                cwd=ROOT,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        code, printed, told = json.loads(self._process.stdout.readline())
        assert code == 0, told
        return str(printed)


@contextmanager
def prepare_process(environment: dict[str, str]) -> Iterator[PreparedProcess]:
    """Yield a process in which programs run with these variables, until the block ends."""
    process = PreparedProcess(environment)
    try:
        yield process
    finally:
        process.close()
