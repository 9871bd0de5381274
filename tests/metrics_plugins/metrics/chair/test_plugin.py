"""Tests of both metrics of hallucination."""

from metrics_plugins.runtime import load_registry


def test_all_are_registered() -> None:
    found = [name.info.id for name in load_registry(strict=True) if name.plugin == "hallucination"]

    assert found == ["chair-i", "chair-s"]
    assert not any(load_registry(strict=True).get(metric_id).info.higher_is_better for metric_id in found)


def test_the_tokeniser_is_provided() -> None:
    assert load_registry().get_tokenizer("nltk-words").name == "nltk-words"
