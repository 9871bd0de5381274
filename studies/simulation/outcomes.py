"""Files with the report and judgments of a simulation, which the process of the copy writes before it ends."""

import json
from dataclasses import asdict, dataclass, is_dataclass
from pathlib import Path
from typing import Any

from studies.models import Judgment, Study
from studies.simulation.report import SimulationReport
from studies.simulation.trials import SimulatedAnswer


@dataclass(frozen=True, slots=True)
class SimulationOutcome:
    """The report as JSON, and all judgments of the simulated raters."""

    report: dict[str, Any]
    answers: tuple[SimulatedAnswer, ...]


def write_json(record: Any, *, indent: int | None = None) -> str:
    """Return a report, or a record with one, as JSON; amounts are strings, so that they stay exact."""
    return json.dumps(asdict(record) if is_dataclass(record) else record, indent=indent, default=str)


def write_outcome(study: Study, report: SimulationReport, path: Path) -> None:
    """Write the report and the judgments in this process's database, which is the copy."""
    columns = ("item_id", "rater__pseudonym", "value", "answer", "elapsed_ms")
    judgments = Judgment.objects.filter(item__task__study=study).order_by("pk").values_list(*columns)
    record = {"report": asdict(report), "judgments": [list(row) for row in judgments]}
    path.write_text(write_json(record), encoding="utf-8")


def read_outcome(path: Path) -> SimulationOutcome:
    record = json.loads(path.read_text(encoding="utf-8"))
    return SimulationOutcome(record["report"], tuple(SimulatedAnswer(*row) for row in record["judgments"]))
