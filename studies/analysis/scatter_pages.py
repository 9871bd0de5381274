"""The scatter of a study's overview: its pictures and the table behind them, of a large study made by a worker."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from jobs.handle import JobHandle
from jobs.registry import register
from studies.analysis.awaiting import Known, Moment, Wanted, find_known, make_kind, make_known
from studies.analysis.exploring.opening import hash_facts
from studies.analysis.exploring.tables import PlainTable, tabulate_scatter
from studies.analysis.figures import SIZES, draw_scatter
from studies.analysis.scatter import load_scatter
from studies.models import Study


@dataclass(frozen=True, slots=True)
class ShownScatter:
    """The specification of the picture in every size, and the table that says the same."""

    pictures: Mapping[str, dict[str, Any]]
    table: PlainTable


def find_scatter(
    study: Study,
    *,
    metric: str,
    now: datetime,
    wait: bool = False,
    is_poll: bool = False,
    moment: Moment | None = None,
) -> Known[ShownScatter]:
    """Return the scatter of a metric under the study's protocol as it was last; the rest is as `find_results` has it.

    Raises:
        NoScatter: A small study has none of this metric.
    """
    return find_known(SCATTER, _want(study, metric, moment or Moment(study)), now=now, wait=wait, is_poll=is_poll)


def _want(study: Study, metric: str, moment: Moment) -> Wanted[ShownScatter]:
    name = f"scatter:{hash_facts(moment.setting, metric)}"
    payload = {"study": study.pk, "metric": metric}
    return Wanted(name, moment, make=lambda: _show(study, metric), payload=payload)


def _work(handle: JobHandle, study: Study) -> None:
    make_known(_want(study, handle.payload["metric"], Moment(study)), now=handle.now())


SCATTER: Final = register(make_kind("scatter", title="Drawing judgments against scores", work=_work))


def _show(study: Study, metric: str) -> ShownScatter:
    points = load_scatter(study, metric=metric)
    return ShownScatter(
        pictures={size: draw_scatter(points, size=size) for size in SIZES},
        table=tabulate_scatter(points, title=study.name, signature=study.protocol),
    )
