"""The plugin of the bundled captioners."""

from typing import Final

from captioning.api import Captioner, hookimpl
from captioning.captioners.common_caption import CommonCaption
from captioning.captioners.nearest_neighbour import NearestNeighbour
from captioning.captioners.neural import NEURAL_CAPTIONERS
from captioning.captioners.object_template import ObjectTemplate
from captioning.captioners.transformers_folder import TransformersCaptioner

CAPTIONERS: Final[tuple[type[Captioner], ...]] = (
    CommonCaption,
    NearestNeighbour,
    ObjectTemplate,
    TransformersCaptioner,
    *NEURAL_CAPTIONERS,
)


@hookimpl
def register_captioners() -> tuple[type[Captioner], ...]:
    return CAPTIONERS
