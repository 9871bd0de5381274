"""The metrics that a run of a study can be started with, and those that lack something."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from metrics_plugins.api import FitsOn, MetricInfo, Resource
from metrics_plugins.api.resources import find_missing, list_installs
from metrics_plugins.runtime.sandbox import Catalog, CatalogEntry
from studies.design.preregistration.deviations import load_plan
from studies.models import Study, StudyMetric
from studies.scoring.metric_choices import list_choices
from studies.scoring.plugins.installed import name_family
from studies.scoring.requested_runs.requests import list_scorable

RECOMMENDED: Final = frozenset(
    {
        *("bleu-4", "rouge-l", "meteor", "cider-d", "spice", "length"),
        *("sentence-cosine", "clip-score", "ref-clip-score"),
        *("div-2", "mbleu-4", "self-cider", "set-cider"),
    }
)
"""The bundled metrics that papers report most, the one that is only a length, and those with a pretrained encoder."""


@dataclass(frozen=True, slots=True)
class MetricOption:
    """A metric that can score a study.

    Attributes:
        entry: The metric.
        choice: The settings of the study for it, if there are any.
        missing: What it needs with these parameters and what is not installed.
        is_recommended: Whether a run has it by default, if it is offered.
    """

    entry: CatalogEntry
    choice: StudyMetric | None
    missing: tuple[Resource, ...]
    is_recommended: bool = False

    @property
    def info(self) -> MetricInfo:
        return self.entry.info

    @property
    def family(self) -> str:
        return name_family(self.entry)

    @property
    def is_enabled(self) -> bool:
        return self.choice is None or self.choice.is_enabled

    @property
    def is_fitted(self) -> bool:
        """Whether it needs no captions to be fitted on first: judgments are available, captions are not."""
        return self.info.fits_on is not FitsOn.CAPTIONS or bool(self.choice and self.choice.params)

    @property
    def is_offered(self) -> bool:
        """Whether a run can be started with it."""
        return self.is_enabled and self.is_fitted and not self.missing

    @property
    def lacks(self) -> str:
        """What is missing, as text."""
        return ", ".join(map(str, self.missing))

    @property
    def install(self) -> tuple[str, ...]:
        """The commands that install what is missing."""
        return list_installs(self.missing)


def list_options(study: Study, catalog: Catalog) -> tuple[MetricOption, ...]:
    """Return the metrics that can score a study, in order of id."""
    choices, planned = list_choices(study), find_planned(study)
    return tuple(make_option(entry, choices.get(entry.info.id), planned) for entry in list_scorable(study, catalog))


def make_option(entry: CatalogEntry, choice: StudyMetric | None, planned: frozenset[str] | None = None) -> MetricOption:
    """Return a metric with the settings of a study, after looking for what it needs.

    Recommended are the preregistered metrics; without a preregistration those of `RECOMMENDED` and all that do not come
    with Accordance, except metrics that are fitted on judgments.
    """
    info = entry.info
    usual = (info.id in RECOMMENDED or not entry.bundled) and info.fits_on is not FitsOn.JUDGMENTS
    return MetricOption(
        entry,
        choice,
        missing=find_missing(info.resources, params=choice.params if choice else ()),
        is_recommended=usual if planned is None else info.id in planned,
    )


def find_planned(study: Study) -> frozenset[str] | None:
    """Return the metrics of the preregistered plan; None without a preregistration."""
    plan = load_plan(study)
    return None if plan is None else frozenset(plan["metrics"])


def install_all(options: Iterable[MetricOption]) -> tuple[str, ...]:
    """Return the commands that install everything that is missing."""
    return list_installs({each for option in options for each in option.missing})
