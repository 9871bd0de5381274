"""The cards of the two forms of Word Mover's Distance."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.card_texts import NUMBERS, SECONDS
from metrics_plugins.metrics.publications import KUSNER, WANG_WAN

_NEEDS: Final = "Other word vectors than GloVe's with 50 dimensions can be given as the parameter vectors."
_FLUENCY: Final = Weakness(
    "Cannot reflect fluency, because captions are bags of word vectors.",
    "Wang et al. (2020), On diversity in image captioning, section 7",
)
_LEFT_OUT: Final = Weakness(
    "Stop words and words without a vector are left out.",
    "docs/plugins.md, Word vectors",
)
WMD: Final = MetricCard(
    measures=(
        "A distance: how far the words of the candidate must be moved, in a space of word vectors, to become those of "
        "the nearest reference. Lower is better."
    ),
    needs=_NEEDS,
    cost=SECONDS,
    weaknesses=(_FLUENCY, _LEFT_OUT, NUMBERS),
    publications=(KUSNER,),
)
WMD_SET: Final = MetricCard(
    measures=(
        "How well the words of a whole set of captions cover those of the references: exp(-d), where d is the distance "
        "over which words must be moved in a space of word vectors."
    ),
    needs=_NEEDS,
    cost=SECONDS,
    weaknesses=(_FLUENCY, _LEFT_OUT),
    publications=(WANG_WAN, KUSNER),
)
