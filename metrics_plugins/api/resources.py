"""The requirements of metrics that can be checked without importing anything, and the commands that install them."""

import json
import os
import re
import shlex
import shutil
import sys
from collections.abc import Container, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution, requires
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from urllib.request import url2pathname

_PACKAGE: Final = "accordance"
_CONSTRAINTS: Final = "constraints.txt"
CHOSEN_PATHS: Final = Path(sys.prefix) / "accordance-paths.json"
"""Belongs to the Python environment, as the packages that are installed in it."""
_ROOT: Final = Path(__file__).resolve().parents[2]
_OF_EXTRA: Final = re.compile(r"(?P<requirement>[^;]+);.*\bextra == ['\"](?P<extra>[\w-]+)['\"]")


@dataclass(frozen=True, slots=True)
class Resource:
    """Something that a metric needs and that may not be installed.

    Attributes:
        name: The name shown to users, such as `spaCy`.
        modules: The top-level modules that must be installed.
        programs: The programs that must be on the search path.
        variable: An environment variable that must name a file or folder (`find_path`); "" if there is none.
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
        path = find_path(self.variable) if self.variable else ""
        return (
            all(map(has_module, self.modules))
            and all(map(shutil.which, self.programs))
            and (not self.variable or bool(path and Path(path).exists()))
        )


def find_path(variable: str) -> str:
    """Return the file or folder that an environment variable names; without it, what `install-metrics` has chosen."""
    return os.environ[variable] if variable in os.environ else read_chosen_paths().get(variable, "")


def read_chosen_paths() -> dict[str, str]:
    """Return the files and folders that `install-metrics` has chosen in this Python environment, by variable.

    They are read each time, so that processes that run already find a new choice.
    """
    try:
        found = json.loads(CHOSEN_PATHS.read_text())
    except (OSError, ValueError):
        return {}
    return {name: path for name, path in found.items() if isinstance(path, str)} if isinstance(found, dict) else {}


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
    An installed package takes its wheel again, or the packages of the extras if the wheel is gone, at the versions of
    `find_constraints()`.
    """
    wanted = f"[{','.join(extras)}]"
    if _is_checkout():
        return f"{_name_python()} -m pip install -c constraints.txt -e '.{wanted}'"
    constraints = find_constraints()
    versions = f" -c {shlex.quote(str(constraints))}" if constraints else ""
    wheel = _find_wheel()
    packages = [f"{wheel}{wanted}"] if wheel else list_packages(extras)
    return f"{_name_python()} -m pip install{versions} {' '.join(map(shlex.quote, packages))}"


def find_constraints() -> Path | None:
    """Return the file with the version of every package that was tested: of the checkout, or of the installed package.

    None if a package was built without it.
    """
    path = (_ROOT if _is_checkout() else _ROOT / _PACKAGE) / _CONSTRAINTS
    return path if path.is_file() else None


def _is_checkout() -> bool:
    return all((_ROOT / name).is_file() for name in ("pyproject.toml", _CONSTRAINTS))


def _find_wheel() -> Path | None:
    """Return the wheel that was installed, where pip recorded it and it is still there."""
    try:
        record = distribution(_PACKAGE).read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    url = urlsplit(json.loads(record)["url"]) if record else None
    if url is None or url.scheme != "file" or not url.path.endswith(".whl"):
        return None
    path = Path(url2pathname(url.path))
    return path if path.is_file() else None


def _name_python() -> str:
    # Not resolved: the interpreter of a virtual environment is a link to that of the system.
    python = Path(sys.executable)
    return str(python.relative_to(_ROOT) if python.is_relative_to(_ROOT) else python)


def list_packages(extras: Iterable[str]) -> list[str]:
    """Return the requirements that extras of Accordance add, as its metadata declare them."""
    try:
        declared = requires(_PACKAGE) or []
    except PackageNotFoundError:
        declared = []
    found = [match for each in declared if (match := _OF_EXTRA.match(each))]
    wanted = set(extras)
    return sorted({match["requirement"].strip() for match in found if match["extra"] in wanted})
