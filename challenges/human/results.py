"""The columns of human studies as pages show them: computed once, and again when judgments or exclusions change."""

from datetime import datetime
from typing import Final

from django.db.models import Count, Max

from challenges.human.columns import HumanColumn, load_human_column
from challenges.models import HumanStudy
from jobs.running_job import JobHandle
from studies.analysis.cached_results import CachedValue, StudyInputs, ValueRequest, find_cached, register_value
from studies.analysis.fingerprint import stamp_program
from studies.models import Exclusion, Study


def find_human_column(human: HumanStudy, *, now: datetime, wait: bool = False) -> CachedValue[HumanColumn]:
    """Return the newest column of a human study, which a job computes if there are many judgments.

    Args:
        human: The human study.
        wait: Whether to compute in this process, however long it takes.
    """
    return find_cached(HUMAN_RESULTS, _request(human, now=now), now=now, wait=wait)


def _request(human: HumanStudy, *, now: datetime) -> ValueRequest[HumanColumn]:
    # Of what else results of a study depend on, only exclusions change after it was made.
    excluded = Exclusion.objects.filter(rater__study=human.study_id).aggregate(
        all=Count("pk"), last=Max("pk"), lifted=Count("lifted_at")
    )
    stamp = "-".join(str(each or 0) for each in excluded.values())
    return ValueRequest(
        name=f"human:{human.pk}:{stamp}:{stamp_program()[:16]}",
        inputs=StudyInputs(human.study),
        make=lambda: load_human_column(human, now=now),
        payload={"study": human.study_id},
    )


def _read_request(handle: JobHandle, study: Study) -> ValueRequest[HumanColumn] | None:
    human = HumanStudy.objects.select_related("study").filter(study=study).first()
    return _request(human, now=handle.now()) if human else None


HUMAN_RESULTS: Final = register_value("human-results", title="Computing the results of people", request=_read_request)
