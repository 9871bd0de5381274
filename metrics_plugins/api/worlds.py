"""The interface of worlds: scenes that are known completely, so that the truth of a caption can be computed."""

from typing import Protocol, runtime_checkable


@runtime_checkable
class CaptionWorld(Protocol):
    """A world that parses and evaluates captions, as an element of a batch's column `worlds`.

    Equal worlds give equal values, and a world can be pickled.
    """

    def evaluate_caption(self, caption: str) -> int | None:
        """Return 1 (true), 0 (ambiguous), -1 (false), or None if the caption is not grammatical."""
        ...

    def find_construction(self, caption: str) -> str | None:
        """Return the caption with each object reduced to the attributes that describe it.

        `a square is red` and `a circle is blue` have the same construction, `a shape is red` has another one. None
        means that the caption is not grammatical. The construction does not depend on the world.
        """
        ...
