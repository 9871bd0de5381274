"""Measures the time and memory of exports of judgments, streamed and as a list of all judgments.

    python -m benchmarks.studies.exports [--judgments 50000] [--formats csv,jsonl,parquet,naive]

Each side runs in a separate process on a new SQLite file. It reports the seconds for the whole file, and the growth of
the process (its peak minus its size before). The naive side reads every judgment as an object, builds a list of
dictionaries and writes it at once.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SIDES = ("csv", "jsonl", "parquet", "naive")
ROOT = Path(__file__).resolve().parents[2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--judgments", type=int, default=50_000)
    parser.add_argument("--formats", default=",".join(SIDES))
    parser.add_argument("--side")
    chosen = parser.parse_args()
    if chosen.side:
        print(json.dumps(run_side(chosen.side)))
        return
    measured = measure(chosen.judgments, chosen.formats.split(","))
    print(f"{chosen.judgments:,} judgments")
    for side, found in measured.items():
        times = f"{found['seconds']:7.2f} s, {found['cpu']:6.2f} s of processor"
        print(f"{side:8} {times} {found['mib']:8.1f} MiB more {found['bytes']:12,d} bytes")


def measure(n_judgments: int, sides: list[str]) -> dict[str, dict[str, float]]:
    """Return seconds, memory and size of each side, all on the same database."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/db.sqlite3", "ACCORDANCE_VAR": folder}
        _call(["--side", f"make:{n_judgments}"], environment)
        return {side: json.loads(_call(["--side", side], environment)) for side in sides}


def _call(arguments: list[str], environment: dict[str, str]) -> str:
    command = [sys.executable, "-m", "benchmarks.studies.exports", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stderr}")
    return done.stdout.splitlines()[-1]


def run_side(side: str) -> dict[str, float]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    if side.startswith("make:"):
        make_judgments(int(side.removeprefix("make:")))
        return {}
    from studies.models import Study

    study = Study.objects.get()
    list(write(study, side, limit=10))
    before, started, worked = _read_peak(), time.perf_counter(), time.process_time()
    n_bytes = sum(len(part) for part in write(study, side))
    seconds, cpu = time.perf_counter() - started, time.process_time() - worked
    return {"seconds": seconds, "cpu": cpu, "mib": (_read_peak() - before) / 1024, "bytes": n_bytes}


def write(study, side: str, *, limit: int | None = None):  # noqa: ANN001, ANN201
    from itertools import islice

    from studies.models import Judgment
    from studies.publishing.exporting.files import FILES
    from studies.publishing.exports import write_judgments

    if side == "csv":
        return islice(write_judgments(study), limit)
    if side != "naive":
        return islice(FILES["judgments", side](study, ""), limit)
    fields = ("item__task", "item__image", "item__candidate__system", "rater")
    rows = [
        {
            "task": each.item.task.position,
            "item": each.item.key,
            "image": each.item.image.key,
            "system": each.item.candidate.system.name,
            "candidate": each.item.candidate.text,
            "rater": each.rater.pseudonym,
            "value": each.value,
            "created_at": each.created_at.isoformat(),
        }
        for each in Judgment.objects.filter(rater__study=study).select_related(*fields).order_by("pk")[:limit]
    ]
    return [json.dumps(rows)]


def _read_peak() -> int:
    from metrics_plugins.runtime.peak_memory import read_resident_peak

    return read_resident_peak() // 1024


def make_judgments(n_judgments: int) -> None:
    """Fill an empty database with a study of 20 raters."""
    from datetime import UTC, datetime

    from django.core.management import call_command

    from studies.datasets.importing.records import CandidateRecord, DatasetRecord, ItemRecord, StudyRecord, SystemRecord
    from studies.datasets.importing.writing import write_dataset
    from studies.design.study_design import StudyDesign
    from studies.enums import TaskKind
    from studies.models import Item, Judgment, Rater

    call_command("migrate", verbosity=0)
    n_raters = 20
    n_items = -(-n_judgments // n_raters)
    now = datetime(2025, 3, 1, tzinfo=UTC)
    keys = [f"image-{number}" for number in range(n_items)]
    write_dataset(
        DatasetRecord(
            name="many",
            title="Many",
            source="",
            digest="",
            references={key: ["A dog jumps over a log."] for key in keys},
            systems=[SystemRecord("model")],
            candidates=[
                CandidateRecord(f"{key}-a", key, "model", "A brown dog leaps over a fallen tree.") for key in keys
            ],
            studies=[
                StudyRecord(
                    name="many",
                    title="Many",
                    kind=TaskKind.RATING,
                    protocol="flickr8k-expert@1",
                    design=StudyDesign(),
                    raters=tuple(f"rater-{number}" for number in range(n_raters)),
                    are_placeholders=False,
                    items=[ItemRecord(key, key, f"{key}-a") for key in keys],
                    rows_read=n_judgments,
                )
            ],
        ),
        now=now,
    )
    raters = list(Rater.objects.order_by("pk").values_list("pk", flat=True))
    batch: list[Judgment] = []
    for place, item in enumerate(Item.objects.order_by("pk").values_list("pk", flat=True).iterator()):
        for number, rater in enumerate(raters):
            value = float((place + number) % 5)
            batch.append(Judgment(item_id=item, rater_id=rater, value=value, answer={"value": value}, created_at=now))
        if len(batch) >= 10_000:
            Judgment.objects.bulk_create(batch)
            batch = []
    Judgment.objects.bulk_create(batch)


if __name__ == "__main__":
    main()
