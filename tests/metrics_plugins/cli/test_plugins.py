"""Tests of `--plugin`: plugin files that are not installed are listed, checked and used for scoring."""

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics_plugins.cli.main import main
from tests.accordance.running import run_accordance
from tests.metrics_plugins.cli.running import run_program

HEAD = """\
import time

from metrics_plugins.adapters import adapt_function
from metrics_plugins.api import hookimpl


def rate(candidate: str, references: tuple[str, ...]) -> float:
    {body}


Mine = adapt_function(
    rate, id="mine", title="Mine", bounds=(0.0, 1.0), higher_is_better=True, citation="-", version="1"
)


@hookimpl
def register_metrics():
    return [Mine]
"""


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    known, path = set(sys.modules), list(sys.path)
    yield
    for name in set(sys.modules) - known:
        if name.startswith("dropped_"):
            del sys.modules[name]
    sys.path[:] = path


@pytest.fixture
def captions(tmp_path: Path) -> list[str]:
    (tmp_path / "fluent.csv").write_text("image_id,caption\nbeach,a dog\nbeach,a cat sleeps\n")
    (tmp_path / "references.csv").write_text("image_id,caption\nbeach,a dog runs\n")
    return ["--candidates", str(tmp_path / "fluent.csv"), "--references", str(tmp_path / "references.csv")]


def drop(folder: Path, name: str, body: str) -> str:
    path = folder / f"dropped_{name}.py"
    path.write_text(HEAD.format(body=body))
    return str(path)


def test_file_is_listed_alone(tmp_path: Path, capsys) -> None:
    assert main(["list", "--plugin", drop(tmp_path, "listed", "return 0.5")]) == 0

    _, *rows = capsys.readouterr().out.splitlines()
    assert [row.split()[:2] for row in rows] == [["mine", "segment"]]
    assert "dropped_listed.py" in rows[0]


def test_file_is_checked_without_naming_its_only_metric(tmp_path: Path, capsys) -> None:
    assert main(["check", "--plugin", drop(tmp_path, "checked", "return 0.5")]) == 0

    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "19 of 19 checks passed"


def test_rows_name_system_and_row_so_that_no_two_are_alike(tmp_path: Path, captions: list[str], capsys) -> None:
    plugin = drop(tmp_path, "scored", "return 0.5")

    assert main(["score", "--plugin", plugin, "--metrics", "mine", *captions]) == 0

    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(row["system"], row["row"], row["key"]) for row in rows] == [
        ("fluent", 1, "beach"),
        ("fluent", 2, "beach"),
        ("fluent", None, None),
    ]


def test_exception_is_told_once_with_line_and_row(tmp_path: Path, captions: list[str], capsys) -> None:
    plugin = drop(tmp_path, "divides", "return 1 / (len(candidate.split()) - 3)")

    assert main(["score", "--plugin", plugin, "--metrics", "mine", *captions]) == 2

    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.splitlines() == [
        "error: metric 'mine' fails: ZeroDivisionError: division by zero",
        "  at dropped_divides.py, line 8, in rate: return 1 / (len(candidate.split()) - 3)",
        "  on row 2 of 2: key 'beach', system 'fluent', caption 'a cat sleeps'",
    ]


def test_what_a_plugin_prints_is_not_in_the_output(tmp_path: Path, captions: list[str], capsys) -> None:
    plugin = drop(tmp_path, "prints", "return print('scoring') or 0.5")
    path = Path(plugin)
    path.write_text(f"print('loading')\n{path.read_text()}")
    wrong = drop(tmp_path, "prints_wrong", "return print('scoring') or 2.0")

    assert main(["score", "--plugin", plugin, "--metrics", "mine", "--json", *captions]) == 0
    scored = capsys.readouterr()
    assert main(["check", "--plugin", wrong, "--json"]) == 1
    checked = capsys.readouterr()

    assert [row["value"] for row in json.loads(scored.out)["rows"]] == [0.5, 0.5, 0.5]
    assert scored.err.splitlines() == ["loading", "scoring", "scoring"]
    found = json.loads(checked.out)
    assert (found["metric"], found["passed"], len(found["checks"])) == ("mine", False, 19)
    messages = {each["check"]: each["message"] for each in found["checks"]}
    assert messages["determinism"] == ""
    assert "declares bounds [0.0, 1.0], but gave 2.0" in messages["within-bounds"]
    assert "scoring" in checked.err.splitlines()


def test_what_programs_of_a_plugin_print_is_not_in_the_output(tmp_path: Path, captions: list[str]) -> None:
    path = Path(drop(tmp_path, "starts", "return START() or 0.5"))
    start = (
        "import os, subprocess\n"
        "def START():\n"
        "    subprocess.run(['echo', 'program'])\n"
        "    os.system('echo shell')\n"
        "START()\n"
    )
    path.write_text(start + path.read_text())
    table = ["score", captions[1], "--table", "--resamples", "10", "--references", captions[3]]

    scored = run_program("score", "--plugin", path, "--metrics", "mine", "--json", *captions, folder=tmp_path)
    checked = run_program("check", "--plugin", path, "--json", folder=tmp_path)
    compared = run_accordance(*table, "--plugin", path, "--metrics", "mine", "--json", folder=tmp_path)

    assert [row["value"] for row in json.loads(scored.stdout)["rows"]] == [0.5, 0.5, 0.5]
    assert scored.stderr.splitlines() == ["program", "shell"] * 3
    assert json.loads(checked.stdout)["metric"] == "mine"
    assert [row["value"] for row in json.loads(compared.stdout)["rows"]] == [0.5]


def test_what_a_plugin_prints_in_worker_processes_is_not_in_the_output(tmp_path: Path) -> None:
    path = Path(drop(tmp_path, "prints_elsewhere", "return print('scoring') or 0.5"))
    path.write_text(f"print('loading')\n{path.read_text()}")
    captions = pa.table({"image_id": ["a", "b", "c", "d"], "caption": ["a dog", "a cat", "a man", "a tree"]})
    pq.write_table(captions, tmp_path / "captions.parquet")
    files = ("--candidates", "captions.parquet", "--references", "captions.parquet", "--plugin", path, "--json")
    many = ("--output", "scores", "--workers", "2", "--rows-per-partition", "1")

    result = run_program("score", *files, *many, "--metrics", "mine", folder=tmp_path)

    assert result.returncode == 0, result.stderr
    (row,) = json.loads(result.stdout)["rows"]
    assert (row["metric"], row["value"], row["captions"], row["missing"]) == ("mine", 0.5, 4, 0)
    assert result.stderr.splitlines().count("scoring") == 4


def test_files_are_also_probed_and_fitted(tmp_path: Path, capsys) -> None:
    plugin = drop(tmp_path, "probed", "return 0.5")
    path = tmp_path / "references.csv"
    path.write_text("image_id,caption\nbeach,a dog runs\nbeach,a dog is here\npark,a cat\npark,a black cat\n")
    probe = ["--references", str(path), "--plugin", plugin, "--metrics", "mine", "--json"]

    assert main(["human-agreement", *probe]) == 0
    agreement = json.loads(capsys.readouterr().out)
    assert main(["fit", "mine", "--plugin", plugin, "--data", str(path), "--out", str(tmp_path / "fitted")]) == 2
    refusal = capsys.readouterr().err

    assert "mine" in json.dumps(agreement)
    assert refusal == "error: metric 'mine' needs no separate training: `score` fits it if needed\n"


def test_slow_check_fails_at_its_limit_and_the_rest_is_not_run(tmp_path: Path, capsys) -> None:
    plugin = drop(tmp_path, "sleeps", "time.sleep(60)")

    assert main(["check", "--plugin", plugin, "--seconds", "0.2"]) == 1

    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "FAILED  declared-inputs: expected the check to complete; it took longer than 0.2 s"
    assert lines[1] == "  at dropped_sleeps.py, line 8, in rate: time.sleep(60)"
    assert "FAILED  declared-level: as declared-inputs" in lines
    assert "FAILED  within-bounds: not run, since 3 checks took too long" in lines


def test_path_that_is_no_plugin_is_refused(tmp_path: Path, capsys) -> None:
    assert main(["list", "--plugin", str(tmp_path / "missing.py")]) == 2
    assert main(["list", "--plugin", str(tmp_path)]) == 2

    errors = capsys.readouterr().err.splitlines()
    assert errors[0].startswith("error: --plugin must be a Python file or a folder of them; there is no ")
    assert errors[1].endswith("the folder has no file that ends in .py")


def test_refusals_of_other_plugins_stay_out_of_an_unknown_id(tmp_path: Path) -> None:
    from metrics_plugins.api.errors import UnknownMetric
    from metrics_plugins.runtime import load_registry

    (tmp_path / "dropped_broken.py").write_text('NAME = "wanted"\n1 / 0\n')
    registry = load_registry(folder=tmp_path)

    with pytest.raises(UnknownMetric, match=r"^no installed plugin has a metric 'cider-dd'; did you mean [^;]*\?$"):
        registry.get("cider-dd")
    with pytest.raises(UnknownMetric, match=r"a metric 'wanted'; plugin 'dropped_broken\.py' is refused: "):
        registry.get("wanted")


def test_interrupted_command_ends_with_130_and_says_what_is_kept(tmp_path: Path) -> None:
    plugin = drop(tmp_path, "waits", "print('begun', flush=True) or time.sleep(60)")
    # Processes in the background of a shell ignore the signal, and so would those that they start.
    program = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from metrics_plugins.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "check", "--plugin", plugin]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        # Output is not buffered: the line is here while the command runs.
        assert process.stderr is not None
        assert process.stderr.readline() == "begun\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)

    assert process.returncode == 130
    assert errors == "\nstopped: the checks that are printed were complete\n"
