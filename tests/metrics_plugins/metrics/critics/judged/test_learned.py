"""Tests of the storage of a fitted critic."""

from dataclasses import replace

import numpy as np

from metrics_plugins.metrics.critics.judged.learned import Learned, has_learned
from metrics_plugins.metrics.critics.judged.ridge import Ridge
from metrics_plugins.metrics.critics.judged.settings import CriticJudgmentsSettings

RIDGE = Ridge(1, 0.1, np.array([0.1, 1 / 3]), np.array([1.0, 2.0]), np.array([0.5, -1e-17]), 2.5)
LEARNED = Learned(
    settings=CriticJudgmentsSettings(features="tokens"),
    read={"encoder": "minilm+0a"},
    ridge=RIDGE,
    images=frozenset({"b", "a"}),
    keys=frozenset({"b-1", "a-1"}),
    made_of={"judgments": "0b"},
)


def test_every_bit_comes_back(tmp_path) -> None:
    assert not has_learned(tmp_path)
    LEARNED.write(tmp_path / "new")
    found = Learned.load(tmp_path / "new")

    assert has_learned(tmp_path / "new")
    assert (found.settings, found.read, found.images, found.keys) == (
        LEARNED.settings,
        LEARNED.read,
        LEARNED.images,
        LEARNED.keys,
    )
    for name in ("center", "scale", "coefficients"):
        assert getattr(found.ridge, name).tobytes() == getattr(RIDGE, name).tobytes()
    assert (found.ridge.degree, found.ridge.alpha, found.ridge.intercept) == (1, 0.1, 2.5)
    assert found.digest == LEARNED.digest


def test_digest_depends_on_what_scores_depend_on() -> None:
    others = [replace(LEARNED, read={"encoder": "other"}), replace(LEARNED, ridge=replace(RIDGE, intercept=2.0))]

    assert len({LEARNED.digest, *(other.digest for other in others)}) == 3
    assert replace(LEARNED, images=frozenset(), made_of={}).digest == LEARNED.digest
