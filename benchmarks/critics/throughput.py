"""Times `critic-reference` against `sentence-cosine`: `python -m benchmarks.critics.throughput [--rows N] [--json]`.

Both score the expert judgments' rows of Flickr8k, a candidate and the five references of its image each, in one process
and by turns, with the same encoder, and each time with empty caches. From texts in memory to scores; loading is not
timed. The ratio is that of rows per second of CPU time, of which other work on the machine takes nothing, and above 0.8
where the critic is at least 0.8 as fast.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
from typing import Any, Final

import numpy as np

from benchmarks.critics.encoding import list_judged
from metrics_plugins.api import Batch
from metrics_plugins.encoders.caching.disk import FOLDER_VARIABLE
from metrics_plugins.encoders.caching.memory import open_memory
from metrics_plugins.runtime import load_registry, run_metric

CRITIC, PEER = "critic-reference", "sentence-cosine"
N_REFERENCES: Final = 5
_WARM_UP: Final = 20


def main() -> int:
    """Score the rows by both, by turns, and print the medians."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=2_000, help="how many judged rows (default: 2,000)")
    parser.add_argument("--turns", type=int, default=3, help="how often each scores them (default: 3)")
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    chosen = parser.parse_args()
    # Vectors on the disk would be read instead of encoded.
    os.environ.pop(FOLDER_VARIABLE, None)
    result = measure(n_rows=chosen.rows, n_turns=chosen.turns)
    print(
        json.dumps(result, indent=1) if chosen.json else "\n".join(f"{name}: {each}" for name, each in result.items())
    )
    return 0


def measure(*, n_rows: int, n_turns: int) -> dict[str, Any]:
    """Return rows per second of both, of CPU time and of time, and the ratios."""
    registry = load_registry()
    metrics = {name: registry.build(name, device="cpu") for name in (CRITIC, PEER)}
    rng = np.random.default_rng(0)
    for metric in metrics.values():
        run_metric(metric, read_rows(_WARM_UP), rng=rng)
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in metrics}
    for turn in range(n_turns):
        for name in sorted(metrics, reverse=bool(turn % 2)):
            open_memory.cache_clear()
            # A new batch: it keeps what was derived from its texts.
            rows = read_rows(n_rows)
            started, cpu = time.perf_counter(), time.process_time()
            run_metric(metrics[name], rows, rng=rng)
            taken[name].append((time.process_time() - cpu, time.perf_counter() - started))
    rates = {
        name: [n_rows / statistics.median(each[place] for each in times) for place in (0, 1)]
        for name, times in taken.items()
    }
    return {
        "rows": n_rows,
        **{f"{name} rows per s of CPU": round(each[0], 1) for name, each in rates.items()},
        **{f"{name} rows per s": round(each[1], 1) for name, each in rates.items()},
        "ratio_of_cpu": round(rates[CRITIC][0] / rates[PEER][0], 2),
        "ratio": round(rates[CRITIC][1] / rates[PEER][1], 2),
    }


def read_rows(n_rows: int) -> Batch:
    """Return the first judged rows."""
    texts = [text for part in list_judged(n_rows) for text in part]
    starts = range(0, len(texts), N_REFERENCES + 1)
    return Batch.make(
        [str(start) for start in starts],
        candidates=[texts[start] for start in starts],
        references=[texts[start + 1 : start + 1 + N_REFERENCES] for start in starts],
    )


if __name__ == "__main__":
    sys.exit(main())
