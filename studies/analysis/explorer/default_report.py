"""The report that a study's pages open with: its own protocol, with the default intervals, tests and human ceilings.

A run of metrics has it computed as its last step; a page requests it if it is not there. The explorer without any
choice shows the same report.
"""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from correlation.errors import CorrelationInputError
from correlation.reports import Report
from jobs.errors import WorkFailed
from jobs.registry import register
from jobs.running_job import JobHandle
from studies.analysis.cached_results import (
    CachedValue,
    StudyInputs,
    ValueRequest,
    find_cached,
    make_kind,
    refresh_cached,
)
from studies.analysis.correlations import sign_interval
from studies.analysis.explorer.choice import Choice, find_base
from studies.analysis.explorer.loaded_study import Facets, NothingToExplore, OpenedStudy, open_study
from studies.analysis.explorer.report import explore_whole, find_whole
from studies.analysis.fingerprint import hash_facts
from studies.analysis.reports import Watcher
from studies.analysis.results import StudyResults, find_results
from studies.models import Study
from studies.shared.reports import DEFAULT_REPORT as NAME
from studies.shared.reports import make_payload


@dataclass(frozen=True, slots=True)
class ShownAgreement:
    """The agreement of metrics with people, as far as it is computed.

    Attributes:
        results: The values without intervals.
        whole: The default report, with intervals, tests and human ceilings.
    """

    results: StudyResults
    whole: CachedValue[Report]

    @property
    def report(self) -> Report | None:
        """The report to show: the default one if there is one, otherwise that without intervals."""
        return self.whole.made or (self.results.found.report if self.results.found else None)


def find_agreement(
    study: Study, inputs: StudyInputs, *, now: datetime, wait: bool = False, is_poll: bool = False
) -> ShownAgreement:
    """Return the newest available agreement under the study's own protocol; arguments as for `find_results`."""
    results = find_results(study, now=now, wait=wait, is_poll=is_poll, inputs=inputs)
    if results.table is None:
        return ShownAgreement(results, CachedValue(None))
    return ShownAgreement(results, find_default_report(study, inputs, now=now, wait=wait))


def find_default_report(study: Study, inputs: StudyInputs, *, now: datetime, wait: bool = False) -> CachedValue[Report]:
    """Return the newest default report available, and have a newer one computed by a job if it is out of date.

    If raters are working on the study, the last report is shown with its date for a multiple of its computing time.
    Reports whose computation has just failed for the same judgments are not requested again.

    Args:
        study: The study, which has scores for its own protocol.
        inputs: Its current state.
        wait: Whether to compute the report here.
    """
    found = _find_explored(study, inputs.results)
    if found is not None:
        return CachedValue(found)
    try:
        return find_cached(KIND, make_request(study, inputs), now=now, wait=wait)
    except (NothingToExplore, CorrelationInputError):
        return CachedValue(None, has_failed=True)


def make_request(study: Study, inputs: StudyInputs, *, watch: Watcher | None = None) -> ValueRequest[Report]:
    """Return the request of the default report."""
    return ValueRequest(
        f"{NAME}:{hash_facts(study.pk, inputs.setting)}",
        inputs,
        make=lambda: explore_whole(open_study(study), Choice(), watch=watch).report,
        payload=make_payload(study),
        is_quick=False,
    )


def add_intervals(results: StudyResults, study: Study) -> StudyResults:
    """Return current results with the intervals of the default report if they are computed, otherwise unchanged."""
    report = _find_explored(study, StudyInputs(study).results) if results.found else None
    if results.found is None or report is None:
        return results
    signed = sign_interval(report.design.interval, seed=report.design.seed)
    signatures = {metric: f"{signature}{signed}" for metric, signature in results.found.signatures.items()}
    bounded = {(row.metric, row.measure): row for row in report.rows}
    rows = tuple(bounded.get((row.metric, row.measure), row) for row in results.found.rows)
    return replace(results, found=replace(results.found, rows=rows, signatures=signatures, report=report))


def _find_explored(study: Study, fingerprint: str) -> Report | None:
    """Return the report of the explorer without any choice, if it is cached for the current state of the study."""
    try:
        found = find_whole(OpenedStudy(study, study, find_base(study, ""), fingerprint, Facets()), Choice())
    except CorrelationInputError:
        return None
    return found.report if found else None


def _work(handle: JobHandle, study: Study) -> None:
    def watch(what: str, n_done: int, n_steps: int) -> None:
        handle.report(f"Computing: {what}.", n_done=n_done, n_total=n_steps)

    try:
        newest: Study | None = study
        setting = ""
        # A run that ends meanwhile requests this job, which is under way already: so it computes the report again.
        while newest is not None and (inputs := StudyInputs(newest)).setting != setting:
            setting = inputs.setting
            refresh_cached(make_request(newest, inputs, watch=watch), now=handle.now())
            newest = Study.objects.select_related("dataset").filter(pk=study.pk).first()
    except (NothingToExplore, CorrelationInputError) as error:
        raise WorkFailed(str(error)) from error


KIND: Final = register(make_kind(NAME, title="Computing the default intervals", work=_work, lane="explorer"))
