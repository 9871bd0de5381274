"""Fixtures that install the example plugins with pip, for tests that start separate processes.

Import them into a `conftest.py` to use them: `from tests.plugins.installing import installed_plugins`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = Path(__file__).resolve().parent


@pytest.fixture(scope="session")
def installed_plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `accordance-example-metrics` installed in it; put it on PYTHONPATH."""
    return install_packages("example_metrics", folder=tmp_path_factory.mktemp("plugins"))


@pytest.fixture(scope="session")
def installed_adapted_plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `accordance-adapted-metrics` installed in it; put it on PYTHONPATH."""
    return install_packages("adapted_metrics", folder=tmp_path_factory.mktemp("adapted-plugins"))


@pytest.fixture(scope="session")
def installed_broken_plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three plugins that must be refused; put it on PYTHONPATH beside the others."""
    names = ("misspelled_hook", "failing_import", "taken_id")
    return install_packages(*names, folder=tmp_path_factory.mktemp("broken-plugins"))


def install_packages(*names: str, folder: Path) -> Path:
    """Install packages of this folder into `folder / "site"`, without the network."""
    # setuptools builds beside the sources, which must stay as they are.
    sources = [shutil.copytree(PACKAGES / name, folder / "sources" / name) for name in names]
    site = folder / "site"
    options = ["--no-index", "--no-deps", "--no-build-isolation", "--quiet", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "install", *options, "--target", str(site), *map(str, sources)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return site


def make_environment(*folders: Path) -> dict[str, str]:
    """Return the environment of a process that finds the plugins in these folders."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, folders))}


@pytest.fixture(scope="session")
def installed_hostile_plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `accordance-hostile-metrics` installed in it; put it on PYTHONPATH."""
    return install_packages("hostile_metrics", folder=tmp_path_factory.mktemp("hostile-plugins"))


@pytest.fixture(scope="session")
def installed_stopping_plugins(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two plugins that end or hold up the process that imports them; put it on PYTHONPATH."""
    return install_packages("hanging_import", "exiting_import", folder=tmp_path_factory.mktemp("stopping-plugins"))
