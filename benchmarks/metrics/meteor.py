"""Times METEOR against pycocoevalcap on real COCO captions: `python -m benchmarks.metrics.meteor [--json]`.

The captions are those of `benchmarks/coco_captions.py`, and the measurements those of `benchmarks/metrics/ngrams.py`:
each side starts from captions in memory in a new process; its seconds include imports, the start of Java and, in the
first row, tokenising. Our files of synonyms and paraphrases are created before, if needed.

The last line compares the scores; the exit status is 1 if they differ by more than one or two captions can cause.
"""

import argparse
import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[2]
# Lets this file run as a script, as `run_side` does, from any folder.
sys.path[:0] = [str(ROOT)]

from benchmarks.coco_captions import batch_items, load_items, prepare  # noqa: E402
from benchmarks.metrics.ngrams import TOLERANCE_PER_ROW, Watch, compare_sides, tokenize_for_peer  # noqa: E402
from benchmarks.sides import parse_side_arguments, run_side  # noqa: E402

PARTS = ("tokenise", "METEOR")


def main() -> int:
    """Run both sides and print the measurements; return 1 if their scores differ."""
    arguments = parse_side_arguments(__doc__, sides=SIDES, n=40_000)
    if arguments.side:
        SIDES[arguments.side](arguments)
        return 0
    with TemporaryDirectory() as folder:
        captions = Path(folder) / "captions.json"
        n_items = run_side(__file__, "prepare", captions=captions, items=arguments.items)["n_items"]
        run_side(__file__, "index", captions=captions, items=n_items)
        peer = run_side(__file__, "peer", captions=captions, items=n_items)
        ours = run_side(__file__, "ours", captions=captions, items=n_items)
    first, second = ours["scores"]["meteor"], peer["scores"]["meteor"]
    differs = abs(first - second) > TOLERANCE_PER_ROW / n_items
    rows = compare_sides(ours, peer, parts=PARTS, n_items=n_items)
    if arguments.json:
        print(json.dumps(rows, indent=1))
    else:
        for row in rows:
            print(*(f"{name}: {value}" for name, value in row.items() if value is not None), sep=", ")
        print(f"meteor: ours {first:.10f}, peer {second:.10f}: {'DIFFERENT' if differs else 'the same'}")
    return int(differs)


def make_index(_: argparse.Namespace) -> None:
    """Create our files of synonyms and paraphrases, which is done once on a machine."""
    from metrics_plugins.metrics.meteor.lexicon import load_lexicon

    print(json.dumps({"n_words": len(load_lexicon().numbers)}))


def run_ours(arguments: argparse.Namespace) -> None:
    """Score with the bundled plugin."""
    items = load_items(arguments.captions)
    watch = Watch(PARTS)
    with watch.time("tokenise"):
        import numpy as np

        from metrics_plugins.runtime import load_registry, run_metric
        from metrics_plugins.text.tokens import derive_tokens

        registry = load_registry(strict=True)
        batch = batch_items(items)
        derive_tokens(batch, registry.get_tokenizer("ptb"))
    with watch.time("METEOR"):
        corpus = run_metric(registry.build("meteor"), batch, rng=np.random.default_rng(0)).corpus
    watch.report({"meteor": corpus})


def run_peer(arguments: argparse.Namespace) -> None:
    """Score with pycocoevalcap as its own `COCOEvalCap` does."""
    items = load_items(arguments.captions)
    watch = Watch(PARTS)
    with redirect_stdout(sys.stderr):
        with watch.time("tokenise"):
            references, candidates = tokenize_for_peer(items)
        with watch.time("METEOR"):
            from pycocoevalcap.meteor.meteor import Meteor

            meteor = Meteor()
            corpus, _ = meteor.compute_score(references, candidates)
            # Ends Java, whose memory use is only then reported by the system.
            del meteor
    watch.report({"meteor": corpus})


SIDES = {"prepare": prepare, "index": make_index, "ours": run_ours, "peer": run_peer}


if __name__ == "__main__":
    sys.exit(main())
