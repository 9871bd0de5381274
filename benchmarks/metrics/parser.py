"""Times our caption parser against spaCy alone on real COCO captions: `python -m benchmarks.metrics.parser [--json]`.

The captions are those of `benchmarks/coco_captions.py`, tokenised in advance and without duplicates. The peer is
spaCy's tagger and dependency parser with the same model on the same tokens, without reading the results; our parser
adds a full stop to each caption, reads the parse and creates the tuples. Both have loaded their models. They alternate
in one process, so that other work on the machine affects both equally; seconds are CPU time.

With `--golden FILE` (lines of `{"caption": ..., "tuples": [...]}`, compressed with gzip) the captions are those of the
file, and precision, recall and F of our tuples against those in the file are printed by kind.
"""

import argparse
import gzip
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Lets this file run as a script from any folder.
sys.path[:0] = [str(ROOT)]

from benchmarks.coco_captions import read_items  # noqa: E402

KINDS = ("objects", "attributes", "relations")
Caption = list[str]


def main() -> int:
    """Time both parsers, and print their rates and the ratio."""
    arguments = _parse_arguments()
    golden = _read_golden(arguments.golden) if arguments.golden else None
    captions = [line.split(" ") for line in golden] if golden else _read_captions(arguments.items)
    rows: list[dict[str, Any]] = [_compare_rates(captions, n_parts=arguments.parts)]
    if golden:
        rows += _compare_tuples(golden, captions)
    print(json.dumps(rows, indent=1) if arguments.json else "\n".join(map(_format, rows)))
    return 0


def _parse_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--json", action="store_true", help="print rows as JSON")
    parser.add_argument("--items", type=int, default=2_000, help="how many images, of five captions (default: 2000)")
    parser.add_argument("--parts", type=int, default=8, help="how many turns each side takes (default: 8)")
    parser.add_argument("--golden", type=Path, help="tuples to compare ours with")
    return parser.parse_args()


def _read_captions(n_items: int) -> list[Caption]:
    from metrics_plugins.text.ptb.tokenizer import tokenize_captions

    texts = [text for _, candidate, references in read_items(n_items) for text in (candidate, *references)]
    return [line.split(" ") for line in dict.fromkeys(tokenize_captions(texts)) if line]


def _read_golden(path: Path) -> dict[str, list[list[str]]]:
    with gzip.open(path, "rt") as file:
        rows = map(json.loads, file)
        return {row["caption"]: row["tuples"] for row in rows}


def _compare_rates(captions: list[Caption], *, n_parts: int) -> dict[str, Any]:
    import spacy
    from spacy.tokens import Doc

    from metrics_plugins.metrics.scene_graph.parser import parse_captions
    from metrics_plugins.metrics.scene_graph.parser.model import MODEL

    pipeline = spacy.load(MODEL, exclude=["ner", "attribute_ruler", "lemmatizer", "senter"])

    def run_peer(part: list[Caption]) -> None:
        for _ in pipeline.pipe((Doc(pipeline.vocab, words=words) for words in part), batch_size=256):
            pass

    sides = {"ours": parse_captions, "peer": run_peer}
    seconds = dict.fromkeys(sides, 0.0)
    for run in sides.values():
        run(captions[:100])
    for part in (captions[start::n_parts] for start in range(n_parts)):
        for side, run in sides.items():
            start = time.process_time()
            run(part)
            seconds[side] += time.process_time() - start
    rates = {f"{side}_captions_per_s": round(len(captions) / taken) for side, taken in seconds.items()}
    return {"captions": len(captions), **rates, "ratio": round(seconds["peer"] / seconds["ours"], 3)}


def _compare_tuples(golden: dict[str, list[list[str]]], captions: list[Caption]) -> Iterator[dict[str, Any]]:
    from metrics_plugins.metrics.scene_graph.parser import parse_captions

    ours = [_sort_by_kind(proposals) for proposals in parse_captions(captions)]
    official = [_sort_by_kind(tuples) for tuples in golden.values()]
    for kind, name in enumerate(KINDS):
        pairs = [(own[kind], other[kind]) for own, other in zip(ours, official, strict=True)]
        n_common = sum(len(own & other) for own, other in pairs)
        n_ours, n_official = (sum(len(pair[side]) for pair in pairs) for side in (0, 1))
        yield {
            "kind": name,
            "precision": round(n_common / n_ours, 4),
            "recall": round(n_common / n_official, 4),
            "f": round(2 * n_common / (n_ours + n_official), 4),
        }


def _sort_by_kind(tuples: Sequence[Sequence[str]]) -> list[set[tuple[str, ...]]]:
    """Return the distinct tuples by kind; the things with attributes or relations are objects."""
    found = {tuple(row) for row in tuples}
    relations = {row for row in found if len(row) == 3}
    return [{row[:1] for row in found} | {row[1:2] for row in relations}, {r for r in found if len(r) == 2}, relations]


def _format(row: dict[str, Any]) -> str:
    return ", ".join(f"{name}: {value}" for name, value in row.items())


if __name__ == "__main__":
    sys.exit(main())
