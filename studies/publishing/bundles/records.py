"""Reading of records from the files of a bundle, with locations for error messages."""

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
        """Yield the object built from each line; errors name the line number."""
        # Split at newlines only: captions may contain other characters that `splitlines` treats as line ends.
        for number, line in enumerate(self.get(name).split(b"\n")[:-1], start=1):
            with blame(f"{name}, line {number}"):
                yield build(json.loads(line, parse_constant=_refuse_constant))


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is not a JSON number")


@contextmanager
def blame(where: str) -> Iterator[None]:
    """Add the location in the bundle to errors raised inside."""
    try:
        yield
    except KeyError as error:
        raise BundleRefused(f"{where}: has missing or unknown fields: {error}") from error
    except BROKEN as error:
        raise BundleRefused(f"{where}: is not valid in a bundle: {error}") from error
    except DatabaseError as error:
        raise BundleRefused(f"{where}: was rejected by the database: {error}") from error
