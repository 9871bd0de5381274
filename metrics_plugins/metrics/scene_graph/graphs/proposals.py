"""What a parser says of one caption: tuples that become a scene graph once they are merged."""

from typing import TypeAlias

# ("dog",) is an object; ("dog", "brown") an object and its attribute; ("dog", "frisbee", "catch") a subject, an object
# and, last, the relation between them.
Proposal: TypeAlias = tuple[str, ...]

# The proposals of one caption, in the parser's order and before any merging: the order decides what merges with what.
Proposals: TypeAlias = tuple[Proposal, ...]
