"""Features of worlds and captions, and the difference of two samples, for checks of distributions."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass

from scipy import stats

from captioning.worlds.language import parse_caption
from captioning.worlds.language.propositions import Noun
from captioning.worlds.model import World


def describe_form(value: object) -> str:
    """Return what a caption is about, with colours and shapes as letters: `a red square is above a cross` and more."""
    if isinstance(value, Noun):
        return f"{'C' if value.color else ''}{'S' if value.shape else ''}" or "H"
    if isinstance(value, tuple):
        return " ".join(describe_form(each) for each in value)
    if is_dataclass(value):
        parts = [describe_form(getattr(value, field.name)) for field in fields(value)]
        return f"{type(value).__name__}({' '.join(part for part in parts if part)})"
    return value if isinstance(value, str) else ""


def list_forms(captions: Iterable[str]) -> list[str]:
    """Return the form of each caption."""
    return [describe_form(parse_caption(caption)) for caption in captions]


def list_choices(captions: Iterable[str]) -> list[str]:
    """Return the relation or the modifier that each caption has first, or an empty text."""
    found = [re.search(r"Related\((\w+)|Quantified\((\w+ \w+)", form) for form in list_forms(captions)]
    return [match.group(0) if match else "" for match in found]


def compare_categories(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the p-value of chi-squared for two samples of categories; those expected below 4 are put together."""
    counts, others = Counter(first), Counter(second)
    share = len(first) / (len(first) + len(second))
    common = [name for name in sorted({*counts, *others}) if (counts[name] + others[name]) * share >= 4.0]
    table = [[sample[name] for name in common] for sample in (counts, others)]
    rest = [sum(sample.values()) - sum(row) for sample, row in zip((counts, others), table, strict=True)]
    if sum(rest):
        table = [[*row, left] for row, left in zip(table, rest, strict=True)]
    return float(stats.chi2_contingency(table).pvalue) if len(table[0]) > 1 else 1.0


def compare_numbers(first: Sequence[float], second: Sequence[float]) -> float:
    """Return the p-value of the Kolmogorov-Smirnov test for two samples of numbers."""
    return float(stats.ks_2samp(first, second).pvalue)


def measure_repetition(world: World) -> float:
    """Return the share of the most frequent shape, and of the most frequent colour, averaged."""
    n = len(world.entities)
    tops = [max(Counter(values).values()) / n for values in _list_attributes(world)]
    return sum(tops) / len(tops)


def _list_attributes(world: World) -> tuple[list[str], list[str]]:
    return [entity.shape for entity in world.entities], [entity.color for entity in world.entities]
