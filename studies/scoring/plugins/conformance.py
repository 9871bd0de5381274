"""Conformance checks of installed metrics, run as background jobs and stored by the digest of their sources."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from jobs.enums import JobState
from jobs.errors import WorkFailed
from jobs.models import Job
from jobs.registry import Kind, register
from jobs.requests import find_job, queue_once
from jobs.running_job import JobHandle
from metrics_plugins.api import MetricError
from metrics_plugins.runtime.failures import ToldOnce
from metrics_plugins.runtime.sandbox import CatalogEntry, ChildFailed, PluginChoice, Reply, SandboxProcess
from studies.enums import RequestState
from studies.models import ConformanceReport
from studies.scoring.plugins.catalog import digest_sources, get_folder, get_limits, load_catalog

MOST_SECONDS: Final = 3600.0
_MOST_ENDS: Final = 3
"""The remaining checks are skipped after this many have ended the process."""
_REQUESTER: Final = "requester"
_STATES: Final = {JobState.QUEUED: RequestState.QUEUED, JobState.RUNNING: RequestState.RUNNING}


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the plugin contract, and how the metric breaks it ("" if it does not)."""

    check: str
    clause: str
    message: str

    @property
    def passed(self) -> bool:
        return not self.message


@dataclass(frozen=True, slots=True)
class Conformance:
    """The result of a metric's last conformance check, and its newest check job."""

    report: ConformanceReport | None
    job: Job | None

    @property
    def clauses(self) -> tuple[Clause, ...]:
        told = ToldOnce()
        results = self.report.results if self.report else ()
        return tuple(Clause(name, clause, told.shorten(message, check=name)) for name, clause, message in results)

    @property
    def signature(self) -> str:
        return self.report.signature if self.report else ""

    @property
    def finished_at(self) -> datetime | None:
        return self.report.finished_at if self.report else None

    @property
    def requested_at(self) -> datetime | None:
        return self.job.requested_at if self.job else self.finished_at

    @property
    def n_passed(self) -> int:
        return sum(clause.passed for clause in self.clauses)

    @property
    def is_under_way(self) -> bool:
        return self.job is not None and self.job.is_under_way

    @property
    def message(self) -> str:
        """Why the newest check failed to complete; "" if it did or is still under way."""
        return self.job.problem if self.job and not self.is_under_way else ""

    @property
    def state(self) -> RequestState:
        if self.job is not None and self.is_under_way:
            return _STATES[JobState(self.job.state)]
        return RequestState.FAILED if self.message else RequestState.FINISHED


def find_conformance(entry: CatalogEntry) -> Conformance | None:
    """Return the conformance of a metric in its installed version; None if it has never been checked."""
    checked = _identify(entry)
    report = ConformanceReport.objects.filter(**checked).first()
    job = find_job(CHECK_METRIC, key=_make_key(checked))
    return Conformance(report, job) if report or job else None


def request_check(entry: CatalogEntry, *, now: datetime, by: int | None = None) -> None:
    """Queue a check of a metric, unless one is already under way; the account `by` may cancel it."""
    checked = _identify(entry)
    queue_once(CHECK_METRIC, key=_make_key(checked), payload={**checked, _REQUESTER: by}, now=now)


def _identify(entry: CatalogEntry) -> dict[str, str]:
    return {"metric": entry.info.id, "version": entry.info.version, "digest": digest_sources(entry)}


def _make_key(checked: dict[str, str]) -> str:
    return hashlib.sha256(repr(sorted(checked.items())).encode()).hexdigest()


def _work(handle: JobHandle) -> None:
    checked = {name: value for name, value in handle.payload.items() if name != _REQUESTER}
    try:
        entry = load_catalog().get(checked["metric"])
        signature, results = _Checking(entry, handle).run()
    except MetricError as error:
        raise WorkFailed(str(error)) from error
    # Discard the result if the plugin has changed since the request.
    if _identify(entry) != checked:
        raise WorkFailed("the plugin was changed during the check")
    found = {"results": results, "signature": signature, "finished_at": handle.now()}
    with transaction.atomic():
        ConformanceReport.objects.update_or_create(**checked, defaults=found)
        handle.finish()


def _may_see(user: Any, _: Job) -> bool:
    return bool(user.is_authenticated)


def _may_cancel(user: Any, job: Job) -> bool:
    requester = job.payload.get(_REQUESTER)
    return bool(user.is_staff or (requester is not None and requester == user.pk))


CHECK_METRIC: Final = register(
    Kind(
        name="check-metric",
        title="Checking a metric",
        lane="checks",
        work=_work,
        seconds=MOST_SECONDS,
        may_see=_may_see,
        may_cancel=_may_cancel,
    )
)


class _Checking:
    """Runs the checks of one metric in a child process, which is restarted when a check ends it."""

    def __init__(self, entry: CatalogEntry, handle: JobHandle) -> None:
        self.entry = entry
        self.handle = handle
        self.n_ends = 0
        self.process: SandboxProcess | None = None

    def run(self) -> tuple[str, list[list[str]]]:
        try:
            try:
                checks = self._ask("list-checks").fields["checks"]
                signature = self._build()
            except ChildFailed as error:
                raise MetricError(f"no check could be run: {error}") from error
            results = []
            for number, (name, clause) in enumerate(checks):
                self.handle.report(f"Checking: {name}.", n_done=number, n_total=len(checks))
                results.append([name, clause, self._check(name)])
            return signature, results
        finally:
            if self.process:
                self.process.end()

    def _build(self) -> str:
        try:
            return str(self._ask("prepare").fields.get("signature", ""))[:500]
        except ChildFailed:
            return ""

    def _check(self, name: str) -> str:
        if self.n_ends >= _MOST_ENDS:
            return "not run: too many earlier checks crashed the process"
        try:
            reply = self._ask("check", name=name)
        except ChildFailed as error:
            self.n_ends += 1
            return f"expected the check to complete; {error}"
        return reply.error or str(reply.fields.get("message", ""))

    def _ask(self, question: str, **fields: str) -> Reply:
        if self.process is None:
            self.process = SandboxProcess(get_limits())
            blocked = load_catalog().blocked
            choice = PluginChoice(outside=not self.entry.bundled, blocked=blocked, folder=get_folder())
            loaded = self._ask_running("load", **choice.to_fields())
            if loaded.error:
                raise ChildFailed(loaded.error)
        return self._ask_running(question, metric=self.entry.info.id, **fields)

    def _ask_running(self, question: str, **fields: object) -> Reply:
        process = self.process
        assert process is not None  # noqa: S101 - `_ask` has started it
        try:
            return process.ask(question, stop=_go_on, **fields)
        except ChildFailed:
            self.process = None
            raise


def _go_on() -> bool:
    """Never stop: cancelling the job kills this process and its child."""
    return False
