"""The plugin that registers the embedding metrics and the pretrained encoders."""

from collections.abc import Iterable
from pathlib import Path

from metrics_plugins.api import Fittable, Metric, hookimpl
from metrics_plugins.api.errors import MissingResource
from metrics_plugins.api.providers import Encoder
from metrics_plugins.api.resources import find_path
from metrics_plugins.encoders.weights import CLIP_VARIABLE, MINILM, find_package, split_precision


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return the metrics with sentence vectors, with token vectors, and with vectors of texts and images."""
    from metrics_plugins.metrics.embedding import clip_score, embedding_f1, sentence_cosine

    return (
        sentence_cosine.SentenceCosine,
        sentence_cosine.SentenceCosineMax,
        embedding_f1.EmbeddingF1,
        embedding_f1.EmbeddingF1Idf,
        clip_score.ClipScore,
        clip_score.RefClipScore,
    )


@hookimpl
def provide_encoder(name: str, device: str) -> Encoder | None:
    """Return `minilm`, `clip`, `efficientnet-lite0`, `features:FILE`, or the encoder in a folder (an absolute path).

    The suffix `@bfloat16` after the first two, or after a folder, sets the precision.
    """
    from metrics_plugins.encoders import features

    if name == "efficientnet-lite0":
        from metrics_plugins.encoders.images.efficientnet import EfficientNetEncoder

        return EfficientNetEncoder.open(device=device)
    if name.startswith(features.PREFIX):
        return features.FeatureFile(Path(name.removeprefix(features.PREFIX)))
    plain, precision = split_precision(name)
    if plain == "minilm":
        folder = find_package(MINILM.modules[0], wanted_for="encoder 'minilm'") / "model"
    elif plain == "clip":
        folder = _find_clip()
    elif Path(plain).is_absolute() and Path(plain).is_dir():
        folder = Path(plain)
    else:
        return None
    from metrics_plugins.encoders.images.clip import ClipEncoder, is_clip_folder
    from metrics_plugins.encoders.images.timm_folders import is_timm_folder
    from metrics_plugins.encoders.images.timm_images import TimmEncoder
    from metrics_plugins.encoders.transformer import TransformerEncoder

    # Only the last part of a path is printed, without characters that separate fields of signatures.
    printed = Path(name).name.translate({ord(mark): "-" for mark in "|:"})
    if is_timm_folder(folder):
        return TimmEncoder.open(folder, name=printed, device=device, precision=precision)
    encoder_class = ClipEncoder if is_clip_folder(folder) else TransformerEncoder
    return encoder_class.open(folder, name=printed, device=device, precision=precision)


def _find_clip() -> Path:
    folder = find_path(CLIP_VARIABLE)
    if not folder:
        raise MissingResource(
            "the weights of a CLIP are not installed: name a folder in transformers' format by the parameter encoder, "
            f"or by {CLIP_VARIABLE} in the environment"
        )
    if not Path(folder).is_dir():
        raise MissingResource(f"{CLIP_VARIABLE} must name a folder, got {folder!r}")
    return Path(folder)
