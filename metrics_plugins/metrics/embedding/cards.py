"""The cards of the metrics with pretrained encoders."""

from typing import Final

from metrics_plugins.api import MetricCard, Weakness
from metrics_plugins.metrics.card_texts import AN_HOUR, ENCODER_NEEDS, MINUTES, NUMBERS, lose_little_by_shuffling
from metrics_plugins.metrics.publications import HESSEL, REIMERS, ZHANG

_SEEN: Final = Weakness(
    "MiniLM, the default encoder, was trained on pairs of captions of COCO and Flickr30k among other data, so it may "
    "know captions of images that are judged.",
    "docs/critics.md, Metrics that need no training",
)
_CLIP_NEEDS: Final = (
    "The weights of a CLIP do not come with Accordance: name a folder in transformers' format by the parameter encoder "
    "or the variable ACCORDANCE_CLIP."
)
_CUT: Final = Weakness("Cuts texts to 77 tokens.", "docs/critics.md, Encoders")

SENTENCE_COSINE: Final = MetricCard(
    measures="Similarity of meaning: the cosine of the sentence vectors of candidate and reference, mean over "
    "references.",
    needs=ENCODER_NEEDS,
    cost=MINUTES,
    weaknesses=(lose_little_by_shuffling(0.964), _SEEN, NUMBERS),
    publications=(REIMERS,),
)
SENTENCE_COSINE_MAX: Final = MetricCard(
    measures="Similarity of meaning: the cosine of the sentence vectors of the candidate and the nearest reference.",
    needs=ENCODER_NEEDS,
    cost=MINUTES,
    weaknesses=(_SEEN, NUMBERS),
    publications=(REIMERS,),
)
EMBEDDING_F1: Final = MetricCard(
    measures=(
        "Similarity of meaning, token by token: each token is matched with the most similar one of the other caption "
        "by contextual vectors, and precision and recall form an F-measure, as in BERTScore."
    ),
    needs=ENCODER_NEEDS,
    cost=MINUTES,
    weaknesses=(lose_little_by_shuffling(0.955), _SEEN, NUMBERS),
    publications=(ZHANG,),
)
EMBEDDING_F1_IDF: Final = MetricCard(
    measures=(
        "Similarity of meaning, token by token, as Embedding F1, but tokens count more if few of the references have "
        "them."
    ),
    needs=ENCODER_NEEDS,
    cost=MINUTES,
    weaknesses=(
        Weakness(
            "Depends on the other images that are scored, whose references weight the tokens.",
            "docs/critics.md, Metrics that need no training",
        ),
        _SEEN,
    ),
    publications=(ZHANG,),
)
CLIP_SCORE: Final = MetricCard(
    measures="Similarity of caption and image in the space of CLIP, without references: 2.5 times their cosine, at "
    "least 0.",
    needs=_CLIP_NEEDS,
    cost=AN_HOUR,
    weaknesses=(
        Weakness(
            "Is weak in telling which of two correct captions by people is better: right in 56.5 % of PASCAL-50S, "
            "where CIDEr is in 65.1 %.",
            "Hessel et al. (2021), results on PASCAL-50S",
        ),
        _CUT,
    ),
    publications=(HESSEL,),
)
REF_CLIP_SCORE: Final = MetricCard(
    measures="Similarity of caption and image, and of caption and nearest reference, in the space of CLIP: a harmonic "
    "mean.",
    needs=_CLIP_NEEDS,
    cost=AN_HOUR,
    weaknesses=(_CUT,),
    publications=(HESSEL,),
)
