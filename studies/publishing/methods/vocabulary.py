"""The vocabulary of the methods text: kinds, panels, protocols, intervals, tests and coefficients."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from correlation.protocols.recipe import Protocol
from correlation.reports.layout import TITLES
from studies.enums import PanelKind, TaskKind

TO_FILL = "[TO FILL: {}]"
"""The placeholder for text that only the authors can write."""
PLACEHOLDER = re.compile(r" ?\[TO FILL: ([^\]]*)\]")
"""What `TO_FILL` makes, a sentence of its own; the group says what is missing."""

PAYMENT = "payment of raters, or why they were not paid"
ELIGIBILITY = "who could take part: languages, countries, experience"
FIELDS: Mapping[str, str] = MappingProxyType({PAYMENT: "pay.reward", ELIGIBILITY: "eligibility"})
"""What is missing -> the field of the design from which it would have been written."""

SOFTWARE: Mapping[str, str] = MappingProxyType(
    {"accordance": "Accordance", "python": "Python", "numpy": "NumPy", "scipy": "SciPy"}
)
TASKS: Mapping[str, str] = MappingProxyType(
    {
        TaskKind.PAIRWISE: "chose the better of two captions",
        TaskKind.RATING: "rated captions one by one",
        TaskKind.SET_RATING: "rated sets of captions, all sets of an image together",
        TaskKind.TURING: "judged whether a person or a machine had written each caption",
        TaskKind.BEST_WORST: "named the best and the worst of several captions of an image",
        TaskKind.CAPTION: "wrote captions",
    }
)
PANELS: Mapping[str, str] = MappingProxyType(
    {
        PanelKind.LINK: "by a link to the study",
        PanelKind.PROLIFIC: "on Prolific",
        PanelKind.GENERIC: "from an online panel",
        PanelKind.IN_HOUSE: "by personal links",
        PanelKind.AMT: "on a panel that follows the Mechanical Turk model",
    }
)
LEVELS: Mapping[str, str] = MappingProxyType(
    {
        "item": "over all items",
        "group": "within each image and averaged over images",
        "system": "over the means of systems",
        "global": "over all pairs of system and image",
        "pair": "over pairs of captions",
    }
)
RATINGS: Mapping[str, str] = MappingProxyType(
    {
        "each": "Individual judgments are used",
        "share-of-yes": "The target is the share of raters who said yes",
        "majority": "The target is the majority of the judgments of an item",
        "mean": "The target is the mean judgment of an item",
        "median": "The target is the median judgment of an item",
        "z-mean": "The target is the mean judgment of an item, each rater's judgments standardised",
        "dawid-skene": "The target is the label that Dawid and Skene's model finds most likely",
        "mace": "The target is the label that MACE finds most likely",
    }
)
REFERENCES: Mapping[str, str] = MappingProxyType(
    {
        "all": "Metrics were given all references of an image",
        "exclude-candidate-per-row": "Metrics were given the references of an image except the judged caption itself",
        "exclude-candidates-per-image": "Metrics were given the references of an image except candidates",
        "set": "Metrics were given the references that the data set names for each candidate ({name})",
        "draw": "Metrics were given {size} references of an image, drawn {n_draws} times; values are means over draws",
    }
)
TIES: Mapping[str, str] = MappingProxyType(
    {
        "wrong": "two equal scores count as wrong",
        "half": "two equal scores count as half right",
        "right": "two equal scores count as right",
        "first": "two equal scores count as a choice of the first caption",
    }
)
METHODS: Mapping[str, str] = MappingProxyType(
    {
        "percentile": "percentile bootstrap",
        "bca": "bias-corrected and accelerated bootstrap",
        "jackknife": "jackknife",
        "fisher": "Fisher's transformation",
    }
)
TESTS: Mapping[str, str] = MappingProxyType(
    {
        "perm-both": "a permutation test that swaps the scores of single candidates (PERM-BOTH)",
        "perm-input": "a permutation test that swaps the scores of whole images (PERM-INPUT)",
        "perm-system": "a permutation test that swaps the scores of whole systems (PERM-SYSTEM)",
        "bootstrap": "a paired bootstrap",
        "williams": "Williams' test",
    }
)
CORRECTIONS: Mapping[str, str] = MappingProxyType(
    {"holm": "corrected by Holm", "bh": "corrected by Benjamini and Hochberg", "none": "uncorrected"}
)
AGREEMENTS: Mapping[str, str] = MappingProxyType(
    {
        "krippendorff-ordinal": "Krippendorff's alpha (ordinal)",
        "krippendorff-interval": "Krippendorff's alpha (interval)",
        "krippendorff-nominal": "Krippendorff's alpha (nominal)",
    }
)


def describe_eligibility(design: Mapping[str, Any]) -> str:
    """Return a sentence on who could take part; empty if the design does not say, or was frozen before it could.

    >>> describe_eligibility({"eligibility": "Adults in Ireland"})
    'Who could take part: Adults in Ireland.'
    """
    text = " ".join(design.get("eligibility", "").split())
    if not text:
        return ""
    return f"Who could take part: {text}{'' if text.endswith(('.', '!', '?')) else '.'}"


def count(number: int, thing: str, things: str = "") -> str:
    """Return a number with its noun: `1 image`, `1,000 images`."""
    return f"{number:,} {thing if number == 1 else things or f'{thing}s'}"


def join(parts: list[str]) -> str:
    """Return a list in words: `a`, `a and b`, `a, b and c`."""
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def describe_protocol(protocol: Protocol) -> str:
    """Return sentences on the coefficients, the judgments and the references of a protocol."""
    measures = [f"{TITLES[each.coefficient]} {LEVELS[each.level]}" for each in protocol.measures]
    rule = protocol.references
    references = REFERENCES[rule.kind].format(name=rule.name, size=rule.size, n_draws=rule.n_draws)
    ties = f"; {TIES[protocol.ties]}" if protocol.ties else ""
    ratings = RATINGS.get(protocol.ratings, f"Judgments were aggregated by {protocol.ratings}")
    return f"{join(measures)}{ties}. {ratings}. {references}."


def describe_captioner(record: Mapping[str, Any]) -> str:
    """Return a sentence on the captioner that wrote the candidates of a system."""
    decoding = f", decoding {record['decoding']}" if record["decoding"] else ""
    parameters = "".join(f", {name} {value}" for name, value in record["parameters"].items())
    digest = f", files {record['digest']}" if record["digest"] else ""
    note = f", {record['note']}" if record["note"] else ""
    return (
        f"The captions of system {record['system']} are by the captioner {record['captioner']} "
        f"({record['citation']}; version {record['version']}{decoding}{parameters}, "
        f"{count(record['n_captions'], 'caption')} for each image, seed {record['seed']}{digest}{note})."
    )
