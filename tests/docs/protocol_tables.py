"""The tables of docs/protocols.md: the effect of single choices of a protocol on published numbers.

SPICE is the official one (scores in the golden folder); ROUGE-L is scored here, with the references of each choice.
Run `python -m tests.docs.protocol_tables` to print the tables.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from scipy.io import loadmat

from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import get_protocol
from correlation.tables import JudgmentTable
from metrics_plugins.api import Batch
from metrics_plugins.runtime import load_registry, run_metric
from studies.scoring.references import leave_out
from tests.correlation import shared_data
from tests.correlation.shared_data import DATA

SEED = 0
N_DRAWS, DRAW_SIZE = 5, 5


def score_captions(metric: str, candidates: Sequence[str], references: Sequence[Sequence[str]]) -> np.ndarray:
    """Scores of a metric, shape (n,)."""
    keys = [str(number) for number in range(len(candidates))]
    batch = Batch.make(keys, candidates=list(candidates), references=[list(texts) for texts in references])
    return run_metric(load_registry(strict=True).build(metric), batch, rng=np.random.default_rng(SEED)).scores.values


def score_rouge(candidates: Sequence[str], references: Sequence[Sequence[str]]) -> np.ndarray:
    """ROUGE-L of each candidate, shape (n,)."""
    return score_captions("rouge-l", candidates, references)


def score_flickr8k(data: RatedItems, *, exclude_candidates: bool) -> RatedItems:
    """The rows of Flickr8k with ROUGE-L in place of SPICE."""
    captions = shared_data.read_flickr8k_captions()
    rows = [str(item).split("|") for item in data.judgments.items]
    judged: dict[str, set[str]] = {}
    for image, caption in rows:
        judged.setdefault(image, set()).add(captions[caption])
    gone = judged if exclude_candidates else {}
    references = {
        image: [text for text in (captions[f"{image}#{k}"] for k in range(5)) if text not in gone.get(image, ())]
        for image in judged
    }
    return data.with_scores(score_rouge([captions[c] for _, c in rows], [references[image] for image, _ in rows]))


def read_pascal_captions() -> tuple[list[tuple[str, str]], list[list[str]], list[str]]:
    """Captions, shipped references and image of each of the 4,000 pairs, in the order of `read_pascal_50s`."""
    with gzip.open(DATA / "pascal50s" / "pascal_50s.json.gz", "rt", encoding="utf-8") as file:
        pairs = [pair for group in json.load(file).values() for pair in group]
    images = [pair["image"].rpartition("/")[2] for pair in pairs]
    return [tuple(pair["captions"]) for pair in pairs], [pair["references"] for pair in pairs], images


def read_pascal_references() -> dict[str, list[str]]:
    """The 50 references of each image."""
    references = loadmat(DATA / "pascal50s" / "pascal50S.mat", squeeze_me=True)["refs"]
    return {str(row["image"]): [str(text).strip() for text in row["sent"]] for row in references}


def score_pascal(captions: Sequence[tuple[str, str]], references: Sequence[Sequence[str]]) -> np.ndarray:
    """ROUGE-L of both captions of each pair, shape (n_pairs, 2)."""
    return np.stack([score_rouge([pair[which] for pair in captions], references) for which in (0, 1)], axis=1)


def draw_references(images: Sequence[str], references: Mapping[str, list[str]], *, draw: int) -> list[list[str]]:
    """Five of the 50 references of each image."""
    rng = np.random.default_rng([SEED, draw])
    drawn = {image: [texts[k] for k in rng.choice(50, DRAW_SIZE, replace=False)] for image, texts in references.items()}
    return [drawn[image] for image in images]


def tabulate_expert() -> list[str]:
    """Flickr8k-Expert: x100, one choice changed at a time."""
    spice = shared_data.read_flickr8k_expert()
    rouge = score_flickr8k(spice, exclude_candidates=False)
    variants: list[tuple[str, dict[str, object]]] = [
        ("as the protocol says", {}),
        ("all 5,822 rows, own references too", {"rows": "all"}),
        ("mean of the three ratings", {"ratings": "mean"}),
        ("median of the three ratings", {"ratings": "median"}),
        ("mean of ratings z-scored by rater", {"ratings": "z-mean"}),
        ("majority of the three ratings", {"ratings": "majority"}),
        *((f"`{name}` in place of `kendall-c`", {"measures": f"item:{name}"}) for name in COEFFICIENTS),
        ("`kendall-b` of the mean rating", {"ratings": "mean", "measures": "item:kendall-b"}),
        ("in each image, then averaged (`group`), `kendall-b`", {"measures": "group:kendall-b"}),
    ]
    rows = []
    for words, options in variants:
        protocol = get_protocol("flickr8k-expert", **options)
        results = [evaluate_protocol(protocol, data)[0] for data in (spice, rouge)]
        rows.append([words, f"{results[0].n:,}", *(f"{100 * row.value:.2f}" for row in results)])
    return _format(("choice", "n", "SPICE", "ROUGE-L"), rows)


COEFFICIENTS = ("kendall-b", "kendall-a", "kendall-wmt", "spearman", "pearson")


def tabulate_cf() -> list[str]:
    """Flickr8k-CF: x100."""
    spice = shared_data.read_flickr8k_cf()
    rouge = score_flickr8k(spice, exclude_candidates=True)
    variants: list[tuple[str, dict[str, object]]] = [
        ("as the protocol says", {}),
        ("every vote by itself", {"ratings": "each"}),
        ("majority of the votes", {"ratings": "majority"}),
        *((f"`{name}` in place of `kendall-b`", {"measures": f"item:{name}"}) for name in ("kendall-c", "pearson")),
    ]
    rows = []
    for words, options in variants:
        results = [evaluate_protocol(get_protocol("flickr8k-cf", **options), data)[0] for data in (spice, rouge)]
        rows.append([words, f"{results[0].n:,}", *(f"{100 * row.value:.2f}" for row in results)])
    all_references = score_flickr8k(spice, exclude_candidates=False)
    value = evaluate_protocol(get_protocol("flickr8k-cf", references="all"), all_references)[0].value
    rows.append(["all five references, the candidate's own text too", "47,830", "", f"{100 * value:.2f}"])
    return _format(("choice", "n", "SPICE", "ROUGE-L"), rows)


def tabulate_pascal() -> list[str]:
    """PASCAL-50S: accuracy in percent."""
    spice = shared_data.read_pascal_50s()
    captions, shipped, images = read_pascal_captions()
    fifty = read_pascal_references()
    rouge = spice.with_scores(score_pascal(captions, shipped))
    draws = np.stack(
        [score_pascal(captions, draw_references(images, fifty, draw=draw)) for draw in range(N_DRAWS)], axis=0
    )
    every = score_pascal(captions, [fifty[image] for image in images])
    rows = []
    for metric, data in (("SPICE", spice), ("ROUGE-L", rouge)):
        rows += [
            [metric, f"`{ties}`", "shipped", *_measure_accuracy(data, ties=ties)]
            for ties in ("wrong", "half", "right", "first")
        ]
    chosen = {
        "5 of 50, five draws": draws,
        **{f"draw {number + 1}": draw for number, draw in enumerate(draws)},
        "all 50": every,
    }
    rows += [
        ["ROUGE-L", "`wrong`", words, *_measure_accuracy(spice.with_scores(scores))] for words, scores in chosen.items()
    ]
    return _format(("metric", "ties", "references", "HC", "HI", "HM", "MM", "mean"), rows)


def _measure_accuracy(data: JudgedPairs, *, ties: str = "wrong") -> list[str]:
    return [f"{100 * row.value:.2f}" for row in evaluate_protocol(get_protocol("pascal-50s", ties=ties), data)]


def tabulate_spice_u() -> list[str]:
    """The 11 direct votes: accuracy in percent and Pearson, SPICE with all 50 references."""
    data = shared_data.read_spice_u_pascal()
    rows = []
    for ties in ("first", "wrong", "half", "right"):
        results = evaluate_protocol(get_protocol("spice-u-pascal", ties=ties), data)
        shares = [f"{100 * row.value:.2f}" for row in results[:5]]
        rows.append([f"`{ties}`, 11 votes", *shares, f"{results[5].value:.4f}"])
    labels = replace(align_labels(data), scores=data.scores)
    results = evaluate_protocol(get_protocol("spice-u-pascal"), labels)
    rows.append(["`first`, labels of the 48 votes", *(f"{100 * row.value:.2f}" for row in results[:5]), "-"])
    return _format(("choice", "HC", "HI", "HM", "MM", "mean", "Pearson"), rows)


def tabulate_composite() -> list[str]:
    """The development half of Composite's Flickr8k part: x100."""
    captions = shared_data.read_flickr8k_captions()
    rows = shared_data.read_composite()
    images = [row["image"] for row in rows]
    texts = [row["caption"] for row in rows]
    every = [tuple(captions[f"{image}#{k}"] for k in range(5)) for image in images]
    judged: dict[str, list[str]] = {}
    for image, text in zip(images, texts, strict=True):
        judged.setdefault(image, []).append(text)
    of_row = [leave_out([text], references=five) for text, five in zip(texts, every, strict=True)]
    of_image = [leave_out(judged[image], references=five) for image, five in zip(images, every, strict=True)]
    items = np.arange(len(rows))
    table = JudgmentTable.build(
        items=items,
        image=images,
        item=items,
        rater=["x"] * len(rows),
        value=[float(row["correctness"]) for row in rows],
    )
    lines = []
    for name, references in (
        ("`exclude-candidate-per-row`: as the protocol says", of_row),
        ("`exclude-candidates-per-image`", of_image),
        ("`all`", every),
    ):
        data = RatedItems.build(table, scores=score_captions("bleu-1", texts, references))
        value = evaluate_protocol(get_protocol("composite"), data)[0].value
        lines.append([name, f"{100 * value:.2f}"])
    return _format(("references", "BLEU-1"), lines)


def tabulate_nebula() -> list[str]:
    """The test split of Nebula, each row with its own references: x100."""
    with (DATA / "nebula" / "nebula_test.jsonl").open(encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    items = np.arange(len(rows))
    values = [row["score"] for row in rows]
    table = JudgmentTable.build(items=items, image=items, item=items, rater=["x"] * len(rows), value=values)
    lines = []
    for name, metric in (("BLEU-4", "bleu-4"), ("ROUGE-L", "rouge-l")):
        scores = score_captions(metric, [row["candidate"] for row in rows], [row["references"] for row in rows])
        results = evaluate_protocol(get_protocol("nebula"), RatedItems.build(table, scores=scores))
        lines.append([name, *(f"{100 * row.value:.2f}" for row in results)])
    return _format(("metric", "tau-c", "Pearson"), lines)


def align_labels(direct: JudgedPairs) -> JudgedPairs:
    """The labels of the consensus study in the order of the direct votes; both list a category in the same order."""
    consensus = shared_data.read_pascal_50s().votes
    categories = direct.votes.category
    rank = np.zeros(len(categories), dtype=np.int64)
    for category in np.unique(categories):
        rank[categories == category] = np.arange((categories == category).sum())
    value = dict(zip(consensus.items[consensus.item].tolist(), consensus.value.tolist(), strict=True))
    labels = [value[f"{category}-{k}"] for category, k in zip(categories, rank, strict=True)]
    every = np.arange(len(labels))
    votes = replace(direct.votes, item=every, rater=np.full(len(labels), "consensus"), value=np.array(labels))
    return JudgedPairs.build(votes, scores=direct.scores)


def _format(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header), *rows)]


# Heading of the table's section in the page -> what builds its lines.
TABLES: Mapping[str, Callable[[], list[str]]] = {
    "flickr8k-expert@1": tabulate_expert,
    "flickr8k-cf@1": tabulate_cf,
    "pascal-50s@1": tabulate_pascal,
    "spice-u-pascal@1": tabulate_spice_u,
    "composite@1": tabulate_composite,
    "nebula@1": tabulate_nebula,
}

if __name__ == "__main__":
    for heading, tabulate in TABLES.items():
        print("\n".join([heading, "", *tabulate(), ""]))  # noqa: T201
