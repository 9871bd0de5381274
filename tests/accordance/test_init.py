"""Tests that importing the package loads nothing heavy, and that its names lead somewhere."""

import subprocess
import sys
from importlib.metadata import version

import pytest

import accordance

HEAVY = ("numpy", "pandas", "scipy", "torch", "django", "pluggy", "metrics_plugins", "correlation", "studies")


def test_import_loads_nothing_heavy() -> None:
    program = f"import accordance, sys; print([name for name in {HEAVY!r} if name in sys.modules])"

    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert result.stdout == "[]\n"


def test_import_adds_few_modules() -> None:
    # Python itself loads the others at start-up, so the number does not depend on the speed of the machine.
    program = "import sys; before = set(sys.modules); import accordance; print(sorted(set(sys.modules) - before))"

    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert len(result.stdout.split(",")) < 40


@pytest.mark.parametrize("name", accordance.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(accordance, name) is not None
    assert name in dir(accordance)


def test_version_is_that_of_the_installed_package() -> None:
    assert accordance.__version__ == version("accordance")


def test_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'accordance' has no attribute 'nothing'"):
        _ = accordance.nothing
