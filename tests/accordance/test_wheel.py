"""Tests that a built wheel works from a folder outside of the checkout."""

import os
import shutil
import subprocess
import sys
import zipfile
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.metrics_plugins.cli.running import write_captions

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("accordance", "annotation_ui", "captioning", "config", "correlation", "jobs", "metrics_plugins", "studies")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from a copy, so that nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("build")
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    _pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", folder / "dist", folder)
    (built,) = (folder / "dist").glob("*.whl")
    return built


def _pip(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, text=True)


@pytest.mark.slow
def test_wheel_has_every_file_that_is_not_code(wheel: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, capture_output=True, text=True, check=True)

    with zipfile.ZipFile(wheel) as archive:
        missing = set(tracked.stdout.splitlines()) - set(archive.namelist())

    assert sorted(missing) == []


@pytest.mark.slow
def test_wheel_works_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    target, folder = tmp_path / "installed", tmp_path / "empty"
    folder.mkdir()
    _pip("install", "--no-deps", "--no-index", "--target", target, wheel)
    write_captions(folder / "candidates.json", (1, "a dog runs"), (2, "a bus"))
    write_captions(folder / "references.json", (1, "a dog is running"), (2, "a red bus"))
    inherited = {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}
    environment = {**inherited, "PYTHONPATH": str(target), "ACCORDANCE_VAR": str(folder / "var")}

    def run(*arguments: str) -> str:
        command = [sys.executable, "-m", "accordance", *arguments]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout

    assert run("--version") == f"accordance {version('accordance')}\n"
    assert "bleu-1|tok:ptb|len:closest|v:1\n" in run(
        *("score", "candidates.json", "--table", "--references", "references.json", "--metrics", "bleu-1")
    )
    assert "--protocol" in run("correlate", "--help")
    where = [sys.executable, "-c", "import accordance; print(accordance.__file__)"]
    assert subprocess.run(where, cwd=folder, env=environment, capture_output=True, text=True).stdout.startswith(
        str(target)
    )
