"""Times SPICE against its own parser on real COCO captions: `python -m benchmarks.metrics.spice [--json]`.

The captions are those of `benchmarks/coco_captions.py`; timing starts from captions in memory in a new process, and
includes imports and the loading of the model. The ratio is the rate of the whole metric, which tokenises, parses every
distinct caption once, and builds and matches graphs, relative to the rate of the parser.
"""

import argparse
import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Lets this file run as a script, as `run_side` does, from any folder.
sys.path[:0] = [str(ROOT)]

from benchmarks.coco_captions import N_REFERENCES, batch_items, load_items, prepare  # noqa: E402
from benchmarks.metrics.ngrams import Watch  # noqa: E402
from benchmarks.sides import parse_side_arguments, run_side  # noqa: E402

PARTS = ("tokenise", "parse", "graphs")


def main() -> int:
    """Run the benchmark and print the time of each part."""
    arguments = parse_side_arguments(__doc__, sides=SIDES, n=8_000)
    if arguments.side:
        SIDES[arguments.side](arguments)
        return 0
    with TemporaryDirectory() as folder:
        captions = Path(folder) / "captions.json"
        n_items = run_side(__file__, "prepare", captions=captions, items=arguments.items)["n_items"]
        result = run_side(__file__, "score", captions=captions, items=n_items)
    row = _summarise(result, n_items=n_items)
    if arguments.json:
        print(json.dumps(row, indent=1))
    else:
        print(*(f"{name}: {value}" for name, value in row.items()), sep="\n")
    return 0


def score(arguments: argparse.Namespace) -> None:
    """Score with the bundled plugin, part by part."""
    items = load_items(arguments.captions)
    watch = Watch(PARTS)
    with watch.time("tokenise"):
        import numpy as np

        from metrics_plugins.metrics.scene_graph.parsers import derive_proposals
        from metrics_plugins.runtime import load_registry, run_metric

        registry = load_registry(strict=True)
        batch = batch_items(items)
        metric = registry.build("spice")
        lines = batch.derive_texts(("lines", ("ptb", metric.tokenizer.version)), metric.tokenizer.tokenize)
    with watch.time("parse"):
        derive_proposals(batch, tokenizer=metric.tokenizer, parser=metric.tuples)
    with watch.time("graphs"):
        corpus = run_metric(metric, batch, rng=np.random.default_rng(0)).corpus
    watch.report({"spice": corpus, "n_captions": len(set(lines))})


SIDES = {"prepare": prepare, "score": score}


def _summarise(result: dict[str, Any], *, n_items: int) -> dict[str, Any]:
    seconds, n_captions = result["seconds"], result["scores"]["n_captions"]
    return {
        "work": f"SPICE: {n_items:,} candidates with {N_REFERENCES} references each, {n_captions:,} distinct captions",
        **{f"{part}_s": round(seconds[part], 3) for part in PARTS},
        "captions_per_s": round(n_captions / sum(seconds.values()), 1),
        "parser_captions_per_s": round(n_captions / seconds["parse"], 1),
        "ratio": round(seconds["parse"] / sum(seconds.values()), 4),
        "mb": round(result["megabytes"]),
        "spice": round(result["scores"]["spice"], 6),
    }


if __name__ == "__main__":
    sys.exit(main())
