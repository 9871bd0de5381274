"""Scores ten million captions from Parquet tables in parts, killed once in the middle and continued.

Run as `python -m benchmarks.parquet`; tables of `--rows` candidates, made of COCO's captions with changed words, are
written to `--folder` first. Each candidate row names an image with five references; every image has `--per-image`
candidates. The command is killed (SIGKILL, with all its processes) when half of the partitions are complete, and then
run again. Peak resident memory and processor time of every process of the command are read from /proc while it runs.
At the end a sample of the rows is scored in memory, with what metrics learn from all references, and must be equal.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from benchmarks.coco_captions import read_images
from metrics_plugins.api import Batch
from metrics_plugins.api.metric import Fittable
from metrics_plugins.runtime import fit_metric, load_registry, run_metric

METRICS = "bleu-4,cider-d"
N_REFERENCES = 5
ROWS_PER_FILE = 1_000_000
ROWS_PER_GROUP = 100_000
ROWS_PER_PARTITION = 200_000
N_SAMPLED = 100_000
LIMIT = 4_000_000_000
_N_COCO = 40_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--per-image", type=int, default=25)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--folder", type=Path, default=Path("parquet-benchmark"))
    arguments = parser.parse_args()
    started = time.monotonic()
    write_tables(arguments.folder, n_rows=arguments.rows, per_image=arguments.per_image)
    print(f"tables: {describe(arguments.folder)} in {minutes(started)}", flush=True)
    output = arguments.folder / "scores"
    shutil.rmtree(output, ignore_errors=True)
    first = run(arguments.folder, output, workers=arguments.workers, kill_at=0.5)
    print(f"killed: {first}", flush=True)
    kept = {path: path.stat().st_mtime_ns for path in output.glob("part-*.parquet")}
    second = run(arguments.folder, output, workers=arguments.workers)
    print(f"continued: {second}", flush=True)
    manifest = read_manifest(output)
    changed = sum(path.stat().st_mtime_ns != time for path, time in kept.items())
    print(f"partitions complete when killed: {first.n_partitions}; files of them written again: {changed}")
    print(f"rows scored: {sum(each['rows'] for each in manifest['partitions']):,} of {manifest['rows']:,}")
    per_second = arguments.rows / 60 / (first.minutes + second.minutes)
    print(f"captions a second, both runs together: {per_second:,.0f}")
    print(f"scores: {manifest['scores']}")
    peak = max(first.peak, second.peak)
    print(f"largest peak of a process: {peak / 1e9:.2f} GB, limit {LIMIT / 1e9:.0f} GB", flush=True)
    different = compare_sample(arguments.folder, output, n_rows=arguments.rows)
    print(f"rows scored in memory: {min(N_SAMPLED, arguments.rows):,}; of them different: {different}")
    if any(different.values()) or changed or not manifest["complete"] or peak > LIMIT or second.exit_code:
        raise SystemExit("failed")


@dataclass
class Run:
    """What one run of the command took.

    `peaks` are bytes of resident memory by the process's part, `seconds` of processor time by the process's number.
    """

    minutes: float = 0
    exit_code: int = 0
    n_partitions: int = 0
    peaks: dict[str, int] = field(default_factory=dict)
    seconds: dict[int, float] = field(default_factory=dict)
    said: str = ""

    @property
    def peak(self) -> int:
        return max(self.peaks.values())

    def __str__(self) -> str:
        peaks = ", ".join(f"{name} {peak / 1e9:.2f} GB" for name, peak in self.peaks.items())
        used = sum(self.seconds.values()) / 60
        took = f"{self.minutes:.1f} minutes ({used:.1f} of processor time)"
        return f"{took}, {self.n_partitions} partitions complete, peaks: {peaks}{self.said}"


def run(folder: Path, output: Path, *, workers: int, kill_at: float | None = None) -> Run:
    """Run the command to its end, or until a share of its partitions is complete."""
    command = [sys.executable, "-m", "accordance", "score", "--metrics", METRICS, "--workers", str(workers)]
    command += ["--candidates", str(folder / "candidates"), "--references", str(folder / "references")]
    command += ["--rows-per-partition", str(ROWS_PER_PARTITION)]
    kill_from = None if kill_at is None else kill_at * count_partitions(folder)
    started, found = time.monotonic(), Run()
    log = folder / "command.log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [*command, "--output", str(output)], stdout=file, stderr=subprocess.STDOUT, start_new_session=True
        )
        while process.poll() is None:
            note_processes(process.pid, found)
            manifest = read_manifest(output)
            if kill_from is not None and manifest and len(manifest["partitions"]) >= kill_from:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            time.sleep(0.5)
    found.minutes, found.exit_code = (time.monotonic() - started) / 60, process.returncode
    found.n_partitions = len((read_manifest(output) or {"partitions": ()})["partitions"])
    found.said = "" if kill_at else "\n" + log.read_text()
    if kill_at and process.returncode != -signal.SIGKILL:
        raise SystemExit(f"the command ended before it was killed:\n{log.read_text()}")
    return found


def note_processes(leader: int, found: Run) -> None:
    """Raise the peaks of the command and of its largest child, and their processor times, to what /proc says."""
    for folder in Path("/proc").glob("[0-9]*"):
        pid = int(folder.name)
        try:
            if os.getsid(pid) != leader:
                continue
            high = next(line for line in (folder / "status").read_text().splitlines() if line.startswith("VmHWM:"))
            ticks = (folder / "stat").read_text().rpartition(")")[2].split()[11:13]
        except (OSError, StopIteration):
            continue
        name = "command" if pid == leader else "largest worker"
        found.peaks[name] = max(found.peaks.get(name, 0), int(high.split()[1]) * 1024)
        found.seconds[pid] = sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


def compare_sample(folder: Path, output: Path, *, n_rows: int) -> dict[str, int]:
    """Return, for each metric, how many of the sampled rows have another score, to the last bit, than in memory."""
    references: dict[str, list[str]] = {}
    for path in sorted((folder / "references").glob("*.parquet")):
        table = pq.read_table(path)
        for image, caption in zip(table["image_id"].to_pylist(), table["caption"].to_pylist(), strict=True):
            references.setdefault(image, []).append(caption)
    documents = Batch.make(references, references=references.values())
    rows = np.sort(np.random.default_rng(0).choice(n_rows, min(N_SAMPLED, n_rows), replace=False))
    candidates = _take(folder / "candidates", rows)
    images, captions = candidates["image_id"].to_pylist(), candidates["caption"].to_pylist()
    batch = Batch.make(images, candidates=captions, references=[references[image] for image in images])
    scored = _take(output, rows)
    if scored["row"].to_pylist() != rows.tolist() or scored["caption"].to_pylist() != captions:
        raise SystemExit("failed: the folder of scores has other rows")
    registry, different = load_registry(), {}
    for name in METRICS.split(","):
        metric = registry.build(name)
        if isinstance(metric, Fittable):
            metric = fit_metric(metric, documents, rng=np.random.default_rng(0))
        values = run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values
        found = scored[name].to_numpy()
        different[name] = int((found.view(np.int64) != values.view(np.int64)).sum())
    return different


def _take(folder: Path, rows: np.ndarray) -> pa.Table:
    """Return rows, which ascend, of all files of a folder."""
    taken, first = [], 0
    for path in sorted(folder.glob("*.parquet")):
        table = pq.read_table(path)
        taken.append(table.take(rows[(rows >= first) & (rows < first + len(table))] - first))
        first += len(table)
    return pa.concat_tables(taken).combine_chunks()


def count_partitions(folder: Path) -> int:
    """Return the number of partitions of all candidates."""
    sizes = [pq.ParquetFile(path).metadata.num_rows for path in (folder / "candidates").glob("*.parquet")]
    return sum(-(-size // ROWS_PER_PARTITION) for size in sizes)


def read_manifest(output: Path) -> dict | None:
    path = output / "_manifest.json"
    return json.loads(path.read_text()) if path.exists() else None


def write_tables(folder: Path, *, n_rows: int, per_image: int) -> None:
    """Write `candidates` and `references` as folders of Parquet files, unless they are there."""
    done = folder / f"made-{n_rows}-{per_image}"
    if done.exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    n_images = -(-n_rows // per_image)
    _write(folder / "references", _make_references(n_images), n_images * N_REFERENCES)
    _write(folder / "candidates", _make_candidates(n_images, per_image), n_rows)
    done.touch()


def _read_bases() -> tuple[list[list[str]], list[str]]:
    bases = [texts[:N_REFERENCES] for _, texts in read_images(_N_COCO)]
    words = sorted({word for texts in bases for text in texts for word in text.split()})
    return bases, words


def _make_references(n_images: int) -> Iterator[tuple[str, str]]:
    bases, words = _read_bases()
    rng = random.Random(1)  # noqa: S311 - no secret
    for image in range(n_images):
        for caption in bases[image % len(bases)]:
            yield f"image-{image}", _change(caption, words, rng)


def _make_candidates(n_images: int, per_image: int) -> Iterator[tuple[str, str]]:
    bases, words = _read_bases()
    rng = random.Random(2)  # noqa: S311 - no secret
    for image in range(n_images):
        own = bases[image % len(bases)]
        for number in range(per_image):
            yield f"image-{image}", _change(own[number % len(own)], words, rng)


def _change(caption: str, words: Sequence[str], rng: random.Random) -> str:
    """Return a caption in which one word is another one of COCO's."""
    parts = caption.split()
    parts[int(rng.random() * len(parts))] = words[int(rng.random() * len(words))]
    return " ".join(parts)


def _write(folder: Path, rows: Iterator[tuple[str, str]], n_rows: int) -> None:
    folder.mkdir(parents=True)
    schema = pa.schema([("image_id", pa.string()), ("caption", pa.string())])
    for start in range(0, n_rows, ROWS_PER_FILE):
        stop = min(start + ROWS_PER_FILE, n_rows)
        with pq.ParquetWriter(folder / f"{start // ROWS_PER_FILE:04}.parquet", schema, compression="zstd") as writer:
            for first in range(start, stop, ROWS_PER_GROUP):
                some = [next(rows) for _ in range(min(ROWS_PER_GROUP, stop - first))]
                columns = {name: [row[place] for row in some] for place, name in enumerate(schema.names)}
                writer.write_table(pa.table(columns, schema=schema))


def describe(folder: Path) -> str:
    """Return the rows and bytes of the tables."""
    parts = []
    for name in ("candidates", "references"):
        files = list((folder / name).glob("*.parquet"))
        n_rows = sum(pq.ParquetFile(path).metadata.num_rows for path in files)
        parts.append(f"{n_rows:,} {name} ({sum(path.stat().st_size for path in files) / 1e6:.0f} MB)")
    return ", ".join(parts)


def minutes(started: float) -> str:
    return f"{(time.monotonic() - started) / 60:.1f} minutes"


if __name__ == "__main__":
    main()
