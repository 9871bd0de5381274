"""Tests that a sandboxed process reads only allowed files, and does not reveal their content."""

import pickle

import pytest

from metrics_plugins.api import Batch
from metrics_plugins.runtime import FileRoots
from metrics_plugins.runtime.sandbox import PluginChoice, SandboxLimits, SandboxProcess

BATCH = Batch.make(["x"], candidates=["a dog"], references=[["a dog"]])


@pytest.fixture
def ask(tmp_path):
    """Ask a process that may read the files of one folder."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files" / "table.json").write_text('{"n_images": "planted-content"}')
    (tmp_path / "secret.json").write_text('{"n_images": "planted-content"}')
    choice = PluginChoice(outside=False, files=FileRoots((tmp_path / "files",)))
    with SandboxProcess(SandboxLimits(seconds=60)) as process:
        assert process.ask("load", **choice.to_fields()).error == ""
        yield lambda **params: process.ask("prepare", metric="cider-d", params=params).error


def test_an_error_tells_nothing_of_a_file_that_may_be_read(ask):
    error = ask(df="table.json")

    assert error == (
        "metric cider-d cannot work with what is named by df: each must hold what the metric reads "
        "(docs/plugins.md says what)"
    )


def test_other_files_are_refused_alike_whether_they_are_there_or_not(ask, tmp_path):
    names = ("../secret.json", str(tmp_path / "secret.json"), "/etc/passwd", "nothing", "table.json!x/../y")

    (error,) = {ask(df=name) for name in names}

    assert error == (
        "df must name a file, or ARCHIVE!MEMBER, by its path within the files of the dataset or the "
        "operator's resources"
    )


def test_errors_of_a_metric_without_files_are_told(ask):
    assert ask(n=0) == "`n` of metric 'cider-d' must be at least 1, got 0"


def test_a_process_that_was_told_of_no_files_reads_none(tmp_path):
    (tmp_path / "table.json").write_text("{}")

    with SandboxProcess(SandboxLimits(seconds=60)) as process:
        process.ask("load", outside=False)
        error = process.ask("prepare", metric="cider-d", params={"df": str(tmp_path / "table.json")}).error
        process.ask("batch", blob=pickle.dumps(BATCH))

    assert error.startswith("df must name")
