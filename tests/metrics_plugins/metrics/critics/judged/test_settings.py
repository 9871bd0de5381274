"""Tests of settings and their rules."""

import pytest

from metrics_plugins.api import MetricError
from metrics_plugins.metrics.critics.judged.settings import CriticJudgmentsSettings


def test_features_come_in_one_order() -> None:
    settings = CriticJudgmentsSettings(features="words+tokens", alpha=0.5)

    assert settings.names == ("token precision", "token recall", "bleu-1", "rouge-l", "meteor", "length")
    assert settings.describe() == {"features": "tokens+words", "folds": 10, "alpha": 0.5, "degree": "nested"}
    assert CriticJudgmentsSettings.read(settings.to_json()) == settings


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"features": "words+spice"}, r"features must be different ones of critic, sentences, tokens, words, .* got"),
        ({"features": "words+words"}, r"features must be different ones of"),
        ({"folds": 1}, "folds must be 2 or more, got 1"),
        ({"alpha": -1.0}, r"alpha must be 0 or more, got -1\.0"),
        ({"degree": 3}, "degree must be 0, 1 or 2, got 3"),
        ({"colour": "red"}, "settings of another version: colour are not known"),
    ],
)
def test_choices_that_break_a_rule_are_named(changes: dict, message: str) -> None:
    with pytest.raises(MetricError, match=message):
        CriticJudgmentsSettings.read(changes)
