"""The requirements of metrics that can be checked without importing anything, and the commands that install them."""

import os
import re
import shutil
import sys
from collections.abc import Container, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, requires
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_PACKAGE: Final = "accordance"
_ROOT: Final = Path(__file__).resolve().parents[2]
_OF_EXTRA: Final = re.compile(r"(?P<requirement>[^;]+);.*\bextra == ['\"](?P<extra>[\w-]+)['\"]")


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that a metric needs and that may not be installed.

    Attributes:
        name: The name shown to users, such as `spaCy`.
        modules: The top-level modules that must be installed.
        programs: The programs that must be on the search path.
        variable: An environment variable that must name a file or folder; "" if there is none.
        install: The command that installs it.
        extras: The extras of Accordance that install it, for bundled metrics.
        unless: The parameter of the metric which replaces the resource if it is set; "" if there is none.

    Raises:
        ValueError: Nothing can be checked, a module is not a top-level one, or it is not said how to install it.
    """

    name: str
    modules: tuple[str, ...] = ()
    programs: tuple[str, ...] = ()
    variable: str = ""
    install: str = ""
    extras: tuple[str, ...] = ()
    unless: str = ""

    def __post_init__(self) -> None:
        if not (self.name and (self.modules or self.programs or self.variable)):
            raise ValueError(f"resource {self.name!r} must have a name and modules, programs or a variable to look for")
        for module in self.modules:
            # Finding a submodule would import its package.
            if not module.isidentifier():
                raise ValueError(f"modules of resource {self.name!r} must be top-level modules, got {module!r}")
        if not (self.install or self.extras):
            raise ValueError(f"resource {self.name!r} must say how to install it: `install` must not be empty")

    def __str__(self) -> str:
        return self.name

    @property
    def is_present(self) -> bool:
        """Whether modules, programs and files can be found; nothing is imported or started."""
        path = os.environ.get(self.variable, "") if self.variable else ""
        return (
            all(map(has_module, self.modules))
            and all(map(shutil.which, self.programs))
            and (not self.variable or bool(path and Path(path).exists()))
        )


def has_module(name: str) -> bool:
    """Whether a top-level module is installed; it is not imported."""
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def find_missing(resources: Iterable[str | Resource], *, params: Container[str] = ()) -> tuple[Resource, ...]:
    """Return the resources that are not present.

    Args:
        resources: As in `MetricInfo.resources`; those given as text cannot be checked and count as present.
        params: The names of the parameters that are set to other values than their defaults.
    """
    checkable = [each for each in resources if isinstance(each, Resource) and each.unless not in params]
    return tuple(each for each in checkable if not each.is_present)


def list_installs(missing: Iterable[Resource]) -> tuple[str, ...]:
    """Return the commands that install resources; one command installs all extras of Accordance."""
    needed = sorted(missing, key=str)
    extras = sorted({extra for each in needed for extra in each.extras})
    own = [install_extras(*extras)] if extras else []
    return tuple(dict.fromkeys([*own, *(each.install for each in needed if each.install)]))


def explain_missing(missing: Iterable[Resource]) -> str:
    """Return what a metric lacks and how to install it, as the end of an error message."""
    needed = list(missing)
    return f"needs {', '.join(map(str, needed))}, which is not installed: {'; '.join(list_installs(needed))}"


def install_extras(*extras: str) -> str:
    """Return the command that installs extras of Accordance, which is not on the Python Package Index.

    If Accordance runs from a folder with its sources, it is to be run in that folder, and installs the tested versions.
    """
    if all((_ROOT / name).is_file() for name in ("pyproject.toml", "constraints.txt")):
        return f"{_name_python()} -m pip install -c constraints.txt -e '.[{','.join(extras)}]'"
    packages = [f"'{each}'" for each in _list_packages(extras)]
    return f"{_name_python()} -m pip install {' '.join(packages)}"


def _name_python() -> str:
    # Not resolved: the interpreter of a virtual environment is a link to that of the system.
    python = Path(sys.executable)
    return str(python.relative_to(_ROOT) if python.is_relative_to(_ROOT) else python)


def _list_packages(extras: Iterable[str]) -> list[str]:
    try:
        declared = requires(_PACKAGE) or []
    except PackageNotFoundError:
        declared = []
    found = [match for each in declared if (match := _OF_EXTRA.match(each))]
    wanted = set(extras)
    return sorted({match["requirement"].strip() for match in found if match["extra"] in wanted})
