import json

import numpy as np

from metrics_plugins.probes.human.agreement import measure_human_agreement
from metrics_plugins.probes.human.recall import measure_human_recall
from metrics_plugins.probes.human.report import format_agreement, print_agreement
from metrics_plugins.probes.words import count_words, measure_word_agreement
from tests.metrics_plugins.probes.captions import REFERENCES, Shared, Words

FOUND = measure_human_agreement([Shared(), Words()], REFERENCES, rng=np.random.default_rng(0))
COUNTS = count_words(REFERENCES, n_references=2)


def test_markdown_has_a_row_a_metric():
    assert print_agreement(FOUND) == (
        "Images: 2 / 2 / 2; dropped (no second reference): 1.\n"
        "\n"
        "| metric | reference 0 | reference 1 | reference 2 | mean |\n"
        "| --- | ---: | ---: | ---: | ---: |\n"
        "| shared | 0.8333 | 0.2500 | 0.8333 | 0.6389 |\n"
        "| words | 3.0000 | 3.5000 | 2.5000 | 3.0000 |\n"
        "\n"
        "- `shared|v:1`\n"
        "- `words|v:1`\n"
    )


def test_word_rows_are_printed_after_the_metrics():
    # dog is in all three captions of its image; brown in one.
    printed = print_agreement(FOUND, measure_word_agreement(COUNTS, ["dog", "brown"]))

    assert printed.endswith(
        "| word | images | Hp | Hr | p | Hp of the model |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: |\n"
        "| dog | 1 | 1.0000 | 1.0000 | 1.0000 | 1.0000 |\n"
        "| brown | 1 | 0.0000 | 0.0000 | 0.0000 | 0.0000 |\n"
    )


def test_words_of_a_system_stand_beside_those_of_people():
    captions = {"dogs": ["a dog"], "cats": ["a dog"]}

    words = measure_human_recall(COUNTS, captions, words=["dog", "brown"])

    printed = print_agreement(FOUND, words)
    assert "| system: images | precision | recall | PHR |" in printed
    # Right: 3 * 2 for dogs; wrong: 3 for cats.
    assert "| dog | 1 | 1.0000 | 1.0000 | 1.0000 | 1.0000 | 2 | 0.6667 | 1.0000 | 0.6667 |" in printed
    assert "| brown | 1 | 0.0000 | 0.0000 | 0.0000 | 0.0000 | 0 | - | 0.0000 | - |" in printed
    assert printed.endswith("Mean PHR: 0.6667, over the 1 of 2 words in which it is defined.\n")
    assert print_agreement(FOUND, words[1:]).endswith(
        "Mean PHR: undefined, over the 0 of 1 words in which it is defined.\n"
    )


def test_json_has_all_of_it():
    words = measure_human_recall(COUNTS, {"dogs": ["a dog"], "cats": ["a cat"]}, words=["brown"])

    content = json.loads(format_agreement(FOUND, words))

    assert [each["metric"] for each in content["metrics"]] == ["shared", "words"]
    assert content["metrics"][1]["rounds"][0] == {
        "position": 0,
        "n_images": 2,
        "n_missing": 0,
        "system": 3.0,
        "mean": 3.0,
    }
    assert content["words"] == [
        {
            "word": "brown",
            "n_references": 2,
            "n_images": 1,
            "precision": 0.0,
            "recall": 0.0,
            "probability": 0.0,
            "model_precision": 0.0,
            "system": {"n_images": 0, "precision": None, "recall": 0.0, "precision_at_human_recall": None},
        }
    ]
    assert json.loads(format_agreement(FOUND, measure_word_agreement(COUNTS, ["dog"])))["words"][0]["recall"] == 1.0
    assert json.loads(format_agreement(FOUND))["words"] == []
