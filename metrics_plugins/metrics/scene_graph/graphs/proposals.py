"""Proposals: the tuples that a parser finds in a caption, which are merged to a scene graph."""

from typing import TypeAlias

# ("dog",) is an object; ("dog", "brown") an object and its attribute; ("dog", "frisbee", "catch") a subject, an object
# and the relation between them.
Proposal: TypeAlias = tuple[str, ...]

# The proposals of one caption before merging, in the parser's order, which affects the merging.
Proposals: TypeAlias = tuple[Proposal, ...]
