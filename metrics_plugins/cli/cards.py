"""The card of one metric as text: its declaration, what to know of it, and what to cite."""

import textwrap
from collections.abc import Iterator
from math import isfinite

from metrics_plugins.api import FitsOn, MetricInfo
from metrics_plugins.runtime import RegisteredMetric
from metrics_plugins.runtime.sandbox.parameters import list_parameters

_WIDTH = 100
_LABEL = 12


def format_card(registration: RegisteredMetric, *, signature: str) -> str:
    """Return the card, in lines of at most 100 characters except BibTeX and the signature."""
    return "\n".join(_list_lines(registration, signature)) + "\n"


def _list_lines(registration: RegisteredMetric, signature: str) -> Iterator[str]:
    info, card = registration.info, registration.info.card
    yield f"{info.title} ({info.id}), version {info.version}, of {registration.distribution or registration.plugin}"
    yield from _write("measures", card.measures if card else "")
    yield from _write("score", _describe_score(info))
    yield from _write("reads", ", ".join(sorted(info.inputs)))
    yield from _write("learns from", "" if info.fits_on is FitsOn.NOTHING else info.fits_on.value)
    yield from _write("needs", info.needs)
    yield from _write("cost", card.cost if card else "")
    yield from _write(
        "parameters", ", ".join(f"{each.name}={each.default}" for each in list_parameters(registration.metric_class))
    )
    yield f"{'signature':<{_LABEL}} {signature}"
    for number, weakness in enumerate(card.weaknesses if card else ()):
        yield from _write("" if number else "weaknesses", f"- {weakness.text} [{weakness.source}]")
    yield from _write("cite", info.citation)
    if card and card.bibtex:
        yield f"\n{card.bibtex}"


def _describe_score(info: MetricInfo) -> str:
    bounds = [f"{bound:g}" if isfinite(bound) else "no bound" for bound in info.bounds]
    better = "higher" if info.higher_is_better else "lower"
    return f"one for each {info.level}, {bounds[0]} to {bounds[1]}; {better} is better"


def _write(label: str, text: str) -> Iterator[str]:
    if text:
        yield textwrap.fill(
            text,
            width=_WIDTH,
            initial_indent=f"{label:<{_LABEL}} ",
            subsequent_indent=" " * (_LABEL + 1),
            break_long_words=False,
            break_on_hyphens=False,
        )
