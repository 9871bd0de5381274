"""Tests of the command `accordance`: what it forwards, what it loads, and its exit codes."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from accordance.cli import main
from tests.accordance.running import run_accordance
from tests.metrics_plugins.cli.running import run_program, write_captions
from tests.prepared_process import PreparedProcess, prepare_process

ROOT = Path(__file__).resolve().parents[2]


def test_the_project_installs_the_command() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert project["scripts"] == {"accordance": "accordance.cli:main"}


def test_version(tmp_path: Path) -> None:
    result = run_accordance("--version", folder=tmp_path)

    assert (result.returncode, result.stdout, result.stderr) == (0, f"accordance {version('accordance')}\n", "")


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_nothing_heavy(option: str) -> None:
    heavy = ("django", "numpy", "pandas", "metrics_plugins", "correlation")
    program = (
        f"import sys; from accordance.cli import main; code = main([{option!r}]); "
        f"print([name for name in {heavy!r} if name in sys.modules], code)"
    )

    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert result.stdout.splitlines()[-1] == "[] 0"


def measure_seconds(*arguments: str, folder: Path) -> float:
    """Return the median of the processor time of three runs, which other work on the machine hardly changes."""
    found = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run_accordance(*arguments, folder=folder, ACCORDANCE_VAR=str(folder), DATABASE_URL="sqlite:///:memory:")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return sorted(found)[1]


@pytest.mark.slow
@pytest.mark.alone
@pytest.mark.parametrize(
    ("arguments", "most"),
    [(["--version"], 0.2), (["--help"], 0.2), (["list"], 1.5), (["correlate", "--help"], 2.0)],
)
def test_commands_that_compute_nothing_are_quick(arguments: list[str], most: float, tmp_path: Path) -> None:
    assert measure_seconds(*arguments, folder=tmp_path) < most


def test_no_command_prints_the_usage_as_an_error(capsys: pytest.CaptureFixture) -> None:
    assert main([]) == 2
    assert "usage: accordance COMMAND" in capsys.readouterr().err


def test_help_names_exit_codes(capsys: pytest.CaptureFixture) -> None:
    assert main(["--help"]) == 0
    assert "130 stopped by Ctrl-C" in capsys.readouterr().out


@pytest.mark.parametrize(("arguments", "code"), [((), 2), (("--help",), 0)])
def test_score_alone_names_its_three_forms(
    arguments: tuple[str, ...], code: int, capsys: pytest.CaptureFixture
) -> None:
    assert main(["score", *arguments]) == code
    captured = capsys.readouterr()
    for form in ("score FILE... --table", "score --candidates FILE", "score STUDY"):
        assert f"accordance {form}" in (captured.out if code == 0 else captured.err)


@pytest.mark.parametrize(
    "arguments", [["--candidates", "c", "--metrics", "length", "--wrong"], ["--candidates", "c", "--help"]]
)
def test_usage_of_a_metric_command_has_the_name_that_was_typed(
    arguments: list[str], capsys: pytest.CaptureFixture
) -> None:
    with pytest.raises(SystemExit):
        main(["score", *arguments])
    captured = capsys.readouterr()
    assert "usage: accordance score" in captured.out + captured.err
    assert "metrics_plugins" not in captured.out + captured.err


def test_unknown_option(capsys: pytest.CaptureFixture) -> None:
    assert main(["--quick"]) == 2
    assert "must be a command, got '--quick'" in capsys.readouterr().err


def test_list_is_that_of_the_metrics(tmp_path: Path) -> None:
    ours, theirs = run_accordance("list", "--json", folder=tmp_path), run_program("list", "--json", folder=tmp_path)

    assert (ours.returncode, ours.stdout) == (0, theirs.stdout)


def test_scores_of_a_file(tmp_path: Path) -> None:
    files = [
        *("--candidates", write_captions(tmp_path / "candidates.json", (1, "a dog runs"))),
        *("--references", write_captions(tmp_path / "references.json", (1, "a dog is running"))),
    ]

    ours = run_accordance("score", *files, "--metrics", "bleu-1", folder=tmp_path)

    assert (ours.returncode, ours.stderr) == (0, "")
    assert ours.stdout == run_program("score", *files, "--metrics", "bleu-1", folder=tmp_path).stdout


def test_an_invalid_argument_of_a_metric_command(tmp_path: Path) -> None:
    result = run_accordance("check", "ciderd", folder=tmp_path)

    assert result.returncode == 2
    assert "did you mean cider" in result.stderr


@pytest.mark.parametrize("prefix", [(), ("manage",)])
def test_a_command_of_studies(prefix: tuple[str, ...], without_database: tuple[PreparedProcess, Path]) -> None:
    process, folder = without_database

    result = process.run_module("accordance", *prefix, "correlate", "--help", folder=folder)

    assert result.returncode == 0, result.stderr
    assert "--protocol" in result.stdout


def place_data(folder: Path) -> dict[str, str]:
    """Return the environment of an installed package, which keeps its data in the folder of the command."""
    return {"ACCORDANCE_VAR": str(folder / "var"), "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}"}


@pytest.fixture(scope="module")
def process_without_database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PreparedProcess, Path]]:
    """A process in which commands run, and the empty folder where it would keep its data, for all that leave nothing.

    Most of the time of a command that fails at once is that of its imports.
    """
    folder = tmp_path_factory.mktemp("without-database")
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    with prepare_process({**inherited, **place_data(folder)}) as process:
        yield process, folder


@pytest.fixture
def without_database(process_without_database: tuple[PreparedProcess, Path]) -> Iterator[tuple[PreparedProcess, Path]]:
    """The process and its folder, which is emptied afterwards: a file that is left fails no other test."""
    yield process_without_database
    _, folder = process_without_database
    shutil.rmtree(folder)
    folder.mkdir()


@pytest.mark.parametrize(
    "command",
    [
        ("quality", "s"),
        ("prolific", "s"),
        ("score", "s"),
        ("run_jobs",),
        ("background", "--batch"),
        # Commands of Django itself:
        ("manage", "clearsessions"),
        ("manage", "createsuperuser", "--noinput"),
    ],
)
def test_command_without_a_database_leaves_nothing(
    command: tuple[str, ...], without_database: tuple[PreparedProcess, Path]
) -> None:
    process, folder = without_database

    result = process.run_module("accordance", *command, folder=folder)

    assert (result.returncode, result.stdout) == (1, "")
    kind, message = result.stderr.split(": ", 1)
    assert kind == ("DatabaseUnavailable" if command[0] == "manage" else "CommandError")
    path = folder / "db.sqlite3"
    assert message == f"there is no database {path}: `migrate` makes it, and `demo` fills it with small studies\n"
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("correlate", "s", "--wrong"), 2),
        (("score", "a.json", "b.json"), 2),
        (("score", "absent.json", "--table", "--metrics", "length"), 2),
        (("score", "--candidates", "absent.json", "--metrics", "length"), 2),
        (("correlate", "--scores", "absent", "--judgments", "absent.csv", "--protocol", "custom@1"), 2),
        (("migrate", "absent"), 1),
        (("migrate", "--plan"), 0),
        (("migrate", "--check"), 1),
        (("manage", "check"), 0),
    ],
)
def test_command_that_fails_or_only_reads_leaves_nothing(
    command: tuple[str, ...], code: int, without_database: tuple[PreparedProcess, Path]
) -> None:
    process, folder = without_database

    result = process.run_module("accordance", *command, folder=folder)

    assert (result.returncode, "Traceback" in result.stderr) == (code, False), result.stderr
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("name", ["correlate", "run_jobs"])
def test_command_on_a_database_without_tables(name: str, tmp_path: Path) -> None:
    (tmp_path / "db.sqlite3").touch()

    result = run_accordance(name, *["s"][: name == "correlate"], folder=tmp_path, **place_data(tmp_path))

    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("CommandError: the database has no tables: `migrate` makes them")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("command", [("correlate", "s"), ("serve", "--port", "0")])
def test_command_without_a_database_server(command: tuple[str, ...], tmp_path: Path) -> None:
    # Nothing listens on the first port, which is reserved.
    environment = {**place_data(tmp_path), "DATABASE_URL": "postgres://somebody@127.0.0.1:1/somewhere"}

    result = run_accordance(*command, folder=tmp_path, **environment)

    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert 'connection to server at "127.0.0.1", port 1 failed: Connection refused' in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_migrate_makes_a_database_and_keys(tmp_path: Path) -> None:
    environment = place_data(tmp_path)

    made = run_accordance("migrate", "--verbosity", "0", folder=tmp_path, **environment)
    assert sorted(path.name for path in (tmp_path / "var").iterdir()) == ["identity_key", "secret_key"]
    result = run_accordance("correlate", "s", folder=tmp_path, **environment)

    assert (made.returncode, made.stderr) == (0, "")
    assert result.stderr == "CommandError: there is no study 's' (known: none; see import_data)\n"


def test_an_unknown_command(without_database: tuple[PreparedProcess, Path]) -> None:
    process, folder = without_database

    result = process.run_module("accordance", "correlat", folder=folder)

    assert result.returncode == 1
    assert "Unknown command: 'correlat'. Did you mean correlate?" in result.stderr


def test_ctrl_c_ends_with_130_and_says_what_is_kept(tmp_path: Path) -> None:
    # The file of candidates is a pipe that nobody writes, so the command is certain to be waiting when it is stopped.
    os.mkfifo(tmp_path / "candidates.txt")
    # Processes in the background of a shell ignore the signal, and so would those that they start.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from accordance.cli import main; print('started', flush=True); "
        "sys.exit(main(['score', '--candidates', 'candidates.txt', '--metrics', 'length']))"
    )
    command = [sys.executable, "-c", program]
    with (
        subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running,
        # Opening the other end blocks until the command has opened the file.
        (tmp_path / "candidates.txt").open("w"),
    ):
        running.send_signal(signal.SIGINT)
        _out, error = running.communicate()

    assert running.returncode == 130
    assert error.splitlines()[-1] == "stopped: nothing was written"
