"""The scatter of a study's overview: its pictures and the table behind them, of a large study made by a worker."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django_tasks import task

from studies.analysis.awaiting import Known, Moment, find_known, make_known
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
    moment = moment or Moment(study)
    return find_known(
        _name(moment, metric),
        moment=moment,
        now=now,
        make=lambda: _show(study, metric),
        ask=lambda: make_scatter.enqueue(study_pk=study.pk, metric=metric),
        wait=wait,
        is_poll=is_poll,
    )


@task()
def make_scatter(study_pk: int, metric: str) -> None:
    """Make the scatter in a worker process, for the overview."""
    study = Study.objects.select_related("dataset").filter(pk=study_pk).first()
    if study is not None:
        moment = Moment(study)
        make_known(_name(moment, metric), moment=moment, now=timezone.now(), make=lambda: _show(study, metric))


def _name(moment: Moment, metric: str) -> str:
    return f"live-scatter:{moment.setting}:{metric}"


def _show(study: Study, metric: str) -> ShownScatter:
    points = load_scatter(study, metric=metric)
    return ShownScatter(
        pictures={size: draw_scatter(points, size=size) for size in SIZES},
        table=tabulate_scatter(points, title=study.name, signature=study.protocol),
    )
