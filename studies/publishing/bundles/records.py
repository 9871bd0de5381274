"""Records read from the files of a bundle, each with the place that a message names."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DatabaseError

from studies.publishing.bundles.errors import BundleRefused
from studies.shared.errors import ImportFailed

BROKEN = (KeyError, TypeError, ValueError, AttributeError, ValidationError, OverflowError, ImportFailed)


class BundleFiles:
    """The files of a bundle, read record by record."""

    def __init__(self, files: Mapping[str, bytes]) -> None:
        self._files = files

    def get(self, name: str) -> bytes:
        if name not in self._files:
            raise BundleRefused(f"the bundle has no {name}")
        return self._files[name]

    def read_json(self, name: str) -> Any:
        """Return the value of a JSON file."""
        with blame(name):
            return json.loads(self.get(name), parse_constant=_refuse_constant)

    def read_lines(self, name: str, build: Callable[[Any], Any]) -> Iterator[Any]:
        """Yield what is built of each line; whatever is wrong with one is said with its number."""
        # Split at newlines only: a caption may hold characters that `splitlines` takes for the end of a line.
        for number, line in enumerate(self.get(name).split(b"\n")[:-1], start=1):
            with blame(f"{name}, line {number}"):
                yield build(json.loads(line, parse_constant=_refuse_constant))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


@contextmanager
def blame(where: str) -> Iterator[None]:
    """Say of what breaks inside where in the bundle it stands."""
    try:
        yield
    except KeyError as error:
        raise BundleRefused(f"{where}: lacks or names something unknown: {error}") from error
    except BROKEN as error:
        raise BundleRefused(f"{where}: is not what a bundle holds: {error}") from error
    except DatabaseError as error:
        raise BundleRefused(f"{where}: the database refuses it: {error}") from error
