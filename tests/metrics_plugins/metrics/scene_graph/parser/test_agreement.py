"""Tests of our tuples against those of SPICE 1.0 on real captions, and of the agreement of both with people.

Official: golden/spice (spice-1.0.jar of pycocoevalcap 1.2 with CoreNLP 3.6.0). Neither parse is the truth; agreement
with people decides. The rules were chosen on half of the images of Flickr8k and every second pair of PASCAL-50S; all
numbers here are of the whole sets. Expected numbers are what spaCy 3.8.18 and the model 3.8.0 gave, rounded down.
"""

import gzip
import json
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from correlation.protocols.evaluate import evaluate_protocol
from correlation.protocols.named import get_protocol
from metrics_plugins.api import Batch
from metrics_plugins.metrics.scene_graph.graphs.proposals import Proposal, Proposals
from metrics_plugins.metrics.scene_graph.parsers import SpacyParser
from metrics_plugins.runtime import load_registry, run_metric
from tests.correlation import shared_data
from tests.metrics_plugins.metrics.scene_graph import published

KINDS = ("objects", "attributes", "relations")

# Precision, recall, F.
FLOORS = {"objects": (0.93, 0.93, 0.93), "attributes": (0.81, 0.80, 0.81), "relations": (0.58, 0.68, 0.63)}


def sort_by_kind(proposals: Proposals) -> list[set[Proposal]]:
    """Return distinct tuples of each kind; what an attribute or a relation is about is an object."""
    attributes = {proposal for proposal in proposals if len(proposal) == 2}
    relations = {proposal for proposal in proposals if len(proposal) == 3}
    named = [proposal[:1] for proposal in proposals] + [proposal[1:2] for proposal in relations]
    return [set(named), attributes, relations]


@pytest.mark.slow
def test_tuples_are_mostly_the_official(golden_folder: Path) -> None:
    with gzip.open(golden_folder / "spice" / "caption_tuples.jsonl.gz", "rt") as file:
        rows = [json.loads(line) for line in file]
    # By the parser of the metric: the tests below find these captions parsed.
    ours = [sort_by_kind(proposals) for proposals in SpacyParser.find().parse([row["caption"] for row in rows])]
    official = [sort_by_kind(tuple(map(tuple, row["tuples"]))) for row in rows]

    for number, kind in enumerate(KINDS):
        n_common, n_ours, n_official = np.sum(
            [
                (len(own[number] & other[number]), len(own[number]), len(other[number]))
                for own, other in zip(ours, official, strict=True)
            ],
            axis=0,
        )
        measured = n_common / n_ours, n_common / n_official, 2 * n_common / (n_ours + n_official)
        assert all(value >= floor for value, floor in zip(measured, FLOORS[kind], strict=True)), (kind, measured)


def score(batch: Batch) -> np.ndarray:
    metric = load_registry(strict=True).build("spice")
    return run_metric(metric, batch, rng=np.random.default_rng(0)).scores.values


@pytest.mark.slow
def test_people_agree_on_flickr8k_expert(data_folder: Path) -> None:
    rows = published.read_flickr8k_expert(data_folder)
    scores = score(rows.make_batch())

    (tau_c,) = evaluate_protocol(
        get_protocol("flickr8k-expert"), shared_data.read_flickr8k_expert().with_scores(scores)
    )
    pearson = np.corrcoef(scores, rows.scores)[0, 1]
    assert tau_c.value >= 0.4489
    assert pearson >= 0.97


@pytest.mark.slow
def test_people_agree_on_flickr8k_cf(data_folder: Path) -> None:
    rows = published.read_flickr8k_cf(data_folder)
    scores = score(rows.make_batch())

    (tau_b,) = evaluate_protocol(get_protocol("flickr8k-cf"), shared_data.read_flickr8k_cf().with_scores(scores))
    pearson = np.corrcoef(scores, rows.scores)[0, 1]
    assert tau_b.value >= 0.2442
    assert pearson >= 0.93


@pytest.mark.slow
def test_people_agree_on_pascal_50s(data_folder: Path) -> None:
    rows = published.read_pascal_50s(data_folder)
    scores = score(rows.make_batch())

    pairs = shared_data.read_pascal_50s()
    by_key = dict(zip(rows.keys, scores, strict=True))
    keys = [key.replace("-", "|") for key in pairs.votes.items]
    judged = pairs.with_scores([[by_key[f"{key}|0"], by_key[f"{key}|1"]] for key in keys])
    measured = evaluate_protocol(get_protocol("pascal-50s", ties="half"), judged)
    accuracies = {row.category: row.value for row in measured if row.category in ("HC", "HI", "HM", "MM")}
    mean = np.mean(list(accuracies.values()))
    pearson = np.corrcoef(scores, rows.scores)[0, 1]
    assert mean >= 0.7875
    assert pearson >= 0.93


@pytest.mark.slow
def test_people_agree_with_50_references(data_folder: Path) -> None:
    rows = published.read_pascal_with_50_references(data_folder)
    scores = score(rows.make_batch()).reshape(-1, 2)

    measured = evaluate_protocol(get_protocol("spice-u-pascal"), shared_data.read_spice_u_pascal().with_scores(scores))
    (pearson,) = (row.value for row in measured if row.coefficient == "pearson")
    accuracies = {row.category: row.value for row in measured if row.coefficient == "accuracy" and row.category}
    # The official program: .668, .985, .938, .711 and .749.
    assert pearson >= 0.749
    floors = {"HC": 0.65, "HI": 0.985, "HM": 0.935, "MM": 0.70}
    assert all(accuracies[category] >= floor for category, floor in floors.items()), accuracies


@pytest.mark.slow
def test_demo_results_of_coco(data_folder: Path) -> None:
    (package,) = find_spec("pycocoevalcap").submodule_search_locations
    with zipfile.ZipFile(Path(package) / "spice" / "spice-1.0.jar") as jar:
        annotations = json.loads(jar.read("coco/annotations/captions_val2014.json"))["annotations"]
    references: dict[int, list[str]] = {}
    for annotation in annotations:
        references.setdefault(annotation["image_id"], []).append(annotation["caption"])
    results = json.loads((data_folder / "coco" / "captions_val2014_fakecap_results.json").read_text())
    batch = Batch.make(
        [str(row["image_id"]) for row in results],
        candidates=[row["caption"] for row in results],
        references=[references[row["image_id"]] for row in results],
    )

    # The official program's mean, in the notebook of tylin/coco-caption.
    assert score(batch).mean() == pytest.approx(0.13289, abs=0.005)
