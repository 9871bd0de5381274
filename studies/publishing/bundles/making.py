"""Makes the bundle of a frozen report, provided that its judgments and scores are unchanged."""

import platform
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from correlation.errors import CorrelationInputError
from correlation.reports import Report
from metrics_plugins.runtime.installed import read_versions
from studies.analysis.correlations import StudyObservations, gather_observations
from studies.models import FrozenReport, Study
from studies.publishing.bundles.archive import print_json, print_line, write_archive
from studies.publishing.bundles.digest import digest_observations
from studies.publishing.bundles.errors import BundleRefused
from studies.publishing.bundles.rows import LISTS, describe_study, print_time
from studies.publishing.bundles.scores import list_score_files
from studies.publishing.bundles.tables import print_tables, read_signatures
from studies.publishing.freezing import load_report
from studies.publishing.methods.heds import write_heds
from studies.publishing.methods.text import write_methods
from studies.publishing.report_systems import list_systems_files
from studies.scoring.errors import MissingScores

LIBRARIES: Final = ("numpy", "scipy", "pandas", "django")
_README: Final = """\
A bundle of Accordance: a frozen report with the design, items, judgments and scores that it was made from.

    python manage.py rebuild FILE

rebuilds every table of metrics in `report/` and compares it byte for byte. `manifest.json` lists the files with their
SHA-256. Lines of `*.jsonl` are JSON objects in the order in which they count; `scores/inputs.json` says which array
in `scores/` belongs to which metric, and what computed it. Raters have pseudonyms; nothing here identifies a person.
"""


def make_bundle(study: Study, number: int, *, path: Path) -> str:
    """Write the bundle of a frozen report; return the SHA-256 of its manifest.

    Raises:
        UnknownReport: There is no report with this number.
        BundleRefused: The judgments or scores have changed since the report, or the file cannot be written.
    """
    frozen, report = load_report(study, number)
    gathered = gather_frozen(frozen, report)
    files = {
        "README.txt": _README.encode(),
        "study.json": print_json(describe_study(study)),
        "environment.json": print_json(describe_environment()),
        "facts.json": print_json(frozen.facts),
        **{name: "".join(map(print_line, rows(study))).encode() for name, rows in LISTS.items()},
        **list_score_files(gathered),
        **print_tables(report),
        **list_systems_files(frozen.facts),
        "report/methods.txt": write_methods(frozen.facts, report).to_text().encode(),
        "report/methods.tex": write_methods(frozen.facts, report).to_latex().encode(),
        "report/heds.json": print_json(write_heds(frozen.facts, report)),
    }
    about = {
        "study": study.name,
        "report": number,
        "report_sha256": frozen.digest,
        "data_sha256": frozen.data_digest,
        "frozen_at": print_time(frozen.made_at),
        "stale": frozen.stale_reason,
    }
    return write_archive(files, about=about, path=path)


def gather_frozen(frozen: FrozenReport, report: Report) -> StudyObservations:
    """Return the data of a frozen report.

    Raises:
        BundleRefused: The data no longer exist.
    """
    study = frozen.study
    where = f"study {study.name}: the judgments or scores have changed since report {frozen.number}"
    if not frozen.data_digest:
        raise BundleRefused(f"study {study.name}: report {frozen.number} does not identify its data; freeze it again")
    try:
        gathered = gather_observations(study, protocol=report.protocol, signatures=read_signatures(report))
    except (CorrelationInputError, MissingScores) as error:
        raise BundleRefused(f"{where}: {error}") from error
    if digest_observations(gathered) != frozen.data_digest:
        because = f" ({frozen.stale_reason})" if frozen.stale_reason else ""
        raise BundleRefused(f"{where}{because}; freeze a new report and make a bundle of that")
    return gathered


def describe_environment() -> dict[str, Any]:
    """Return the versions of the software that results may depend on."""
    return {
        "accordance": version("accordance"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        **read_versions(LIBRARIES),
    }
