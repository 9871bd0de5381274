"""Times the correlation engine against loops over scipy: `python -m benchmarks.correlation [--json] [--quick]`.

Each row is a task that is done by the engine in one process and by a loop over scipy.stats in another, on the same
resamples:

- `bootstrap`: Flickr8k-Expert, 10 metrics (8 scored here from the published captions, 2 derived from them), Kendall's
  tau-c, 1,000 resamples clustered by images x raters;
- `perm-both`: all 45 differences between these metrics, 1,000 permutations each;
- `million`: 1,000,000 judgments (25,000 images, 4 items each, 10 judgments per item by 200 raters) x 20 metrics, item
  level, with intervals clustered by images x raters; one row for each coefficient.

The loop would take hours, so it processes the first `PEER_RESAMPLES` resamples, and its time is extrapolated to all.
Seconds are wall time with scores and judgments in memory. Megabytes are the peak resident size of the process.
The exit status is 1 if a value differs from scipy's by more than 1e-12, or if a bound of `BOUNDS` is exceeded.
"""

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parents[1]
DATA = Path(os.environ.get("ACCORDANCE_DATA", ROOT.parent / "shared" / "data"))
METRICS = ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-l", "cider", "cider-d", "length")
ENTROPY = 20_260_101
TOLERANCE = 1e-12
PEER_RESAMPLES = 8
AXES = ("images", "raters")
# Part -> maximum seconds, maximum megabytes, and maximum share of the loop's time.
BOUNDS = {"bootstrap": (None, None, 0.1), "perm-both": (120.0, None, None), "million": (60.0, 2000.0, None)}

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Study:
    """Judgments in rows, all of shape (n,), and the scores of each metric for these rows, shape (n_metrics, n)."""

    scores: Floats
    judgments: Floats
    item: NDArray[np.int64]
    image: NDArray[np.int64]
    rater: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Part:
    """A row of the table: study, coefficient and number of resamples, which is `quick` with the option `--quick`."""

    name: str
    work: str
    coefficient: str
    n_resamples: int
    quick: int


PARTS = (
    Part("bootstrap", "Flickr8k-Expert, 10 metrics, tau-c, resamples over images x raters", "kendall-c", 1000, 40),
    Part("perm-both", "Flickr8k-Expert, 45 pairs of metrics, tau-c, permutations", "kendall-c", 1000, 20),
    Part("million", "1,000,000 judgments, 20 metrics, Pearson, resamples over images x raters", "pearson", 1000, 10),
    Part("million", "1,000,000 judgments, 20 metrics, Spearman, resamples over images x raters", "spearman", 1000, 10),
    Part("million", "1,000,000 judgments, 20 metrics, tau-c, resamples over images x raters", "kendall-c", 1000, 10),
)


def main() -> int:
    """Run all parts and print their times; return 1 if a value differs or a bound is exceeded."""
    arguments = _parse_arguments()
    if arguments.side:
        print(json.dumps(SIDES[arguments.side](PARTS[arguments.part], arguments)))
        return 0
    rows, faults = [], []
    with TemporaryDirectory() as folder:
        scores = Path(folder) / "scores.npz"
        _run_side("prepare", part=0, scores=scores, quick=arguments.quick)
        for number, part in enumerate(PARTS):
            ours, peer = (
                _run_side(side, part=number, scores=scores, quick=arguments.quick) for side in ("ours", "peer")
            )
            rows.append(_make_row(part, ours, peer, quick=arguments.quick))
            faults += _find_faults(part, rows[-1], ours, peer, quick=arguments.quick)
    print(json.dumps(rows, indent=1) if arguments.json else _format(rows))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    parser.add_argument("--quick", action="store_true", help="few resamples, a tenth of the judgments; no bounds")
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    parser.add_argument("--part", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--scores", type=Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _run_side(side: str, *, part: int, scores: Path, quick: bool) -> dict[str, Any]:
    command = [sys.executable, __file__, "--side", side, "--part", str(part), "--scores", str(scores)]
    finished = subprocess.run([*command, *["--quick"] * quick], capture_output=True, text=True, check=False)
    if finished.returncode:
        raise SystemExit(f"{side} of part {part} failed:\n{finished.stderr}")
    result: dict[str, Any] = json.loads(finished.stdout)
    return result


def prepare(_part: Part, arguments: argparse.Namespace) -> dict[str, Any]:
    """Score the published candidates of Flickr8k-Expert and write scores and judgments to a file."""
    from metrics_plugins.api import Batch
    from metrics_plugins.runtime import load_registry, run_metric

    with gzip.open(DATA / "flickr8k" / "Flickr8k.token.txt.gz", "rt", encoding="utf-8") as file:
        captions = dict(line.rstrip("\n").split("\t") for line in file)
    text = (DATA / "flickr8k" / "ExpertAnnotations.txt").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    references = {image: [captions[f"{image}#{k}"] for k in range(5)] for image in {row[0] for row in rows}}
    # As in the protocol flickr8k-expert@1, rows whose candidate is among the references are dropped.
    rows = [row for row in rows if captions[row[1]] not in references[row[0]]]
    batch = Batch.make(
        [f"{image}|{caption}" for image, caption, *_ in rows],
        candidates=[captions[row[1]] for row in rows],
        references=[references[row[0]] for row in rows],
    )
    registry = load_registry(strict=True)
    runs = [run_metric(registry.build(name), batch, rng=np.random.default_rng(0)) for name in METRICS]
    scores = np.stack([run.scores.values for run in runs])
    standard = (scores - scores.mean(axis=1, keepdims=True)) / scores.std(axis=1, keepdims=True)
    made = [standard[METRICS.index("rouge-l")] + standard[METRICS.index("cider")], standard.mean(axis=0)]
    np.savez(
        arguments.scores,
        scores=np.repeat(np.vstack([scores, made]), 3, axis=1),
        judgments=np.array([row[2:5] for row in rows], dtype=np.float64).reshape(-1),
        item=np.repeat(np.arange(len(rows)), 3),
        image=np.repeat(np.unique([row[0] for row in rows], return_inverse=True)[1], 3),
        rater=np.tile(np.arange(3), len(rows)),
    )
    return {"n_items": len(rows)}


def simulate_million(*, quick: bool) -> Study:
    """Simulate judgments from 1 to 5 of items, and metrics that measure their quality with noise."""
    rng = np.random.default_rng(ENTROPY)
    n_images, per_image, per_item, n_raters, n_metrics = 2_500 if quick else 25_000, 4, 10, 200, 20
    n_items = n_images * per_image
    quality = rng.normal(size=n_items)
    noise = np.linspace(0.5, 2, n_metrics)[:, None] * rng.normal(size=(n_metrics, n_items))
    # The ten raters of an item are a row of a table of raters, so that no rater judges an item twice.
    rater = rng.permutation(n_raters).reshape(-1, per_item)[rng.integers(n_raters // per_item, size=n_items)]
    opinion = np.repeat(quality, per_item) + rng.normal(size=n_items * per_item)
    return Study(
        scores=np.repeat(quality + noise, per_item, axis=1),
        judgments=np.clip(np.round(3 + opinion), 1, 5),
        item=np.repeat(np.arange(n_items), per_item),
        image=np.repeat(np.arange(n_items) // per_image, per_item),
        rater=rater.reshape(-1),
    )


def run_ours(part: Part, arguments: argparse.Namespace) -> dict[str, Any]:
    """Run a part with the engine, and return its time and its values for the resamples of the peer."""
    study = _read_study(part, arguments)
    n_resamples = part.quick if arguments.quick else part.n_resamples
    return _report(*OURS[part.name](study, part, n_resamples))


def run_peer(part: Part, arguments: argparse.Namespace) -> dict[str, Any]:
    """Run the first resamples with a loop over scipy, and return its values and its extrapolated time."""
    import scipy.stats

    compute: dict[str, Callable[[Floats, Floats], Any]] = {
        "pearson": lambda x, y: scipy.stats.pearsonr(x, y)[0],
        "spearman": lambda x, y: scipy.stats.spearmanr(x, y)[0],
        "kendall-c": lambda x, y: scipy.stats.kendalltau(x, y, variant="c")[0],
    }
    study = _read_study(part, arguments)
    n_resamples = part.quick if arguments.quick else part.n_resamples
    start = time.perf_counter()
    values = PEERS[part.name](study, compute[part.coefficient])
    return _report((time.perf_counter() - start) * n_resamples / PEER_RESAMPLES, values)


def _bootstrap(study: Study, part: Part, n_resamples: int) -> tuple[float, list[list[float]]]:
    """Return the seconds, and the values for the first resamples of each metric."""
    from correlation.observations import prepare_observations
    from correlation.resampling.counts import BootstrapPlan
    from correlation.resampling.estimators import build_units, prepare_estimator

    start = time.perf_counter()
    plan = BootstrapPlan(AXES, n_resamples, ENTROPY)
    kept, bounds = [], []
    for x in study.scores:
        rows, complete = prepare_observations(x, study.judgments, level="item", groups=study.image, systems=None)
        units = build_units(rows, complete, groups=study.image, systems=None, raters=study.rater)
        estimator = prepare_estimator("item", part.coefficient, rows, units)
        values = np.concatenate([estimator(counts) for counts in plan.iterate(units)])
        bounds.append(np.quantile(values, [0.025, 0.975]))
        kept.append(values[:PEER_RESAMPLES].tolist())
    return time.perf_counter() - start, kept


def _tabulate(study: Study, part: Part, n_resamples: int) -> tuple[float, list[list[float]]]:
    """Return the seconds for the table with intervals, and separately computed values for the first resamples."""
    from correlation.correlate_metrics import correlate_metrics
    from correlation.observations import prepare_observations
    from correlation.resampling.counts import BootstrapPlan
    from correlation.resampling.estimators import build_units
    from correlation.resampling.intervals import IntervalRequest
    from correlation.resampling.joint import arrange_jointly

    start = time.perf_counter()
    correlate_metrics(
        {str(number): x for number, x in enumerate(study.scores)},
        study.judgments,
        level="item",
        coefficient=part.coefficient,
        groups=study.image,
        raters=study.rater,
        interval=IntervalRequest("percentile", AXES, n_resamples=n_resamples),
        rng=np.random.default_rng(ENTROPY),
    )
    seconds = time.perf_counter() - start
    rows, complete = prepare_observations(
        study.scores[0], study.judgments, level="item", groups=study.image, systems=None
    )
    units = build_units(rows, complete, groups=study.image, systems=None, raters=study.rater)
    arranged = arrange_jointly(part.coefficient, study.scores, study.judgments, units)
    if arranged is None:
        raise SystemExit("the rows of the large study share too little to be done together")
    estimate, plan = arranged.prepare(), BootstrapPlan(AXES, PEER_RESAMPLES, ENTROPY)
    return seconds, np.concatenate([estimate(counts) for counts in plan.iterate(units)], axis=1).tolist()


def _bootstrap_by_loop(study: Study, compute: Callable[[Floats, Floats], Any]) -> list[list[float]]:
    from correlation.resampling.counts import BootstrapPlan

    plan = BootstrapPlan(AXES, PEER_RESAMPLES, ENTROPY)
    counts = [
        plan.draw_counts(axis, int(code.max()) + 1, start=0, stop=PEER_RESAMPLES)[:, code].astype(np.int64)
        for axis, code in (("images", study.image), ("raters", study.rater))
    ]
    drawn = [np.repeat(np.arange(study.judgments.size), row) for row in counts[0] * counts[1]]
    return [[float(compute(x[rows], study.judgments[rows])) for rows in drawn] for x in study.scores]


def _permute(study: Study, part: Part, n_resamples: int) -> tuple[float, list[list[float]]]:
    """Return the seconds, and separately computed differences for the first permutations of each pair."""
    from correlation.comparison.compare import ComparisonRequest, compare_metrics
    from correlation.comparison.permutation import PermutationPlan, permute_difference
    from correlation.observations import prepare_observations

    start = time.perf_counter()
    compare_metrics(
        {str(number): x for number, x in enumerate(study.scores)},
        study.judgments,
        level="item",
        coefficient=part.coefficient,
        request=ComparisonRequest("perm-both", n_resamples=n_resamples),
        items=study.item,
        rng=np.random.default_rng(ENTROPY),
    )
    seconds = time.perf_counter() - start
    plan = PermutationPlan(PEER_RESAMPLES, ENTROPY)
    kept = []
    for first, second in combinations(study.scores, 2):
        rows, _ = prepare_observations(first, study.judgments, level="item", groups=None, systems=None)
        differences = permute_difference(
            rows, second, level="item", coefficient=part.coefficient, unit=study.item, plan=plan
        )
        kept.append(differences.tolist())
    return seconds, kept


def _permute_by_loop(study: Study, compute: Callable[[Floats, Floats], Any]) -> list[list[float]]:
    from correlation.comparison.permutation import PermutationPlan, standardise

    plan = PermutationPlan(PEER_RESAMPLES, ENTROPY)
    swaps = plan.draw_swaps(int(study.item.max()) + 1, start=0, stop=PEER_RESAMPLES)[:, study.item]
    standard = [standardise(x) for x in study.scores]

    def differ(first: Floats, second: Floats) -> Iterator[float]:
        for swap in swaps:
            values = (compute(np.where(swap, b, a), study.judgments) for a, b in ((first, second), (second, first)))
            yield float(next(values) - next(values))

    return [list(differ(first, second)) for first, second in combinations(standard, 2)]


OURS = {"bootstrap": _bootstrap, "million": _tabulate, "perm-both": _permute}
PEERS = {"bootstrap": _bootstrap_by_loop, "million": _bootstrap_by_loop, "perm-both": _permute_by_loop}
SIDES = {"prepare": prepare, "ours": run_ours, "peer": run_peer}


def _read_study(part: Part, arguments: argparse.Namespace) -> Study:
    if part.name == "million":
        return simulate_million(quick=arguments.quick)
    with np.load(arguments.scores) as columns:
        return Study(**{name: columns[name] for name in columns.files})


def _report(seconds: float, values: list[list[float]]) -> dict[str, Any]:
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "megabytes": megabytes, "values": values}


def _make_row(part: Part, ours: dict[str, Any], peer: dict[str, Any], *, quick: bool) -> dict[str, Any]:
    import scipy

    fewer = ", a tenth of the judgments" if quick and part.name == "million" else ""
    return {
        "work": f"{part.work}: {part.quick if quick else part.n_resamples:,}{fewer}",
        "ours_s": round(ours["seconds"], 2),
        "peer": f"scipy {scipy.__version__} in a loop, scaled from {PEER_RESAMPLES}",
        "peer_s": round(peer["seconds"], 2),
        "ratio": round(ours["seconds"] / peer["seconds"], 4),
        "ours_mb": round(ours["megabytes"]),
        "peer_mb": round(peer["megabytes"]),
    }


def _find_faults(
    part: Part, row: dict[str, Any], ours: dict[str, Any], peer: dict[str, Any], *, quick: bool
) -> list[str]:
    apart = float(np.abs(np.array(ours["values"]) - np.array(peer["values"])).max())
    faults = [] if apart <= TOLERANCE else [f"{row['work']}: a value is {apart:g} from scipy's"]
    if not quick:
        measured = (ours["seconds"], ours["megabytes"], row["ratio"])
        for name, bound, found in zip(("seconds", "megabytes", "ratio"), BOUNDS[part.name], measured, strict=True):
            if bound is not None and found > bound:
                faults.append(f"{row['work']}: {name} {found:g} is above {bound:g}")
    return faults


def _format(rows: list[dict[str, Any]]) -> str:
    lines = [f"{'seconds: ours':>13} {'peer':>9} {'ratio':>7}   {'MB: ours':>8} {'peer':>6}   work ({rows[0]['peer']})"]
    for row in rows:
        numbers = f"{row['ours_s']:13.2f} {row['peer_s']:9.2f} {row['ratio']:7.4f}"
        lines.append(f"{numbers}   {row['ours_mb']:8} {row['peer_mb']:6}   {row['work']}")
    return "\n".join(lines)


if __name__ == "__main__":
    # For a script, sys.path begins with the folder of this file, in which `correlation` is this file, not the package.
    sys.path[0] = str(ROOT)
    sys.exit(main())
