"""The ranking that a page shows, as it was made last: of a large study a worker makes it."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django_tasks import task

from studies.analysis.awaiting import Known, find_known, make_known
from studies.analysis.disagreeing.ranking import Comparison, Ranking, rank_items
from studies.analysis.exploring.looking import Asked, ask_for
from studies.analysis.exploring.opening import NothingToExplore, hash_facts, open_study
from studies.models import Study


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranking, or why there is none."""

    ranking: Ranking | None = None
    problem: str = ""


def find_ranking(
    asked: Asked, comparison: Comparison, *, now: datetime, wait: bool = False, is_poll: bool = False
) -> Known[Ranked]:
    """Return the items in order, as they were last; `wait` and `is_poll` are those of `find_known`."""
    return find_known(
        _name(asked, comparison),
        moment=asked.moment,
        now=now,
        make=lambda: _rank(asked, comparison),
        ask=lambda: make_ranking.enqueue(study_pk=asked.study.pk, comparison=asdict(comparison)),
        wait=wait,
        is_poll=is_poll,
    )


@task()
def make_ranking(study_pk: int, comparison: dict[str, Any]) -> None:
    """Rank the items of a study in a worker process."""
    study = Study.objects.select_related("dataset").filter(pk=study_pk).first()
    if study is not None:
        asked = ask_for(study)
        lists = {name: tuple(comparison[name]) for name in ("systems", "categories")}
        chosen = Comparison(**{**comparison, **lists})
        name = _name(asked, chosen)
        make_known(name, moment=asked.moment, now=timezone.now(), make=lambda: _rank(asked, chosen))


def _rank(asked: Asked, comparison: Comparison) -> Ranked:
    try:
        return Ranked(rank_items(open_study(asked.study), comparison))
    except NothingToExplore as error:
        return Ranked(problem=str(error))


def _name(asked: Asked, comparison: Comparison) -> str:
    return f"ranking:{hash_facts(asked.study.pk, asked.moment.setting, asked.base.signature, comparison)}"
