"""Tests that a source distribution builds a wheel, and that the wheel works from a folder outside of the checkout."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.docs.notebooks import DOCS, NAMES
from tests.docs.test_notebooks import run_notebook
from tests.metrics_plugins.cli.running import write_captions

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (
    *("accordance", "annotation_ui", "captioning", "challenges", "config", "correlation", "execution"),
    *("jobs", "metrics_plugins", "studies"),
)
FILES = ("pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE", "constraints.txt")


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A source distribution built from a copy, so that nothing is left in the checkout."""
    folder = tmp_path_factory.mktemp("build")
    for name in (*SOURCES, "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    program = "from setuptools import build_meta; build_meta.build_sdist('dist')"
    subprocess.run([sys.executable, "-c", program], cwd=folder, check=True, capture_output=True)
    (built,) = (folder / "dist").glob("*.tar.gz")
    return built


@pytest.fixture(scope="module")
def wheel(sdist: Path) -> Path:
    """A wheel built from the source distribution, as an index would get it."""
    _pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", sdist.parent, sdist)
    (built,) = sdist.parent.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed wheel, without the packages that it needs, which are those of the tests."""
    target = tmp_path_factory.mktemp("installed")
    _pip("install", "--no-deps", "--no-index", "--target", target, wheel)
    return target


def _pip(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *map(str, arguments)]
    subprocess.run(command, check=True, capture_output=True, text=True)


@pytest.mark.slow
def test_wheel_has_every_file_that_is_not_code(wheel: Path) -> None:
    tracked = subprocess.run(["git", "ls-files", *SOURCES], cwd=ROOT, capture_output=True, text=True, check=True)

    with zipfile.ZipFile(wheel) as archive:
        missing = set(tracked.stdout.splitlines()) - set(archive.namelist())

    assert sorted(missing) == []


@pytest.fixture
def run(installed: Path, tmp_path: Path) -> Callable[..., str]:
    """Run Python with the installed package in an empty folder, and return what it prints."""
    folder = tmp_path / "empty"
    folder.mkdir()
    own = ("DJANGO_SETTINGS_MODULE", "ACCORDANCE_VAR")
    inherited = {name: value for name, value in os.environ.items() if name not in own}

    def run_python(*arguments: str) -> str:
        command, environment = [sys.executable, *arguments], {**inherited, "PYTHONPATH": str(installed)}
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        # Long commands say their steps there.
        strange = [line for line in done.stderr.splitlines() if not re.fullmatch(r"  .* \.\.\.", line)]
        assert (done.returncode, strange) == (0, [])
        return done.stdout

    return run_python


@pytest.mark.slow
def test_wheel_works_from_an_empty_folder(run: Callable[..., str], installed: Path, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    write_captions(folder / "candidates.json", (1, "a dog runs"), (2, "a bus"))
    write_captions(folder / "references.json", (1, "a dog is running"), (2, "a red bus"))

    def run_command(*arguments: str) -> str:
        return run("-m", "accordance", *arguments)

    assert run_command("--version") == f"accordance {version('accordance')}\n"
    assert "bleu-1|tok:ptb|len:closest|v:1\n" in run_command(
        *("score", "candidates.json", "--table", "--references", "references.json", "--metrics", "bleu-1")
    )
    assert "--protocol" in run_command("correlate", "--help")
    assert "demo-rating" in run_command("demo", "--no-serve")
    assert "bleu-1" in run_command("correlate", "demo-rating", "--metrics", "bleu-1")
    # The simulation runs in a process of its own.
    run_command("simulate", "demo-rating-open", "--raters", "2")
    assert sorted(each.name for each in folder.iterdir() if not each.name.endswith("json")) == ["db.sqlite3", "var"]
    assert run("-c", "import accordance; print(accordance.__file__)").startswith(str(installed))


@pytest.mark.slow
def test_wheel_brings_the_versions_that_were_tested(run: Callable[..., str], installed: Path) -> None:
    path = Path(run("-m", "accordance", "constraints").strip())

    assert path == installed / "accordance" / "constraints.txt"
    assert path.read_bytes() == (ROOT / "constraints.txt").read_bytes()


@pytest.mark.slow
def test_wheel_brings_the_documentation(run: Callable[..., str], installed: Path) -> None:
    program = (
        "import os, django; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; django.setup(); "
        "from studies.shared.documentation import list_pages; print(*dict(list_pages()))"
    )

    assert {"quick-start", "commands", "python"} <= set(run("-c", program).split())
    assert (installed / "accordance" / "README.md").is_file()
    assert all((installed / "accordance" / "docs" / name).is_file() for name in NAMES)


@pytest.mark.slow
@pytest.mark.parametrize("is_there", [True, False])
def test_a_hint_to_install_is_a_command_for_pip(
    is_there: bool, run: Callable[..., str], wheel: Path, tmp_path: Path
) -> None:
    program = "from metrics_plugins.api.resources import install_extras; print(install_extras('meteor'))"
    away = wheel.with_suffix(".away")
    if not is_there:
        wheel.rename(away)
    try:
        hint = shlex.split(run("-c", program))
        # Without an index pip takes what is installed for the tests, and does everything but install.
        command = [*hint, "--dry-run", "--no-index", "--disable-pip-version-check"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    finally:
        if not is_there:
            away.rename(wheel)

    assert (f"{wheel}[meteor]" in hint) is is_there
    assert done.returncode == 0, done.stderr
    assert "pycocoevalcap" in done.stdout


@pytest.mark.slow
def test_version_is_that_of_the_project_file(run: Callable[..., str], wheel: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

    assert wheel.name.split("-")[1] == project["version"]
    assert run("-c", "import accordance; print(accordance.__version__)").strip() == project["version"]


@pytest.mark.slow
def test_wheel_copies_the_notebooks_with_their_data(run: Callable[..., str], tmp_path: Path) -> None:
    printed = run("-m", "accordance", "notebooks", "learning")

    folder = tmp_path / "empty" / "learning"
    assert printed.splitlines() == [f"learning/{name}" for name in NAMES]
    copied = {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    tracked = subprocess.run(["git", "ls-files", "data"], cwd=DOCS, capture_output=True, text=True, check=True)
    assert copied == {Path(name): (DOCS / name).read_bytes() for name in (*NAMES, *tracked.stdout.split())}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_notebooks_run_with_the_wheel(name: str, installed: Path, tmp_path: Path) -> None:
    assert any(run_notebook(name, tmp_path, PYTHONPATH=str(installed)))
