"""The sets of metrics that can be installed, with what they add to a disk and under which licences."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from metrics_plugins.api import MetricInfo
from metrics_plugins.api.resources import Resource


@dataclass(frozen=True, slots=True)
class MetricSet:
    """Metrics that need the same packages.

    Attributes:
        name: What the command calls it.
        extras: The extras of Accordance with its packages; its metrics need the last one, and no others than these.
        megabytes: What all its packages take when they are installed, on Linux with x86-64, rounded up.
        licences: Those of the largest packages, as their metadata or their files say.
        needs_folder: Whether it also needs a folder with weights, which no package has.
    """

    name: str
    extras: tuple[str, ...]
    megabytes: int
    licences: str
    needs_folder: bool = False

    def list_metrics(self, infos: Iterable[MetricInfo]) -> tuple[str, ...]:
        """Return the ids of the metrics that need this set and nothing else that is installed."""
        return tuple(info.id for info in infos if self._has(info))

    def _has(self, info: MetricInfo) -> bool:
        needed = [each for each in info.resources if isinstance(each, Resource)]
        extras = {extra for each in needed for extra in each.extras}
        fits = self.extras[-1] in extras and extras <= set(self.extras)
        return fits and any(each.variable for each in needed) == self.needs_folder


SETS: Final = (
    MetricSet(
        "meteor",
        ("meteor",),
        110,
        "pycocoevalcap: none in its metadata; it has the data of METEOR 1.5 and WordNet (WordNet licence), captions of "
        "COCO, and classes of SPICE (AGPL-3.0), which Accordance does not run",
    ),
    MetricSet("spice", ("meteor", "parsing"), 350, "as meteor; spaCy and its English model: MIT; blis: BSD"),
    MetricSet("wmd", ("transport",), 270, "POT: MIT; GloVe: Apache-2.0 and PDDL-1.0"),
    MetricSet("chair", ("objects",), 20, "NLTK: Apache-2.0"),
    MetricSet(
        "sentence",
        ("critics",),
        1290,
        "PyTorch: BSD-3-Clause and others; transformers: Apache-2.0; MiniLM: MIT; GloVe: Apache-2.0 and PDDL-1.0",
    ),
    MetricSet("clip", ("critics",), 1290, "as sentence; the weights: those of the folder", needs_folder=True),
)
"""In the order in which they are listed; `sentence` and `clip` share their packages."""


def find_set(name: str) -> MetricSet | None:
    """Return a set by its name; None if there is none."""
    return next((each for each in SETS if each.name == name), None)
