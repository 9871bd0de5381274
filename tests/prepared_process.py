"""A process with Django set up, copies of which run commands and Python one after another.

Each runs in a process of its own, as one that is started does, and imports nothing again. For tests of what commands do
to an installation, not of how they start and end: `DJANGO_SETTINGS_MODULE` is set for them, and copies end by
`os._exit`, so handlers of `atexit` do not run.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

# A line names a folder, and holds a program or the arguments of `python -m`: what that needs is imported, and a copy
# of this process runs it.
_SERVER = """
import ast, contextlib, gc, importlib, json, os, runpy, sys, tempfile, traceback
import django
django.setup()
from django.core.management import get_commands, load_command_class

def import_all(job):
    if isinstance(job, list):
        importlib.import_module(job[0])
        (name, *_) = [argument for argument in job[1:] if argument in get_commands()]
        load_command_class(get_commands()[name], name)
        return
    for node in ast.parse(job).body:
        if isinstance(node, ast.ImportFrom):
            importlib.import_module(node.module)

def run(job):
    try:
        if isinstance(job, list):
            sys.argv = job
            runpy.run_module(job[0], run_name="__main__", alter_sys=True)
        else:
            exec(compile(job, "<program>", "exec"), {"__name__": "__main__"})
        return 0
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
        return ended.code if isinstance(ended.code, int) else 0 if ended.code is None else 1
    except BaseException:
        traceback.print_exc()
        return 1

def run_in_copy(folder, job):
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        pid = os.fork()
        if pid == 0:
            # The lines to come are not the program's.
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            os.chdir(folder)
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
    folder, job = json.loads(line)
    # An error is that of the copy.
    with contextlib.suppress(Exception):
        import_all(job)
    gc.freeze()
    print(json.dumps(run_in_copy(folder, job)), flush=True)
"""


class PreparedProcess:
    """What `prepare_process` yields; the process is started by the first call."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = {"DJANGO_SETTINGS_MODULE": "config.settings", **environment}
        self._process: subprocess.Popen[str] | None = None

    def call(self, source: str) -> list[str]:
        """Run Python, and return the lines that it printed; its failure is the test's."""
        return _return_output(self._run(source, ROOT)).splitlines()

    def manage(self, *arguments: str) -> str:
        """Run a command of `manage.py` and return what it printed; its failure is the test's."""
        return _return_output(self._run(["manage", *arguments], ROOT))

    def run_module(self, module: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
        """Return what `python -m MODULE` did with these arguments in a folder."""
        return self._run([module, *arguments], folder)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.communicate()
            self._process = None

    def _run(self, job: str | list[str], folder: Path) -> subprocess.CompletedProcess[str]:
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
        self._process.stdin.write(json.dumps([str(folder), job]) + "\n")
        self._process.stdin.flush()
        code, printed, told = json.loads(self._process.stdout.readline())
        return subprocess.CompletedProcess(job, code, printed, told)


def _return_output(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 0, done.stderr
    return done.stdout


@contextmanager
def prepare_process(environment: dict[str, str]) -> Iterator[PreparedProcess]:
    """Yield a process in which programs run with these variables, until the block ends."""
    process = PreparedProcess(environment)
    try:
        yield process
    finally:
        process.close()
