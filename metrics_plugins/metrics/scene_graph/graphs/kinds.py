"""The kinds of tuples that SPICE can score separately, and the words for colours, numbers and sizes."""

import re
import zipfile
from collections.abc import Mapping
from enum import IntEnum
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.resources import install_extras

_JAR: Final = Path("spice") / "spice-1.0.jar"
_LISTS_FILE: Final = "edu/anu/spice/TupleFilter.java"


class TupleKind(IntEnum):
    """A kind of tuple; the last three are kinds of attributes."""

    ALL = 0
    OBJECT = 1
    ATTRIBUTE = 2
    RELATION = 3
    COLOR = 4
    CARDINALITY = 5
    SIZE = 6


_LIST_NAMES: Final = {
    TupleKind.COLOR: "commonColors",
    TupleKind.CARDINALITY: "smallNumbers",
    TupleKind.SIZE: "sizeAdjectives",
}


@cache
def load_attribute_kinds() -> Mapping[str, TupleKind]:
    """Return the kind of each word that is more than a plain attribute: 18 colours, "one" to "ten", and sizes.

    The lists of the program SPICE 1.0 are read from an installed pycocoevalcap.

    Raises:
        MissingResource: pycocoevalcap is not installed, or its file is missing or has no such lists.
    """
    spec = find_spec("pycocoevalcap")
    jars = [Path(place) / _JAR for place in (spec.submodule_search_locations or ())] if spec else []
    for jar in jars:
        if jar.is_file():
            with zipfile.ZipFile(jar) as archive:
                text = archive.read(_LISTS_FILE).decode()
            return {word: kind for kind, name in _LIST_NAMES.items() for word in _read_list(text, name, jar=jar)}
    found = f"{jars[0]} is not there" if jars else "pycocoevalcap is not installed"
    raise MissingResource(
        "the metrics of the family 'spice' read their lists of colours, numbers and sizes from pycocoevalcap, "
        f"but {found}: {install_extras('meteor', 'parsing')}"
    )


def _read_list(text: str, name: str, *, jar: Path) -> list[str]:
    found = re.search(rf"\b{name}\b[^;]*?asList\((.*?)\)", text, flags=re.DOTALL)
    if not found:
        raise MissingResource(f"{jar} must hold the list {name} in {_LISTS_FILE}, but it does not")
    return re.findall(r'"([^"]+)"', found[1])
