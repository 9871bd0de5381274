"""Tests of advice on declarations."""

from metrics_plugins.api import MetricCard
from metrics_plugins.runtime.checks import advise
from tests.metrics_plugins.api.examples import make_info


def test_a_missing_card_is_advised_and_a_card_ends_the_advice() -> None:
    assert advise(make_info()) == (
        "card: there is none that says what it measures, what it needs, its known weaknesses and what to cite",
    )
    assert advise(make_info(card=MetricCard(measures="Dogs."))) == ()
