"""Tests of the bundled head on judged captions, with the numbers of docs/critics.md.

None of the captions of the judged images is among those that it learned from, and no judgment is.
"""

import numpy as np
import pytest

from benchmarks.judged_captions import read_judged
from metrics_plugins.metrics.critics.reference.heads import BUNDLED, Head, digest_captions
from tests.correlation import shared_data
from tests.metrics_plugins.encoders import judged

pytestmark = pytest.mark.slow


def test_flickr8k() -> None:
    expert = judged.correlate_expert(judged.score("critic-reference", judged.make_flickr8k_expert()))
    crowd = judged.correlate_cf(judged.score("critic-reference", judged.make_flickr8k_cf()))

    assert (expert, crowd) == (pytest.approx(57.27, abs=0.05), pytest.approx(36.18, abs=0.05))


def test_pascal_50s() -> None:
    batch = judged.make_pascal_50s()

    found = judged.correlate_pascal(judged.score("critic-reference", batch), batch)

    expected = {"HC": 72.0, "HI": 99.8, "HM": 96.7, "MM": 77.3, "mean": 86.45}
    assert found == pytest.approx(expected, abs=0.101)


def test_composite_and_nebula() -> None:
    sets = dict(read_judged())

    found = {
        name: sets[name].correlate(judged.score("critic-reference", sets[name].batch))[0]
        for name in ("Composite", "Nebula")
    }

    # sentence-cosine: 48.23 and 49.63.
    assert found == pytest.approx({"Composite": 49.03, "Nebula": 50.74}, abs=0.05)


def test_captions_of_judged_images_were_kept_out() -> None:
    text = (shared_data.DATA / "flickr8k" / "ExpertAnnotations.txt").read_text(encoding="utf-8")
    images = {line.split("\t")[0] for line in text.splitlines()}
    captions = [text for key, text in shared_data.read_flickr8k_captions().items() if key.split("#")[0] in images]

    is_learned = np.isin(digest_captions(captions), Head.read(BUNDLED).learned)

    # What people wrote word for word of other images too, such as "A dog runs through the grass ."
    assert is_learned.mean() < 0.015
