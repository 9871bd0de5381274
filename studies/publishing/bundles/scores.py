"""The scores of a report: rows by key, and values as bit-exact arrays."""

import io
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Level
from studies.analysis.correlations import StudyObservations
from studies.datasets.external_scores import PREFIX, REFERENCES
from studies.design.protocols import find_level
from studies.models import Candidate, CaptionSet, Run, ScoringInput
from studies.publishing.bundles.archive import print_json, print_line
from studies.publishing.bundles.errors import BundleRefused
from studies.publishing.bundles.rows import print_time
from studies.scoring.chunks import unpack_scores
from studies.scoring.references import expand_rule

FOLDER: Final = "scores"
INPUTS: Final = f"{FOLDER}/inputs.json"
_RUN_FIELDS: Final = (
    "metric",
    "signature",
    "input_digest",
    "higher_is_better",
    "plugin",
    "versions",
    "device",
    "dtype",
    "seconds",
)


def list_score_files(gathered: StudyObservations) -> dict[str, bytes]:
    """Return the score files of a report: an index, the row keys, and an array for each run."""
    level = find_level(gathered.study)
    files: dict[str, bytes] = {}
    inputs = []
    signatures = sorted(each.run.signature for each in gathered.metrics)
    for number, kept in enumerate(_list_inputs(gathered, level), start=1):
        rows = f"{FOLDER}/{number:02d}-rows.jsonl"
        row_ids = np.frombuffer(kept.row_ids, dtype="<i8")
        files[rows] = "".join(print_line(key) for key in _name_rows(row_ids, level)).encode()
        finished = Run.objects.filter(input_digest=kept.digest, signature__in=signatures, finished_at__isnull=False)
        runs = []
        for place, run in enumerate(finished.order_by("signature"), start=1):
            values = f"{FOLDER}/{number:02d}-{place:03d}.npy"
            files[values] = pack_array(unpack_scores(run))
            runs.append({**_describe_run(run), "values": values})
        inputs.append(
            {
                "level": level.value,
                "references": kept.references,
                "digest": kept.digest,
                "n_rows": kept.n_rows,
                "rows": rows,
                "runs": runs,
            }
        )
    files[INPUTS] = print_json(inputs)
    return files


def pack_array(values: npt.NDArray[np.float64]) -> bytes:
    """Return a column as a NumPy file of little-endian float64."""
    file = io.BytesIO()
    np.save(file, np.ascontiguousarray(values, dtype="<f8"), allow_pickle=False)
    return file.getvalue()


def unpack_array(content: bytes, *, name: str, n_rows: int) -> npt.NDArray[np.float64]:
    """Return the column of a NumPy file; raise BundleRefused unless it has `n_rows` float64 values."""
    try:
        values = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        raise BundleRefused(f"{name} is not a NumPy file: {error}") from error
    if not isinstance(values, np.ndarray) or values.shape != (n_rows,) or values.dtype != np.dtype("<f8"):
        found = f"{values.dtype} {values.shape}" if isinstance(values, np.ndarray) else type(values).__name__
        raise BundleRefused(f"{name} must hold {n_rows} float64, got {found}")
    return values


def _list_inputs(gathered: StudyObservations, level: Level) -> list[ScoringInput]:
    """Return the newest input of each selection that has one, and those of the scores from outside."""
    inputs = ScoringInput.objects.filter(dataset=gathered.study.dataset_id, level=level.value).order_by("pk")
    selections = expand_rule(gathered.protocol.references, dataset=gathered.study.dataset)
    newest = [inputs.filter(references=str(each)).order_by("-created_at", "-pk").first() for each in selections]
    used = [each.run.input_digest for each in gathered.metrics if each.metric.startswith(PREFIX)]
    return [each for each in newest if each] + list(inputs.filter(references=REFERENCES, digest__in=used))


def _name_rows(row_ids: npt.NDArray[np.int64], level: Level) -> list[Any]:
    """Return the key of each row: that of a candidate, or image and system of a caption set."""
    names: dict[int, Any]
    if level is Level.SEGMENT:
        rows = Candidate.objects.filter(pk__gte=row_ids.min(initial=0), pk__lte=row_ids.max(initial=0))
        names = dict(rows.values_list("pk", "key").iterator())
    else:
        sets = CaptionSet.objects.filter(pk__gte=row_ids.min(initial=0), pk__lte=row_ids.max(initial=0))
        names = {pk: [image, system] for pk, image, system in sets.values_list("pk", "image__key", "system__name")}
    return [names.get(pk) for pk in row_ids.tolist()]


def _describe_run(run: Run) -> dict[str, Any]:
    return {
        **{field: getattr(run, field) for field in _RUN_FIELDS},
        "started_at": print_time(run.started_at),
        "finished_at": run.finished_at and print_time(run.finished_at),
    }
