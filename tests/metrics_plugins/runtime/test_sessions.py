"""Tests that all backends give the same scores, and that a failing metric does not affect others."""

import numpy as np
import pytest

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.runtime import load_registry, run_metric
from metrics_plugins.runtime.chunks import cut_chunks, join_results
from metrics_plugins.runtime.preparing import Learning
from metrics_plugins.runtime.sandbox import ChildStopped, PluginChoice, SandboxLimits
from metrics_plugins.runtime.sandbox.catalog import describe_registration
from metrics_plugins.runtime.sessions import AskedMetric, PluginFailed, SessionWatch, make_backend
from tests.metrics_plugins.api.examples import ExamplePlugin, Words

CAPTIONS = ("a dog runs", "two cats", "the red bus", "a dog", "", "cats and dogs sleep", "a bus")
ROWS = Batch.make(
    [f"row-{number}" for number in range(7)],
    candidates=CAPTIONS,
    references=[["a dog runs fast"], ["cats"]] * 3 + [["a"]],
)
METRICS = ("length", "bleu-2", "cider-d")
PARAMS = {"cider-d": {"sigma": 3.0}}


def make(kind):
    if kind == "sandbox":
        return make_backend(kind, plugins=PluginChoice(outside=False), limits=SandboxLimits(seconds=60))
    return make_backend(kind, registry=load_registry(), workers=2)


def ask(registry, *names):
    return [AskedMetric(describe_registration(registry.get(name)), PARAMS.get(name, {})) for name in names]


@pytest.mark.parametrize("kind", ["inline", "processes", "sandbox"])
def test_every_backend_gives_the_scores_of_the_whole_batch(kind):
    registry, backend, learning = load_registry(), make(kind), Learning(lambda: ROWS)
    found, prepared = {}, {}
    for group in backend.group(ask(registry, *METRICS)):
        with backend.open(group, learning=learning, watch=SessionWatch()) as session:
            names = tuple(each.id for each in group)
            prepared |= {each.id: session.prepare(each) for each in group}
            for name in names:
                session.fit(name)
            chunks = cut_chunks(ROWS, names, size=2)
            for result in session.score(chunks, metrics=names, n_chunks=len(chunks)):
                assert result.error == ""
                found.setdefault(result.metric, []).append(result)

    for name in METRICS:
        metric = registry.build(name, **PARAMS.get(name, {}))
        whole = run_metric(metric, ROWS, rng=np.random.default_rng(0))
        ready = metric if prepared[name].metric is None else prepared[name].metric.ready
        values = np.concatenate([each.values for each in sorted(found[name], key=lambda each: each.index)])
        assert values.tobytes() == whole.scores.values.tobytes()
        assert prepared[name].signature == str(whole.signature)
        if prepared[name].metric:
            assert join_results(ready, found[name], keys=ROWS.keys).corpus == whole.corpus


@pytest.mark.parametrize("kind", ["inline", "sandbox"])
def test_metric_that_cannot_be_built_leaves_the_session_to_the_others(kind):
    registry, backend = load_registry(), make(kind)
    (length,) = ask(registry, "length")
    bad = AskedMetric(length.entry, {"tokenizer": "klingon"})

    with backend.open([length], learning=Learning(lambda: ROWS), watch=SessionWatch()) as session:
        with pytest.raises(MetricError, match="no installed plugin provides a tokenizer 'klingon'"):
            session.prepare(bad)
        assert session.prepare(length).signature == "length|tok:ptb|v:1"


class Unbuilt(Words):
    """Raises what is no error of the contract."""

    @classmethod
    def build(cls, context):
        raise FileNotFoundError("weights.pt")


def test_what_a_plugin_raises_is_told_with_its_type():
    registry = load_registry([ExamplePlugin(Unbuilt)])
    backend = make_backend("inline", registry=registry)
    (asked,) = ask(registry, "words")

    with (
        backend.open([asked], learning=Learning(lambda: ROWS), watch=SessionWatch()) as session,
        pytest.raises(PluginFailed, match=r"FileNotFoundError: weights\.pt"),
    ):
        session.prepare(asked)


class Stops(SessionWatch):
    def stop(self):
        return True


def test_watch_ends_the_work_behind_the_chunk_that_was_scored():
    registry = load_registry()
    backend = make_backend("inline", registry=registry)
    taken = []

    with backend.open(ask(registry, "length"), learning=Learning(lambda: ROWS), watch=Stops()) as session:
        session.prepare(ask(registry, "length")[0])
        results = session.score(cut_chunks(ROWS, ("length",), size=2), metrics=("length",), n_chunks=4)
        taken.append(next(results).index)
        with pytest.raises(ChildStopped):
            next(results)

    assert taken == [0]


def test_sandbox_keeps_metrics_of_other_plugins_and_those_with_parameters_apart():
    groups = list(make("sandbox").group(ask(load_registry(), *METRICS)))

    assert [[each.id for each in group] for group in groups] == [["length", "bleu-2"], ["cider-d"]]
