"""Readers of the published data sets and the official SPICE scores, for tests of protocols."""

from __future__ import annotations

import csv
import gzip
import json
import os
from pathlib import Path

import numpy as np
from scipy.io import loadmat

from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.tables import JudgmentTable

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("ACCORDANCE_DATA", ROOT.parent / "shared" / "data"))
SPICE = DATA.parent / "golden" / "spice"
GOLDEN = ROOT / "fixtures" / "golden"


def read_csv_gz(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_flickr8k_captions() -> dict[str, str]:
    with gzip.open(DATA / "flickr8k" / "Flickr8k.token.txt.gz", "rt", encoding="utf-8") as file:
        pairs = (line.rstrip("\n").split("\t") for line in file)
        return {key: " ".join(caption.split()) for key, caption in pairs}


def read_flickr8k_expert() -> RatedItems:
    """All 5,822 rows with the ratings of three experts, scored by the official SPICE."""
    text = (DATA / "flickr8k" / "ExpertAnnotations.txt").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    captions = read_flickr8k_captions()
    items = [f"{image}|{caption}" for image, caption, *_ in rows]
    own = [captions[c] in {captions[f"{image}#{k}"] for k in range(5)} for image, c, *_ in rows]
    judgments = JudgmentTable.build(
        items=items,
        image=[row[0] for row in rows],
        item=np.repeat(items, 3),
        rater=["expert-1", "expert-2", "expert-3"] * len(rows),
        value=[float(rating) for row in rows for rating in row[2:5]],
    )
    scores = [float(row["spice"]) for row in read_csv_gz(SPICE / "flickr8k_expert.csv.gz")]
    return RatedItems.build(judgments, scores=scores, in_references=own)


def read_flickr8k_cf() -> RatedItems:
    """All 47,830 rows with their 144,860 yes/no votes, scored by the official SPICE."""
    with gzip.open(DATA / "flickr8k" / "CrowdFlowerAnnotations.txt.gz", "rt", encoding="utf-8") as file:
        rows = [line.split("\t") for line in file]
    items = np.array([f"{row[0]}|{row[1]}" for row in rows])
    yes, no = (np.array([int(row[column]) for row in rows]) for column in (3, 4))
    votes = [vote for y, n in zip(yes, no, strict=True) for vote in [1.0] * y + [0.0] * n]
    judgments = JudgmentTable.build(
        items=items,
        image=[row[0] for row in rows],
        item=np.repeat(items, yes + no),
        rater=[f"vote-{k}" for y, n in zip(yes, no, strict=True) for k in range(y + n)],
        value=votes,
    )
    scores = [float(row["spice"]) for row in read_csv_gz(SPICE / "flickr8k_cf.csv.gz")]
    return RatedItems.build(judgments, scores=scores)


def read_composite() -> list[dict[str, str]]:
    """The 1,428 rated captions of half of Composite's Flickr8k part: image, system, caption, correctness."""
    with (DATA / "composite" / "composite_8k_half.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def read_pascal_50s() -> JudgedPairs:
    """The 4,000 majority labels of the 48-vote study, scored by the official SPICE with the shipped references."""
    with gzip.open(DATA / "pascal50s" / "pascal_50s.json.gz", "rt", encoding="utf-8") as file:
        pairs = [(name, pair) for name, group in json.load(file).items() for pair in group]
    keys = [f"{name}-{k % 1000}" for k, (name, _) in enumerate(pairs)]
    votes = JudgmentTable.build(
        items=keys,
        image=[pair["image"] for _, pair in pairs],
        category=[name for name, _ in pairs],
        item=keys,
        rater=["consensus"] * len(keys),
        value=[1 - 2 * pair["label"] for _, pair in pairs],
    )
    scores = {
        (f"{row['cat']}-{row['row']}", int(row["which"])): float(row["spice"])
        for row in read_csv_gz(SPICE / "pascal50s.csv.gz")
    }
    return JudgedPairs.build(votes, scores=[[scores[key, 0], scores[key, 1]] for key in keys])


def read_spice_u_pascal() -> JudgedPairs:
    """The 43,994 direct votes on the 4,000 pairs, scored by the official SPICE with all 50 references."""
    mat = loadmat(DATA / "pascal50s" / "pair_pascal.mat", squeeze_me=True)
    results = [np.ravel(result.item()).astype(float) for result in mat["result"]]
    keys = [str(k) for k in range(4000)]
    categories = np.array(["", "HC", "HI", "HM", "MM"])[mat["category"]]
    votes = JudgmentTable.build(
        items=keys,
        image=[str(name) for name in mat["new_input"]["name"]],
        category=categories,
        item=np.repeat(keys, [len(result) for result in results]),
        rater=[f"vote-{k}" for result in results for k in range(len(result))],
        value=np.concatenate(results),
    )
    scores = np.full((4000, 2), np.nan)
    for row in read_csv_gz(SPICE / "pascal50s_50_references.csv.gz"):
        scores[int(row["pair"]), int(row["which"])] = float(row["spice"])
    return JudgedPairs.build(votes, scores=scores)
