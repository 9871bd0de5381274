"""Train a head from captions alone, using which captions belong to the same image."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from metrics_plugins.api import Batch, MetricError
from metrics_plugins.api.progress import Track
from metrics_plugins.api.providers import TokenEncoder
from metrics_plugins.metrics.critics.reference.altering import Altering
from metrics_plugins.metrics.critics.reference.contrasting import TokenMaterial, contrast
from metrics_plugins.metrics.critics.reference.heads import Head, digest_captions
from metrics_plugins.metrics.critics.reference.parts import SpacedEncoder, measure_parts
from metrics_plugins.metrics.critics.reference.settings import CriticReferenceSettings
from metrics_plugins.metrics.critics.reference.spaces import (
    Float32s,
    Int64,
    Space,
    make_space,
    measure_sentence_scatter,
    measure_token_scatter,
)
from metrics_plugins.metrics.critics.reference.vocabulary import Vocabulary, learn_vocabulary
from metrics_plugins.metrics.critics.reference.words import round_tokens, support_each_other

_AT_ONCE = 16_384
_SPREAD_IMAGES = 500


@dataclass(frozen=True, slots=True, eq=False)
class CaptionGroups:
    """The captions of images, with at least two different captions per image.

    Attributes:
        groups: The captions of each image.
    """

    groups: tuple[tuple[str, ...], ...] = field(repr=False)

    @classmethod
    def gather(cls, batch: Batch) -> "CaptionGroups":
        """Return the references of a batch; rows with the same references are merged into one image.

        Raises:
            MetricError: Fewer than 10 rows have two different references.
        """
        groups = dict.fromkeys(tuple(dict.fromkeys(references)) for references in batch.references)
        kept = tuple(group for group in groups if len(group) > 1)
        if len(kept) < 10:
            raise MetricError(
                "metric 'critic-reference' learns from images with two different captions each (references), 10 "
                f"images at least: got {len(kept)} among {len(groups)}"
            )
        return cls(kept)

    @property
    def captions(self) -> tuple[str, ...]:
        return tuple(caption for group in self.groups for caption in group)

    @property
    def images(self) -> Int64:
        """`(n_captions,)`: the image of each caption."""
        return np.repeat(np.arange(len(self.groups)), [len(group) for group in self.groups])

    @property
    def digest(self) -> str:
        content = repr(self.groups).encode("utf-8", "backslashreplace")
        return hashlib.sha256(content).hexdigest()[:12]

    def take(self, places: Int64) -> "CaptionGroups":
        return CaptionGroups(tuple(self.groups[place] for place in places.tolist()))


def learn_head(
    groups: CaptionGroups,
    encoder: TokenEncoder,
    settings: CriticReferenceSettings,
    *,
    seed: int,
    device: str,
    track: Track,
) -> Head:
    """Train a head; the same captions, settings and seed give the same head.

    Raises:
        MetricError: A vector or a loss is not finite.
    """
    rng = np.random.default_rng(seed)
    vectors = _encode_sentences(groups.captions, encoder, track)
    scatter = measure_sentence_scatter(vectors, groups.images)
    sentences = make_space(scatter, shrinkage=settings.sentence_shrinkage, power=settings.sentence_power)
    n_drawn = min(settings.token_images, len(groups.groups))
    drawn = np.sort(rng.choice(len(groups.groups), size=n_drawn, replace=False))
    chosen = groups.take(drawn)
    near = find_near(vectors, groups.images, drawn, n=settings.neighbours)
    tokens = _learn_tokens(chosen, near, encoder, sentences, settings, rng=rng, device=device, track=track)
    spread = SpacedEncoder(encoder, sentences, tokens, digest="")
    vocabulary = _learn_vocabulary(chosen, groups.captions, spread, track)
    return Head(
        settings=settings,
        encoder=encoder.digest,
        sentences=sentences,
        tokens=tokens,
        vocabulary=vocabulary,
        spreads=_measure_spreads(chosen, near, spread, vocabulary),
        learned=np.unique(digest_captions(groups.captions)),
        made_of={
            "captions": groups.digest,
            "n_images": len(groups.groups),
            "n_captions": len(groups.captions),
            "seed": seed,
            "numpy": version("numpy"),
            "scipy": version("scipy"),
            "torch": version("torch"),
        },
    )


def _encode_sentences(captions: Sequence[str], encoder: TokenEncoder, track: Track) -> Float32s:
    starts = range(0, len(captions), _AT_ONCE)
    steps = track(starts, total=len(starts), label="sentences")
    vectors = np.concatenate([encoder.encode(captions[start : start + _AT_ONCE]) for start in steps])
    if not np.isfinite(vectors).all():
        place = int(np.flatnonzero(~np.isfinite(vectors).all(axis=1))[0])
        raise MetricError(f"metric 'critic-reference': encoder {encoder.name!r} has no vector for {captions[place]!r}")
    unit: Float32s = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def find_near(vectors: Float32s, images: Int64, drawn: Int64, *, n: int) -> Int64:
    """Return `(n_drawn, n)`: for each drawn image, the positions among the drawn images of its nearest others."""
    sums = np.zeros((int(images[-1]) + 1, vectors.shape[1]), dtype=np.float32)
    np.add.at(sums, images, vectors)
    means = sums[drawn] / np.linalg.norm(sums[drawn], axis=1, keepdims=True)
    likeness = means @ means.T
    np.fill_diagonal(likeness, -np.inf)
    order: Int64 = np.argsort(-likeness, axis=1, kind="stable")[:, : min(n, len(drawn) - 1)]
    return order


def _learn_tokens(
    groups: CaptionGroups,
    near: Int64,
    encoder: TokenEncoder,
    sentences: Space,
    settings: CriticReferenceSettings,
    *,
    rng: np.random.Generator,
    device: str,
    track: Track,
) -> Space:
    captions = _encode_groups(groups, encoder, track, label="captions")
    altered = None
    if settings.altered and settings.steps:
        altering = Altering.learn(groups.captions)
        wrong = CaptionGroups(tuple(tuple(altering.alter(text, rng) for text in group) for group in groups.groups))
        altered = _encode_groups(wrong, encoder, track, label="altered captions")
    all_tokens = np.concatenate([text for group in captions for text in group])
    scatter = measure_token_scatter(all_tokens, _pair_tokens(captions, sentences))
    space = make_space(scatter, shrinkage=settings.token_shrinkage, power=settings.token_power)
    material = TokenMaterial(captions, altered, near)
    return contrast(material, space, settings, rng=rng, device=device, track=track)


def _encode_groups(groups: CaptionGroups, encoder: TokenEncoder, track: Track, *, label: str) -> list[list[Float32s]]:
    """Return the tokens of each caption of each image, normalised to length 1, without special tokens."""
    texts = groups.captions
    found: list[Float32s] = []
    starts = range(0, len(texts), _AT_ONCE)
    for start in track(starts, total=len(starts), label=label):
        tokens = encoder.encode_tokens(texts[start : start + _AT_ONCE])
        unit = tokens.vectors / np.linalg.norm(tokens.vectors, axis=1, keepdims=True)
        for first, last in zip(tokens.offsets[:-1].tolist(), tokens.offsets[1:].tolist(), strict=True):
            own = unit[first:last][~tokens.is_special[first:last]]
            # A caption with only special tokens is represented by these.
            found.append(own if len(own) else unit[first:last])
    places = np.cumsum([0, *(len(group) for group in groups.groups)]).tolist()
    return [found[first:last] for first, last in pairwise(places)]


def _pair_tokens(captions: Sequence[Sequence[Float32s]], space: Space) -> Float32s:
    """Return the difference of each token to the most similar token of the next caption of its image."""
    differences = []
    for group in captions:
        looked = [space.project(text) for text in group]
        looked = [text / np.maximum(np.linalg.norm(text, axis=1, keepdims=True), 1e-12) for text in looked]
        for place, (text, seen) in enumerate(zip(group, looked, strict=True)):
            beside = (place + 1) % len(group)
            nearest = (seen @ looked[beside].T).argmax(axis=1)
            differences.append(text - group[beside][nearest])
    return np.concatenate(differences)


def _learn_vocabulary(
    groups: CaptionGroups, captions: Sequence[str], encoder: SpacedEncoder, track: Track
) -> Vocabulary:
    """Return the rarity of tokens in all captions, and their expected support by other captions of the drawn images."""
    ids, support = [], []
    for group in track(groups.groups, total=len(groups.groups), label="support"):
        tokens = round_tokens(encoder.encode_tokens(group))
        ids.append(tokens.ids)
        support.append(support_each_other(tokens)[0])
    return learn_vocabulary(encoder.tokenize(captions), np.concatenate(ids), np.concatenate(support))


def _measure_spreads(
    groups: CaptionGroups, near: Int64, encoder: SpacedEncoder, vocabulary: Vocabulary
) -> npt.NDArray[np.float64]:
    """Return `(7,)`: the standard deviation of each part over captions paired with captions of their and near images.

    A constant part gets 1.
    """
    rows = [
        (writer[0], beside[1:])
        for image, beside in enumerate(groups.groups[:_SPREAD_IMAGES])
        for writer in (beside, groups.groups[near[image, 0]])
    ]
    batch = Batch.make(
        [str(place) for place in range(len(rows))],
        candidates=[candidate for candidate, _ in rows],
        references=[references for _, references in rows],
    )
    spreads = measure_parts(batch, encoder, vocabulary).std(axis=0)
    return np.where(spreads > 0, spreads, 1.0)
