"""What an author of captioners imports: the contract, which needs neither torch nor Django."""

from captioning.api.captioned import CaptionedImages
from captioning.api.captioner import BuildContext, Captioner, CaptionerInfo, TrainableCaptioner
from captioning.api.captions import CaptionBatch, CaptionScores
from captioning.api.decoding import Decoding
from captioning.api.errors import (
    BadCaptions,
    BadCheckpoint,
    CaptionerError,
    MissingInput,
    MissingResource,
    UnknownCaptioner,
)
from captioning.api.hooks import GROUP, hookimpl
from captioning.api.images import ImageInput, Images, Regions

__all__ = [
    "GROUP",
    "BadCaptions",
    "BadCheckpoint",
    "BuildContext",
    "CaptionBatch",
    "CaptionScores",
    "CaptionedImages",
    "Captioner",
    "CaptionerError",
    "CaptionerInfo",
    "Decoding",
    "ImageInput",
    "Images",
    "MissingInput",
    "MissingResource",
    "Regions",
    "TrainableCaptioner",
    "UnknownCaptioner",
    "hookimpl",
]
