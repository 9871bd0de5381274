"""How many captions are among the references that they are compared with, or almost."""

from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from typing import Final

from studies.shared.text import normalize_caption, normalize_space

SIMILAR: Final = 0.95
"""Captions are almost equal where this share of their letters, or more, is the same and in the same order."""


@dataclass(frozen=True, slots=True)
class OwnCaptions:
    """How many of `n_rows` rows have their caption among the references of their image.

    Attributes:
        n_exact: Rows with a reference of the same text, apart from white space.
        n_normalized: Further rows with one that is the same by `normalize_caption`.
        n_left: Rows, of all these, whose caption is still among the references that metrics see.
        n_similar: Further rows whose caption is almost one of the references that metrics see.
    """

    n_rows: int
    n_exact: int
    n_normalized: int
    n_left: int
    n_similar: int

    def list_notes(self, *, are_dropped: bool = False) -> tuple[str, ...]:
        """Return what a reader of scores has to know, a line each.

        Args:
            are_dropped: Whether rows whose caption is a reference are not correlated, so that no warning is needed.
        """
        notes = []
        if found := self.n_exact + self.n_normalized:
            notes.append(
                f"{found:,} of {self.n_rows:,} captions are references of their image ({self.n_exact:,} exactly, "
                f"{self.n_normalized:,} after normalising case, blanks and punctuation)"
            )
        if self.n_left and not are_dropped:
            notes.append(
                f"warning: {self.n_left:,} captions are compared with themselves, which raises the scores of metrics "
                "with references; --option references=exclude-candidate-per-row leaves each out of its own row"
            )
        if self.n_similar:
            notes.append(
                f"warning: {self.n_similar:,} captions have {SIMILAR:.0%} or more of their letters in common with a "
                "reference that they are compared with, and may be that caption in another spelling"
            )
        return tuple(notes)


def add_counts(parts: Sequence[OwnCaptions]) -> OwnCaptions:
    """Return the counts of several lists of captions together."""
    return OwnCaptions(*(sum(counts) for counts in zip(*map(astuple, parts), strict=True)))


def count_own_captions(
    captions: Iterable[Sequence[str]], *, all_references: Iterable[Sequence[str]], seen: Iterable[Sequence[str]]
) -> OwnCaptions:
    """Compare the captions of each row with its references.

    Args:
        captions: Of each row: one, or those of a caption set.
        all_references: Of each row: the references of its image.
        seen: Of each row: the references that metrics see.
    """
    from rapidfuzz.distance import Indel

    counts = dict.fromkeys(("rows", "exact", "normalized", "left", "similar"), 0)
    known: dict[str, str] = {}

    def normalize(text: str) -> str:
        if text not in known:
            known[text] = normalize_caption(text)
        return known[text]

    for texts, references, compared in zip(captions, all_references, seen, strict=True):
        counts["rows"] += 1
        own = {normalize(text) for text in texts}
        if not own.isdisjoint(map(normalize, references)):
            spaced = {normalize_space(text) for text in texts}
            is_exact = any(normalize_space(text) in spaced for text in references)
            counts["exact" if is_exact else "normalized"] += 1
        others = {normalize(text) for text in compared}
        if not own.isdisjoint(others):
            counts["left"] += 1
        elif any(Indel.normalized_similarity(a, b, score_cutoff=SIMILAR) for a in own for b in others):
            counts["similar"] += 1
    return OwnCaptions(*counts.values())
