"""The cards of CHAIRi and CHAIRs."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.card_texts import SECONDS
from metrics_plugins.metrics.publications import ROHRBACH

_NEEDS: Final = "The objects in the images can be given as the parameter objects."
_WEAKNESSES: Final = (
    Weakness(
        "Knows only the 80 object categories of COCO and their synonyms.",
        "docs/plugins.md, Objects in the images",
    ),
    Weakness(
        "Without a file of objects, an object that no reference mentions counts as hallucinated, even if the image "
        "shows it.",
        "docs/plugins.md, Objects in the images",
    ),
    Weakness(
        'The published rules overlook some words, such as "bus" and "motor bike"; rules=corrected finds them.',
        "docs/plugins.md, Objects in the images",
    ),
)
CHAIR_I: Final = MetricCard(
    measures="Hallucination: the share of the objects that a caption mentions that are not in the image.",
    needs=_NEEDS,
    cost=SECONDS,
    weaknesses=(
        Weakness(
            "Measures only objects: a list of objects scores better than captions of people and of a captioner.",
            "docs/probes.md, Probes",
        ),
        *_WEAKNESSES,
    ),
    publications=(ROHRBACH,),
)
CHAIR_S: Final = MetricCard(
    measures="Hallucination: whether a caption mentions an object that is not in the image; for a system, the share of "
    "such.",
    needs=_NEEDS,
    cost=SECONDS,
    weaknesses=(
        Weakness("Measures only objects, and not how many of them are wrong.", "Its definition"),
        *_WEAKNESSES,
    ),
    publications=(ROHRBACH,),
)
