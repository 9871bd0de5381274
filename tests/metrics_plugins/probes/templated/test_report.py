import json

import numpy as np

from metrics_plugins.probes.templated.probing import probe_metrics
from metrics_plugins.probes.templated.report import format_probing, print_probing
from tests.metrics_plugins.probes.captions import REFERENCES, Dogs, Words

PROBES = {"list": {"dogs": "There is a dog", "cats": "There is a cat"}, "silent": {"dogs": "", "cats": ""}}
SYSTEMS = {"good": {"dogs": "the dog", "cats": "cats"}}


def make_report(systems=SYSTEMS):
    return probe_metrics([Words(), Dogs()], REFERENCES, probes=PROBES, systems=systems, rng=np.random.default_rng(0))


def test_markdown():
    assert print_probing(make_report()) == (
        "Images: 2; dropped (no second reference): 1. People are reference 0; all are scored against the "
        "other references.\n"
        "\n"
        "Captions of the first image:\n"
        "\n"
        "- list: There is a dog\n"
        "- silent: (no words)\n"
        "\n"
        "## Metrics that a probe tops\n"
        "\n"
        "| metric | topping people | topping all systems |\n"
        "| --- | --- | --- |\n"
        "| words | list | list |\n"
        "| dogs | none | none |\n"
        "\n"
        "## Scores\n"
        "\n"
        "| metric | captions | by | system score | mean | missing |\n"
        "| --- | --- | --- | ---: | ---: | ---: |\n"
        "| words | people | people | 3.0000 | 3.0000 | 0 |\n"
        "| words | good | system | 1.5000 | 1.5000 | 0 |\n"
        "| words | list | probe | 4.0000 | 4.0000 | 0 |\n"
        "| words | silent | probe | 0.0000 | 0.0000 | 0 |\n"
        "| dogs | people | people | 0.5000 | 0.5000 | 0 |\n"
        "| dogs | good | system | 0.5000 | 0.5000 | 0 |\n"
        "| dogs | list | probe | 0.5000 | 0.5000 | 0 |\n"
        "| dogs | silent | probe | - | - | 2 |\n"
        "\n"
        "## Image by image\n"
        "\n"
        "| metric | probe | against | probe better | equal | images |\n"
        "| --- | --- | --- | ---: | ---: | ---: |\n"
        "| words | list | people | 100.0 % | 0.0 % | 2 |\n"
        "| words | list | good | 100.0 % | 0.0 % | 2 |\n"
        "| words | silent | people | 0.0 % | 0.0 % | 2 |\n"
        "| words | silent | good | 0.0 % | 0.0 % | 2 |\n"
        "| dogs | list | people | 0.0 % | 100.0 % | 2 |\n"
        "| dogs | list | good | 0.0 % | 100.0 % | 2 |\n"
        "| dogs | silent | people | - | - | 0 |\n"
        "| dogs | silent | good | - | - | 0 |\n"
        "\n"
        "- `words|v:1`\n"
        "- `dogs|v:1`\n"
    )


def test_without_systems_there_is_no_column_for_them():
    printed = print_probing(make_report(systems={}))

    assert "| metric | topping people |\n| --- | --- |\n| words | list |\n" in printed


def test_json():
    content = json.loads(format_probing(make_report()))

    assert (content["n_images"], content["n_dropped"], content["position"]) == (2, 1, 0)
    assert content["examples"] == {"list": "There is a dog", "silent": ""}
    words, dogs = content["metrics"]
    assert (words["tops_people"], words["tops_systems"], dogs["tops_people"]) == (["list"], ["list"], [])
    assert dogs["showings"][-1] == {"name": "silent", "role": "probe", "system": None, "mean": None, "n_missing": 2}
    assert words["duels"][0] == {
        "probe": "list",
        "opponent": "people",
        "role": "people",
        "share_better": 1.0,
        "share_equal": 0.0,
        "n_images": 2,
        "is_topped": True,
    }
