"""Tests against sacrebleu's own scores, for segments and for systems."""

import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from sacrebleu.metrics import BLEU, CHRF, TER

from metrics_plugins.adapters import adapt_sacrebleu
from metrics_plugins.api import Batch, Metric
from metrics_plugins.api.errors import PluginError
from metrics_plugins.runtime import load_registry, run_metric
from metrics_plugins.runtime.checks import CheckCase, parametrize_with_checks
from tests.installed import INSTALLED_PLUGINS
from tests.metrics_plugins.adapters.real_captions import load_rows
from tests.metrics_plugins.api.examples import ExamplePlugin


def make_chrf() -> CHRF:
    return CHRF(word_order=2)


def adapt(factory: object, metric_id: str, *, higher: bool = True, options: dict | None = None) -> type[Metric]:
    return adapt_sacrebleu(
        factory,
        id=metric_id,
        title=metric_id,
        bounds=(0.0, 100.0 if higher else math.inf),
        higher_is_better=higher,
        citation="Post (2018)",
        version="1",
        options=options,
    )


# Peer and adapted metric of each kind; single segments need BLEU's effective order.
PEERS = {
    "s-bleu": BLEU(effective_order=True),
    "s-bleu-2": BLEU(effective_order=True, lowercase=True, max_ngram_order=2, smooth_method="add-k"),
    "s-chrf": CHRF(),
    "s-chrf-words": CHRF(word_order=2),
    "s-ter": TER(),
}
REGISTRY = load_registry(
    [
        ExamplePlugin(
            adapt("sacrebleu.metrics:BLEU", "s-bleu", options={"effective_order": True}),
            adapt(
                BLEU,
                "s-bleu-2",
                options={
                    "effective_order": True,
                    "lowercase": True,
                    "max_ngram_order": 2,
                    "smooth_method": "add-k",
                },
            ),
            adapt("sacrebleu.metrics:CHRF", "s-chrf", options={"word_order": 0}),
            adapt(make_chrf, "s-chrf-words"),
            adapt("sacrebleu.metrics:TER", "s-ter", higher=False),
        )
    ],
    INSTALLED_PLUGINS,
)


@parametrize_with_checks(sorted(PEERS), registry=REGISTRY)
def test_contract(check: CheckCase) -> None:
    check()


@pytest.mark.parametrize("metric_id", sorted(PEERS))
def test_scores_are_those_of_the_peer(metric_id: str, data_folder: Path) -> None:
    rows = [(candidate, references[:4]) for candidate, references in load_rows(data_folder, n_rows=200)]
    batch = Batch.make(
        map(str, range(len(rows))), candidates=[row[0] for row in rows], references=[row[1] for row in rows]
    )

    run = run_metric(REGISTRY.build(metric_id), batch, rng=np.random.default_rng(0))

    peer = PEERS[metric_id]
    assert run.scores.values.tolist() == [peer.sentence_score(*row).score for row in rows]
    columns = [[references[place] for _, references in rows] for place in range(4)]
    corpus = peer.corpus_score([candidate for candidate, _ in rows], columns).score
    assert run.corpus == pytest.approx(corpus, rel=1e-12)


def test_row_without_references_counts_for_nothing() -> None:
    metric = REGISTRY.build("s-chrf")
    full = Batch.make(["x"], candidates=["a dog"], references=[["the dog"]])
    more = Batch.make(["x", "y"], candidates=["a dog", "a cat"], references=[["the dog"], []])

    runs = [run_metric(metric, batch, rng=np.random.default_rng(0)) for batch in (full, more)]

    assert np.isnan(runs[1].scores.values[1])
    assert runs[1].corpus == runs[0].corpus > 0


def test_options_and_version_print_and_survive_pickling() -> None:
    metric = REGISTRY.build("s-chrf", word_order=2)

    assert str(metric.signature) == "s-chrf|word_order:2|sacrebleu:2.6.0|v:1"
    assert pickle.loads(pickle.dumps(metric)).n_statistics == metric.n_statistics == 24  # noqa: S301
    assert REGISTRY.build("s-chrf").n_statistics == 18


@pytest.mark.parametrize("name", ["sacrebleu.metrics:Chrf", "sacrebleu.metrix:CHRF", "sacrebleu.metrics.CHRF"])
def test_wrong_name(name: str) -> None:
    registry = load_registry([ExamplePlugin(adapt(name, "s-wrong"))], INSTALLED_PLUGINS)
    batch = Batch.make(["x"], candidates=["a dog"], references=[["the dog"]])

    with pytest.raises(PluginError, match=rf"'{name}' must be `package.module:Name` of something installed: "):
        run_metric(registry.build("s-wrong"), batch, rng=np.random.default_rng(0))
