"""Tests of METEOR's published agreement with people, and of its score of a published system.

Expected: shared/data/*/README.md, recomputed with pycocoevalcap 1.2; Hessel et al. (2021) print 41.8 and 22.2.
"""

import gzip
import json
import zipfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat
from scipy.stats import kendalltau, pearsonr

from tests.metrics_plugins.metrics.meteor.scoring import Rows, run_meteor


def score(rows: Rows) -> np.ndarray:
    return run_meteor(rows, tokenizer="ptb").scores.values


def test_flickr8k_expert(data_folder: Path) -> None:
    with gzip.open(data_folder / "flickr8k" / "flickr8k.json.gz", "rt") as file:
        images = json.load(file).values()
    ratings = [(judgment, image) for image in images for judgment in image["human_judgement"]]

    scores = score([(judgment["caption"], image["ground_truth"]) for judgment, image in ratings])

    tau = kendalltau(scores, [judgment["rating"] for judgment, _ in ratings], variant="c").statistic
    assert len(ratings) == 16_992
    assert 100 * tau == pytest.approx(41.82, abs=0.01)


@pytest.mark.slow
def test_flickr8k_crowdflower(data_folder: Path) -> None:
    folder = data_folder / "flickr8k"
    captions: dict[str, str] = {}
    with gzip.open(folder / "Flickr8k.token.txt.gz", "rt") as file:
        captions.update(line.rstrip("\n").split("\t") for line in file)
    with gzip.open(folder / "CrowdFlowerAnnotations.txt.gz", "rt") as file:
        votes = [line.split("\t")[:3] for line in file]
    # No caption is a reference of an image that it is a candidate for.
    candidates: dict[str, set[str]] = {}
    for image, caption, _ in votes:
        candidates.setdefault(image, set()).add(captions[caption])
    references = {
        image: [text for n in range(5) if (text := captions[f"{image}#{n}"]) not in texts]
        for image, texts in candidates.items()
    }

    scores = score([(captions[caption], references[image]) for image, caption, _ in votes])

    tau = kendalltau(scores, [float(share) for _, _, share in votes], variant="b").statistic
    assert len(votes) == 47_830
    assert 100 * tau == pytest.approx(22.27, abs=0.01)


@pytest.mark.slow
def test_pascal_50s(data_folder: Path) -> None:
    # Labels of the consensus study and the five references that come with them; a tie of the metric is wrong.
    with gzip.open(data_folder / "pascal50s" / "pascal_50s.json.gz", "rt") as file:
        categories = json.load(file)

    accuracies = {}
    for category, pairs in categories.items():
        rows = [(caption, pair["references"]) for pair in pairs for caption in pair["captions"]]
        first, second = score(rows).reshape(-1, 2).T
        label = np.array([pair["label"] for pair in pairs])
        accuracies[category] = 100 * np.where(label == 0, first > second, second > first).mean()

    assert accuracies == pytest.approx({"HC": 63.3, "HI": 97.5, "HM": 93.2, "MM": 65.5}, abs=0.1)


@pytest.mark.slow
def test_pascal_50s_as_in_the_paper_of_spice_u(data_folder: Path) -> None:
    # The direct votes, all fifty references, a tie of the metric chooses the first caption (table 2 there).
    folder = data_folder / "pascal50s"
    images = loadmat(folder / "pascal50S.mat", simplify_cells=True)["refs"]
    references = {row["image"]: [text.strip() for text in row["sent"]] for row in images}
    pairs = loadmat(folder / "pair_pascal.mat", simplify_cells=True)
    votes = np.array([np.asarray(row["result"], dtype=np.int64).mean() for row in pairs["result"]])

    rows = [(row[name].strip(), references[row["name"]]) for row in pairs["new_input"] for name in ("sent1", "sent2")]
    first, second = score(rows).reshape(-1, 2).T

    agrees = (first >= second) == (votes > 0)
    accuracies = [100 * agrees[pairs["category"] == category].mean() for category in (1, 2, 3, 4)]
    assert accuracies == pytest.approx([57.50, 99.30, 96.90, 62.30], abs=0.01)
    assert pearsonr(votes, first - second).statistic == pytest.approx(0.7098, abs=0.0001)


@pytest.mark.slow
def test_published_system_output(data_folder: Path) -> None:
    (package,) = find_spec("pycocoevalcap").submodule_search_locations
    with zipfile.ZipFile(Path(package) / "spice" / "spice-1.0.jar") as jar:
        annotations = json.loads(jar.read("coco/annotations/captions_val2014.json"))["annotations"]
    references: dict[int, list[str]] = {}
    for annotation in annotations:
        references.setdefault(annotation["image_id"], []).append(annotation["caption"])
    results = json.loads((data_folder / "coco" / "captions_val2014_fakecap_results.json").read_text())

    run = run_meteor([(row["caption"], references[row["image_id"]]) for row in results], tokenizer="ptb")

    assert run.corpus == pytest.approx(0.1952546718, abs=1e-9)
