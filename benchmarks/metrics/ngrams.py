"""Times the n-gram metrics against pycocoevalcap on real COCO captions: `python -m benchmarks.metrics.ngrams [--json]`.

Both sides tokenise and score the same captions, each in a new process: the first caption of each image as the
candidate, the next four as references, with images in order of their id. The captions are shipped with pycocoevalcap
(val2014, then train2014 if its 40,504 images are not enough).

Seconds are wall time from captions in memory to the last score, including imports and the start of Java. Memory is the
peak resident size of the process, including captions; for the peer, the larger one of its process and its Java child.
The last lines compare the scores. The exit status is 1 if they differ by more than one or two captions can cause: in
the Java tokeniser, the full stop at the end of a caption depends on the first letter of the next caption.
"""

import argparse
import json
import resource
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Lets this file run as a script, as `run_side` does, from any folder.
sys.path[:0] = [str(ROOT)]

from benchmarks.coco_captions import N_REFERENCES, Items, batch_items, load_items, prepare  # noqa: E402
from benchmarks.sides import parse_side_arguments, run_side  # noqa: E402

TOLERANCE_PER_ROW = 0.05
METRICS = ("bleu-1", "bleu-2", "bleu-3", "bleu-4", "rouge-l", "cider-d")
PARTS = ("tokenise", "BLEU-1..4", "ROUGE-L", "CIDEr-D")


def main() -> int:
    """Run both sides and print the measurements; return 1 if their scores differ."""
    arguments = parse_side_arguments(__doc__, sides=SIDES, n=40_000)
    if arguments.side:
        SIDES[arguments.side](arguments)
        return 0
    with TemporaryDirectory() as folder:
        captions = Path(folder) / "captions.json"
        # Prepared in a separate process, because the peak memory of a child starts at that of its parent.
        n_items = run_side(__file__, "prepare", captions=captions, items=arguments.items)["n_items"]
        peer = run_side(__file__, "peer", captions=captions, items=n_items)
        ours = run_side(__file__, "ours", captions=captions, items=n_items)
    rows = compare_sides(ours, peer, parts=PARTS, n_items=n_items)
    differing = {
        name for name in METRICS if abs(ours["scores"][name] - peer["scores"][name]) > TOLERANCE_PER_ROW / n_items
    }
    print(json.dumps(rows, indent=1) if arguments.json else _format(rows, ours, peer, differing=differing))
    return 1 if differing else 0


def run_ours(arguments: argparse.Namespace) -> None:
    """Score with the bundled plugins."""
    items = load_items(arguments.captions)
    watch = Watch(PARTS)
    with watch.time("tokenise"):
        import numpy as np

        from metrics_plugins.runtime import load_registry, run_metric
        from metrics_plugins.text.tokens import derive_words

        registry = load_registry(strict=True)
        batch = batch_items(items)
        derive_words(batch, registry.get_tokenizer("ptb"))
    scores = {}
    for name in METRICS:
        with watch.time(_find_part(name)):
            scores[name] = run_metric(registry.build(name), batch, rng=np.random.default_rng(0)).corpus
    watch.report(scores)


def run_peer(arguments: argparse.Namespace) -> None:
    """Score with pycocoevalcap as its own `COCOEvalCap` does."""
    items = load_items(arguments.captions)
    watch = Watch(PARTS)
    with redirect_stdout(sys.stderr):
        with watch.time("tokenise"):
            from pycocoevalcap.bleu.bleu import Bleu
            from pycocoevalcap.cider.cider import Cider
            from pycocoevalcap.rouge.rouge import Rouge

            references, candidates = tokenize_for_peer(items)
        with watch.time("BLEU-1..4"):
            bleu, _ = Bleu(4).compute_score(references, candidates)
        with watch.time("ROUGE-L"):
            rouge, _ = Rouge().compute_score(references, candidates)
        with watch.time("CIDEr-D"):
            cider, _ = Cider().compute_score(references, candidates)
    watch.report(dict(zip(METRICS, map(float, (*bleu, rouge, cider)), strict=True)))


def tokenize_for_peer(items: Items) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return the tokenised references and candidates by key, as `COCOEvalCap` makes them."""
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    tokenizer = PTBTokenizer()
    references = tokenizer.tokenize({key: [{"caption": text} for text in texts] for key, _, texts in items})
    return references, tokenizer.tokenize({key: [{"caption": text}] for key, text, _ in items})


SIDES = {"prepare": prepare, "ours": run_ours, "peer": run_peer}


class Watch:
    """Accumulates the wall time of each part."""

    def __init__(self, parts: Iterable[str]) -> None:
        self.seconds = dict.fromkeys(parts, 0.0)

    @contextmanager
    def time(self, part: str) -> Iterator[None]:
        start = time.perf_counter()
        yield
        self.seconds[part] += time.perf_counter() - start

    def report(self, scores: dict[str, float]) -> None:
        """Print the seconds, the peak memory of this process and of its children in MB, and the scores."""
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        megabytes = max(usage.ru_maxrss for usage in usages) / 1024
        print(json.dumps({"seconds": self.seconds, "megabytes": megabytes, "scores": scores}))


def _find_part(metric: str) -> str:
    return next(part for part in PARTS if part.lower().startswith(metric.partition("-")[0]))


def compare_sides(
    ours: dict[str, Any], peer: dict[str, Any], *, parts: Iterable[str], n_items: int
) -> list[dict[str, Any]]:
    """Return the rows of a benchmark: the whole with memory, then each part, from what `Watch.report` printed."""
    whole = f"{', '.join(parts)}: {n_items:,} candidates with {N_REFERENCES} references each"
    rows = [_compare_seconds(whole, sum(ours["seconds"].values()), sum(peer["seconds"].values()))]
    rows[0] |= {"ours_mb": round(ours["megabytes"]), "peer_mb": round(peer["megabytes"])}
    return rows + [_compare_seconds(part, ours["seconds"][part], peer["seconds"][part]) for part in parts]


def _compare_seconds(work: str, ours: float, peer: float) -> dict[str, Any]:
    return {
        "work": work,
        "ours_s": round(ours, 3),
        "peer": f"pycocoevalcap {version('pycocoevalcap')}",
        "peer_s": round(peer, 3),
        "ratio": round(ours / peer, 4),
        "ours_mb": None,
        "peer_mb": None,
    }


def _format(rows: list[dict[str, Any]], ours: dict[str, Any], peer: dict[str, Any], *, differing: set[str]) -> str:
    lines = [
        f"{'seconds: ours':>13} {'peer':>8} {'ratio':>7}   {'MB: ours':>8} {'peer':>6}   work (peer: {rows[0]['peer']})"
    ]
    for row in rows:
        memory = f"{row['ours_mb'] or '':>8} {row['peer_mb'] or '':>6}"
        lines.append(f"{row['ours_s']:13.3f} {row['peer_s']:8.3f} {row['ratio']:7.4f}   {memory}   {row['work']}")
    lines.append("")
    for name in METRICS:
        first, second = ours["scores"][name], peer["scores"][name]
        verdict = "DIFFERENT" if name in differing else "the same"
        lines.append(f"{name:>8}: ours {first:.10f}, peer {second:.10f}: {verdict}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
