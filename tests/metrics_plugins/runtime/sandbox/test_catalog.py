import json

import pytest

from metrics_plugins.api.errors import UnknownMetric
from metrics_plugins.runtime import RefusedPlugin, load_registry
from metrics_plugins.runtime.sandbox.catalog import (
    Catalog,
    catalog_from_json,
    catalog_to_json,
    describe_registration,
    entry_from_json,
    entry_to_json,
)

ENTRIES = {each.info.id: describe_registration(each) for each in load_registry()}


@pytest.mark.parametrize("name", sorted(ENTRIES))
def test_entry_survives_json(name):
    assert entry_from_json(json.loads(json.dumps(entry_to_json(ENTRIES[name])))) == ENTRIES[name]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"level": "word"}, "^info.level: Input should be 'segment', 'set' or 'corpus', got 'word'$"),
        ({"bounds": [0]}, "^info.bounds.1: Field required"),
        ({"id": "BLEU"}, "^info: Value error, metric id must be lower-case words"),
    ],
)
def test_what_is_no_entry_is_refused_with_its_field(changed, message):
    record = entry_to_json(ENTRIES["bleu-1"])

    with pytest.raises(ValueError, match=message):
        entry_from_json({**record, "info": {**record["info"], **changed}})


def test_catalog_is_read_like_a_registry():
    catalog, registry = Catalog(ENTRIES), load_registry()

    assert [entry.info for entry in catalog] == [registration.info for registration in registry]
    assert len(catalog) == len(registry)
    assert catalog.get("bleu-1").info == registry.get("bleu-1").info


def test_unknown_metric_is_told_in_the_same_words():
    told = []
    for place in (Catalog(ENTRIES), load_registry()):
        with pytest.raises(UnknownMetric) as unknown:
            place.get("bleu-11")
        told.append(str(unknown.value))

    assert told[0] == told[1]
    assert told[0].startswith("no installed plugin has a metric 'bleu-11'; did you mean bleu-1")


def test_whole_catalog_survives_json():
    catalog = Catalog(ENTRIES, refused=(RefusedPlugin("bad", "bad 1.0", "it is bad"),), blocked=("bad = bad.plugin",))

    again = catalog_from_json(json.loads(json.dumps(catalog_to_json(catalog))))

    assert (again.metrics, again.refused, again.blocked) == (catalog.metrics, catalog.refused, catalog.blocked)
