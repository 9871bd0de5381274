"""What the conformance kit finds in an installed metric; tried in the background, kept as long as its sources stay."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import IntegrityError, transaction

from metrics_plugins.api import MetricError
from metrics_plugins.runtime.sandbox import CatalogEntry, ChildFailed, ChildStopped, GuardedProcess, PluginChoice, Reply
from studies.enums import RequestState
from studies.models import ConformanceReport
from studies.scoring.plugin_catalog import digest_sources, get_folder, get_limits, load_catalog
from studies.scoring.requests.jobs import check_conformance
from studies.scoring.requests.leasing import Lease, explain_losses, take_lease

_MOST_ENDS: Final = 3
"""After so many checks that ended the process the others are not tried."""
_UNDER_WAY: Final = (RequestState.QUEUED, RequestState.RUNNING)


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the contract, and what is wrong with a metric that breaks it ("" if it does not)."""

    check: str
    clause: str
    message: str

    @property
    def passed(self) -> bool:
        return not self.message


@dataclass(frozen=True, slots=True)
class Conformance:
    """How a metric keeps the contract."""

    report: ConformanceReport
    clauses: tuple[Clause, ...]

    @property
    def n_passed(self) -> int:
        return sum(clause.passed for clause in self.clauses)

    @property
    def is_under_way(self) -> bool:
        return self.report.state in _UNDER_WAY


def find_conformance(entry: CatalogEntry) -> Conformance | None:
    """Return what is known of a metric in the state in which it is installed; None before it was ever checked."""
    report = ConformanceReport.objects.filter(
        metric=entry.info.id, version=entry.info.version, digest=digest_sources(entry)
    ).first()
    return Conformance(report, tuple(Clause(*each) for each in report.results)) if report else None


def request_check(entry: CatalogEntry, *, now: datetime) -> ConformanceReport:
    """Have a metric checked (again); nothing happens while it is being checked."""
    key = {"metric": entry.info.id, "version": entry.info.version, "digest": digest_sources(entry)}
    try:
        with transaction.atomic():
            report, is_new = ConformanceReport.objects.get_or_create(**key, defaults={"requested_at": now})
            again = ConformanceReport.objects.filter(pk=report.pk).exclude(state__in=_UNDER_WAY)
            if is_new or again.update(state=RequestState.QUEUED, requested_at=now, message=""):
                check_conformance.enqueue(report.pk)
    except IntegrityError:
        report = ConformanceReport.objects.get(**key)
    return report


def work_on_report(pk: int, *, now: Callable[[], datetime]) -> None:
    """Try all checks of a metric; return at once if there is nothing to do."""
    lease = take_lease(ConformanceReport, pk, now=now)
    if lease is None:
        return
    try:
        if losses := explain_losses(lease.row.n_lost):
            raise MetricError(f"no check could be tried: {losses}")
        entry = load_catalog().get(lease.row.metric)
        signature, results = _Checking(entry, lease).run()
    except ChildStopped:
        return
    except MetricError as error:
        lease.update(state=RequestState.FAILED, message=str(error), finished_at=now())
        return
    # Under the digest of what was tried: the plugin may have been changed since it was asked for.
    if digest_sources(entry) != lease.row.digest or entry.info.version != lease.row.version:
        lease.update(state=RequestState.FAILED, message="the plugin was changed in the meantime", finished_at=now())
        return
    lease.update(state=RequestState.FINISHED, results=results, signature=signature, finished_at=now())


class _Checking:
    """The checks of one metric, in a process that is started anew when a check ended it."""

    def __init__(self, entry: CatalogEntry, lease: Lease) -> None:
        self.entry = entry
        self.lease = lease
        self.n_ends = 0
        self.process: GuardedProcess | None = None

    def run(self) -> tuple[str, list[list[str]]]:
        try:
            try:
                checks = self._ask("list-checks").fields["checks"]
                signature = self._build()
            except ChildFailed as error:
                raise MetricError(f"no check could be tried: {error}") from error
            return signature, [[name, clause, self._check(name)] for name, clause in checks]
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
            return "not tried: too many checks before it ended its process"
        try:
            reply = self._ask("check", name=name)
        except ChildFailed as error:
            self.n_ends += 1
            return f"expected the check to be done; {error}"
        return reply.error or str(reply.fields.get("message", ""))

    def _ask(self, question: str, **fields: str) -> Reply:
        if self.process is None:
            self.process = GuardedProcess(get_limits())
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
            return process.ask(question, stop=self.lease.stop, **fields)
        except ChildFailed:
            self.process = None
            raise
