"""Rebuilds a bundle: imports its content, computes its report again, and compares its tables byte for byte."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import validate_slug
from django.db import transaction

from correlation.errors import CorrelationInputError
from correlation.reports import Report
from correlation.reports.json_form import read_report
from studies.access.audit import Actor, record_change
from studies.analysis.correlations import StudyObservations, gather_observations
from studies.analysis.reports import Watcher, report_observations
from studies.enums import AuditAction, Interface
from studies.publishing.bundles.archive import read_archive
from studies.publishing.bundles.digest import digest_observations
from studies.publishing.bundles.errors import BundleRefused, TablesDiffer
from studies.publishing.bundles.importing import write_study
from studies.publishing.bundles.making import describe_environment
from studies.publishing.bundles.records import BundleFiles
from studies.publishing.bundles.tables import CONTENT, print_tables, read_signatures
from studies.publishing.freezing import freeze_report
from studies.scoring.errors import MissingScores

SCRATCH = "rebuilt-from-a-bundle"


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The result of rebuilding a bundle: the tables, equal to its own, and the environment in which it was made."""

    study: str
    number: int
    tables: Mapping[str, bytes]
    environment: Mapping[str, Any]


def rebuild_bundle(
    path: Path,
    *,
    now: datetime,
    keep: str = "",
    owner: Any | None = None,
    watch: Watcher | None = None,
    processes: int = 1,
) -> Rebuilt:
    """Compute every table of a bundle again from its judgments and scores.

    The content is first imported, read back and rolled back. It is imported permanently only if all tables are equal,
    so that no transaction is held open during the computation and an invalid bundle leaves nothing behind.

    Args:
        path: The bundle.
        keep: The name under which to keep the study and its report; by default nothing is kept.
        owner: The owner of the study that is kept.
        watch: Called with the progress of the computation.
        processes: The number of processes for resampling; the results do not depend on it.

    Raises:
        BundleRefused: The file is not a complete bundle, or the name is taken.
        TablesDiffer: A table differs; the message names the first one.
    """
    _check_name(keep or SCRATCH)
    manifest, contents = read_archive(path)
    files = BundleFiles(contents)
    kept = _read_report(files)
    gathered = _try_out(files, kept, manifest, name=keep or SCRATCH, now=now)
    made = _compute(gathered, kept, watch=watch, processes=processes)
    environment = files.read_json("environment.json")
    tables = _compare(print_tables(made), files, environment)
    if keep:
        with transaction.atomic():
            study = write_study(files, name=keep, now=now, owner=owner)
            details = {"bundle_of": str(manifest.get("study", "")), "report": manifest.get("report", 0)}
            record_change(
                study, actor=Actor(owner, Interface.COMMAND), action=AuditAction.REBUILT, now=now, details=details
            )
            facts = files.read_json("facts.json")
            freeze_report(study, made, now=now, data_digest=manifest["data_sha256"], facts=facts)
    return Rebuilt(
        study=str(manifest.get("study", "")),
        number=int(manifest.get("report", 0)),
        tables=tables,
        environment=environment,
    )


def write_tables(rebuilt: Rebuilt, folder: Path) -> tuple[Path, ...]:
    """Write the tables into a folder, creating it if needed; return their paths."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        written = []
        for name, content in rebuilt.tables.items():
            path = folder / name.rpartition("/")[2]
            path.write_bytes(content)
            written.append(path)
    except OSError as error:
        raise BundleRefused(f"cannot write to {folder}: {error.strerror}") from error
    return tuple(written)


def _check_name(name: str) -> None:
    try:
        validate_slug(name)
    except ValidationError as error:
        rule = "letters, digits, hyphens and underscores only"
        raise BundleRefused(f"the name of a study may have {rule}, got {name!r}") from error


def _read_report(files: BundleFiles) -> Report:
    try:
        return read_report(files.get(CONTENT).decode())
    except (CorrelationInputError, UnicodeDecodeError) as error:
        raise BundleRefused(f"{CONTENT}: {error}") from error


def _try_out(
    files: BundleFiles, kept: Report, manifest: Mapping[str, Any], *, name: str, now: datetime
) -> StudyObservations:
    with transaction.atomic():
        study = write_study(files, name=name, now=now)
        try:
            gathered = gather_observations(study, protocol=kept.protocol, signatures=read_signatures(kept))
        except (CorrelationInputError, MissingScores) as error:
            raise BundleRefused(f"the bundle lacks the data of its report: {error}") from error
        found = digest_observations(gathered)
        transaction.set_rollback(True)
    if found != manifest.get("data_sha256"):
        raise BundleRefused("the judgments or scores in the bundle are not those behind its report")
    return gathered


def _compute(gathered: StudyObservations, kept: Report, *, watch: Watcher | None, processes: int) -> Report:
    try:
        made = report_observations(
            gathered,
            interval=kept.design.interval,
            comparison=kept.design.comparison,
            seed=kept.design.seed,
            watch=watch,
            processes=processes,
        )
    except CorrelationInputError as error:
        raise BundleRefused(f"the report of the bundle cannot be rebuilt: {error}") from error
    # The study may have another name here, which is not part of the result.
    return replace(made, title=kept.title)


def _compare(made: Mapping[str, bytes], files: BundleFiles, environment: Any) -> Mapping[str, bytes]:
    for name, content in made.items():
        wanted = files.get(name)
        if content != wanted:
            raise TablesDiffer(f"{name} differs{_find_difference(wanted, content)}{_compare_versions(environment)}")
    return made


def _find_difference(wanted: bytes, made: bytes) -> str:
    pairs = zip(wanted.split(b"\n"), made.split(b"\n"), strict=False)
    for number, (there, here) in enumerate(pairs, start=1):
        if there != here:
            return f" at line {number}: {there.decode(errors='replace')!r} there, {here.decode()!r} here"
    return " in length"


def _compare_versions(there: Any) -> str:
    here = describe_environment()
    if not isinstance(there, dict):
        return ""
    others = [f"{name} {there.get(name)} there, {here[name]} here" for name in here if there.get(name) != here[name]]
    return f" (the bundle was created with different versions: {'; '.join(others)})" if others else ""
