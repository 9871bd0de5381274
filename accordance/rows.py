"""Captions with their references and images, as the batch that metrics score."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from metrics_plugins.api import Batch

Caption = str | Sequence[str]


@dataclass(frozen=True, slots=True)
class CaptionRows:
    """One row for each caption, or for each set of captions that is scored as a whole.

    Attributes:
        captions: `(n_rows,)` texts, or sequences of texts.
        references: `(n_rows,)`: the references of each row; None if none are given.
        images: `(n_rows,)`: the key or file of each row's image; if None, each row has an image of its own.

    Raises:
        ValueError: The columns differ in length, `captions` is a single text, or it mixes texts and sequences.
    """

    captions: tuple[Caption, ...] = ()
    references: tuple[tuple[str, ...], ...] | None = None
    images: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for name in ("references", "images"):
            column = getattr(self, name)
            if column is not None and len(column) != len(self.captions):
                raise ValueError(f"`{name}` must have one entry per caption ({len(self.captions)}), got {len(column)}")
        if len({isinstance(caption, str) for caption in self.captions}) > 1:
            raise ValueError("`captions` must be all texts or all lists of texts, got both")

    @classmethod
    def make(
        cls,
        captions: Iterable[Caption],
        references: Iterable[Sequence[str]] | None,
        images: Iterable[str | Path] | None,
    ) -> "CaptionRows":
        """Return rows from columns of any kind."""
        if isinstance(captions, str):
            raise ValueError(f"`captions` must be a list of captions, got the text {captions!r}")
        return cls(
            captions=tuple(captions),
            references=None if references is None else tuple(_copy_references(references)),
            images=None if images is None else tuple(str(image) for image in images),
        )

    def join(self, more: "CaptionRows") -> "CaptionRows":
        """Return these rows followed by more rows with the same columns.

        Raises:
            ValueError: One of them has references or images, and the other has none.
        """
        if not self.captions:
            return more
        for name in ("references", "images"):
            if (getattr(self, name) is None) != (getattr(more, name) is None):
                raise ValueError(f"`{name}` must be given in every update or in none")
        return CaptionRows(
            captions=self.captions + more.captions,
            references=None if self.references is None else self.references + (more.references or ()),
            images=None if self.images is None else self.images + (more.images or ()),
        )

    @property
    def is_of_sets(self) -> bool:
        return bool(self.captions) and not isinstance(self.captions[0], str)

    def make_batch(self) -> Batch:
        """Return the batch; the key of a row is its number, from 0."""
        captions = {"caption_sets" if self.is_of_sets else "candidates": self.captions}
        return Batch.make(
            [str(row) for row in range(len(self.captions))],
            references=self.references,
            images=None if self.images is None else [Path(image) for image in self.images],
            image_keys=self.images,
            **captions,  # type: ignore[arg-type]  # texts or sequences, as the name of the column says
        )

    def select_documents(self, batch: Batch) -> Batch:
        """Return the first row of each image, so that metrics learn from the references of an image once."""
        if self.images is None:
            return batch
        first = {image: row for row, image in reversed(list(enumerate(self.images)))}
        return batch if len(first) == len(batch) else batch.select(sorted(first.values()))


def _copy_references(references: Iterable[Sequence[str]]) -> Iterable[tuple[str, ...]]:
    for row, texts in enumerate(references):
        if isinstance(texts, str):
            raise ValueError(f"`references` must be a list of texts for each caption, got {texts!r} for row {row}")
        yield tuple(texts)
