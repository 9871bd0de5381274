"""The ranking that a page shows, as it was made last: of a large study a worker makes it."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from jobs.handle import JobHandle
from jobs.registry import register
from studies.analysis.awaiting import Known, Wanted, find_known, make_kind, make_known
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
    return find_known(RANKING, _want(asked, comparison), now=now, wait=wait, is_poll=is_poll)


def _want(asked: Asked, comparison: Comparison) -> Wanted[Ranked]:
    name = f"ranking:{hash_facts(asked.study.pk, asked.moment.setting, asked.base.signature, comparison)}"
    payload = {"study": asked.study.pk, "comparison": asdict(comparison)}
    return Wanted(name, asked.moment, make=lambda: _rank(asked, comparison), payload=payload)


def _work(handle: JobHandle, study: Study) -> None:
    asked, comparison = ask_for(study), handle.payload["comparison"]
    lists = {name: tuple(comparison[name]) for name in ("systems", "categories")}
    make_known(_want(asked, Comparison(**{**comparison, **lists})), now=handle.now())


RANKING: Final = register(make_kind("ranking", title="Looking for disagreements", work=_work))


def _rank(asked: Asked, comparison: Comparison) -> Ranked:
    try:
        return Ranked(rank_items(open_study(asked.study), comparison))
    except NothingToExplore as error:
        return Ranked(problem=str(error))
