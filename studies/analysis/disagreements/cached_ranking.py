"""The cached ranking for pages; computed by a job if the study is large."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from jobs.running_job import JobHandle
from studies.analysis.cached_results import CachedValue, ValueRequest, find_cached, register_value
from studies.analysis.disagreements.ranking import Comparison, Ranking, rank_items
from studies.analysis.explorer.cached_overview import Asked, ask_for
from studies.analysis.explorer.loaded_study import NothingToExplore, open_study
from studies.analysis.fingerprint import hash_facts
from studies.models import Study
from studies.shared.problems import read_problem


@dataclass(frozen=True, slots=True)
class Ranked:
    """A ranking, or the reason why there is none."""

    ranking: Ranking | None = None
    problem: str = ""


def find_ranking(
    asked: Asked, comparison: Comparison, *, now: datetime, wait: bool = False, is_poll: bool = False
) -> CachedValue[Ranked]:
    """Return the newest available ranking; `wait` and `is_poll` as for `find_cached`."""
    return find_cached(RANKING, _make_request(asked, comparison), now=now, wait=wait, is_poll=is_poll)


def _make_request(asked: Asked, comparison: Comparison) -> ValueRequest[Ranked]:
    name = f"ranking:{hash_facts(asked.study.pk, asked.inputs.setting, asked.base.signature, comparison)}"
    payload = {"study": asked.study.pk, "comparison": asdict(comparison)}
    return ValueRequest(name, asked.inputs, make=lambda: _rank(asked, comparison), payload=payload)


def _read_request(handle: JobHandle, study: Study) -> ValueRequest[Ranked]:
    asked, comparison = ask_for(study), handle.payload["comparison"]
    lists = {name: tuple(comparison[name]) for name in ("systems", "categories")}
    return _make_request(asked, Comparison(**{**comparison, **lists}))


RANKING: Final = register_value("ranking", title="Finding disagreements", request=_read_request)


def _rank(asked: Asked, comparison: Comparison) -> Ranked:
    try:
        return Ranked(rank_items(open_study(asked.study), comparison))
    except NothingToExplore as error:
        return Ranked(problem=read_problem(error))
