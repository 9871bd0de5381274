"""The cards of the metrics of generated worlds."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.card_texts import SECONDS
from metrics_plugins.metrics.publications import XIE

_NEEDS: Final = "The worlds that the captions describe, as a file (world_model.json) or a study of generated worlds."
_SYNTHETIC: Final = Weakness(
    "Works only on synthetic data, where a model of the world is known.", "Xie et al. (2019), introduction"
)
_GENERIC: Final = Weakness(
    "Generic statements that are nearly always true score well, so it should be read together with diversity.",
    "Xie et al. (2019), section on diversity",
)
GRAMMATICAL: Final = MetricCard(
    measures="Whether a caption is a sentence of the grammar of its world.",
    needs=_NEEDS,
    cost=SECONDS,
    weaknesses=(
        _SYNTHETIC,
        Weakness(
            "Says nothing about truth: it cannot tell a true caption from a false one.",
            "docs/worlds.md, The truth probe",
        ),
    ),
    publications=(XIE,),
)
TRUTHFUL: Final = MetricCard(
    measures="Whether a caption is true of its world; ambiguous and ungrammatical captions count as not true.",
    needs=_NEEDS,
    cost=SECONDS,
    weaknesses=(_SYNTHETIC, _GENERIC),
    publications=(XIE,),
)
DIVERSITY: Final = MetricCard(
    measures="The number of different constructions in the captions of a system, divided by that in the references.",
    needs=_NEEDS,
    cost=SECONDS,
    weaknesses=(
        _SYNTHETIC,
        Weakness("Says nothing about truth: it counts constructions of false captions too.", "Its definition"),
    ),
    publications=(XIE,),
)
