"""The cached scatter plot of a study's overview and its data; computed by a job if the study is large."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from studies.analysis.cached_results import CachedValue, StudyInputs, ValueRequest, find_cached, register_value
from studies.analysis.explorer.tables import PlainTable, tabulate_scatter
from studies.analysis.figures import SIZES, draw_scatter
from studies.analysis.fingerprint import hash_facts
from studies.analysis.scatter.points import load_scatter
from studies.models import Study


@dataclass(frozen=True, slots=True)
class ShownScatter:
    """The specification of the scatter plot in every size, and its data as a table."""

    pictures: Mapping[str, dict[str, Any]]
    table: PlainTable


def find_scatter(
    study: Study,
    *,
    metric: str,
    now: datetime,
    wait: bool = False,
    is_poll: bool = False,
    inputs: StudyInputs | None = None,
) -> CachedValue[ShownScatter]:
    """Return the newest available scatter plot of a metric; arguments as for `find_results`.

    Raises:
        NoScatter: A small study has no points for this metric.
    """
    return find_cached(
        SCATTER, _make_request(study, metric, inputs or StudyInputs(study)), now=now, wait=wait, is_poll=is_poll
    )


def _make_request(study: Study, metric: str, inputs: StudyInputs) -> ValueRequest[ShownScatter]:
    name = f"scatter:{hash_facts(inputs.setting, metric)}"
    payload = {"study": study.pk, "metric": metric}
    return ValueRequest(name, inputs, make=lambda: _show(study, metric), payload=payload)


SCATTER: Final = register_value(
    "scatter",
    title="Drawing judgments against scores",
    request=lambda handle, study: _make_request(study, handle.payload["metric"], StudyInputs(study)),
)


def _show(study: Study, metric: str) -> ShownScatter:
    points = load_scatter(study, metric=metric)
    return ShownScatter(
        pictures={size: draw_scatter(points, size=size) for size in SIZES},
        table=tabulate_scatter(points, title=study.name, signature=study.protocol),
    )
