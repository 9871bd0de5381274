import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.cli.arguments.building import build_metrics, split_ids
from metrics_plugins.cli.errors import UsageError
from metrics_plugins.runtime import load_registry


def test_ids_are_split_and_built_with_their_parameters() -> None:
    ids = split_ids("cider-d, length")

    built = build_metrics(load_registry(), ids, params=["cider-d.sigma=3"], device="cpu")

    assert [str(metric.signature) for metric in built] == [
        "cider-d|n:4|sigma:3|tok:ptb|df:references|v:1",
        "length|tok:ptb|v:1",
    ]


@pytest.mark.parametrize(("text", "message"), [("a,,b", "must be ids"), ("a,b,a", "got a more than once")])
def test_ids_that_are_wrong(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        split_ids(text)


def test_what_cannot_be_built_is_said() -> None:
    with pytest.raises(MetricError, match="no installed plugin provides a tokenizer 'nothing'"):
        build_metrics(load_registry(), ["length"], params=["length.tokenizer=nothing"], device="cpu")
    with pytest.raises(MetricError, match="no installed plugin has a metric 'nothing'"):
        build_metrics(load_registry(), ["nothing"], params=[], device="cpu")
