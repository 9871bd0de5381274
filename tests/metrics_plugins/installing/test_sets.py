"""Tests of the sets of metrics: each metric that needs packages belongs to one, or to all of them together."""

from metrics_plugins.api import Resource
from metrics_plugins.installing.sets import SETS, find_set
from metrics_plugins.runtime import load_registry


def test_metrics_of_each_set() -> None:
    infos = [each.info for each in load_registry(outside=False)]
    listed = {each.name: each.list_metrics(infos) for each in SETS}

    assert listed["meteor"] == ("meteor",)
    assert {"spice", "spice-u"} <= set(listed["spice"])
    assert "sentence-cosine" in listed["sentence"]
    assert listed["clip"] == ("clip-score", "ref-clip-score")
    extras = {extra for each in SETS for extra in each.extras}
    needing = [info for info in infos if any(isinstance(each, Resource) for each in info.resources)]
    unlisted = {info.id for info in needing} - {metric for ids in listed.values() for metric in ids}
    # It reads scores of metrics of several sets.
    assert unlisted == {"critic-judgments"}
    assert all(set(each.extras) <= extras for info in needing for each in info.resources if isinstance(each, Resource))


def test_a_set_is_found_by_its_name() -> None:
    assert find_set("spice") in SETS
    assert find_set("spicy") is None
