"""The construction of each alternative of the grammar file, by the name after its arrow."""

from typing import Any

from captioning.worlds.language.amounts import AMOUNTS
from captioning.worlds.language.construction import Construction, Parts
from captioning.worlds.language.phrases import PHRASES
from captioning.worlds.language.propositions import Connected, Denied, Describes, Extended, ThereIs


def _connected(connective: str, wording: str, count: int, *, turned: bool = False) -> Construction:
    def build(*clauses: Any) -> Connected:
        return Connected(connective, clauses[::-1] if turned else clauses, wording)

    def take(node: Any) -> Parts | None:
        if not isinstance(node, Connected) or (node.connective, node.wording, len(node.clauses)) != (
            connective,
            wording,
            count,
        ):
            return None
        return node.clauses[::-1] if turned else node.clauses

    return Construction(build, take)


def _extended(*, pronoun: bool) -> Construction:
    return Construction(
        lambda first, predicate: Extended(first, predicate, pronoun),
        lambda node: (node.first, node.predicate) if isinstance(node, Extended) and node.pronoun == pronoun else None,
    )


_SENTENCES = {
    "there_is": Construction(
        lambda noun: ThereIs(noun), lambda node: (node.noun,) if isinstance(node, ThereIs) else None
    ),
    "describes": Construction(
        lambda subject, predicate: Describes(subject, predicate),
        lambda node: (node.subject, node.predicate) if isinstance(node, Describes) else None,
    ),
    "denied": Construction(
        lambda clause: Denied(clause), lambda node: (node.clause,) if isinstance(node, Denied) else None
    ),
    "and": _connected("and", "", 2),
    "and_and": _connected("and", "", 3),
    "but": _connected("and", "but", 2),
    "or": _connected("or", "", 2),
    "or_or": _connected("or", "", 3),
    "either_or": _connected("or", "either", 2),
    "iff": _connected("iff", "", 2),
    "then_if": _connected("if", "", 2),
    "if_then": _connected("if", "if first", 2, turned=True),
    "and_shared": _extended(pronoun=False),
    "and_it": _extended(pronoun=True),
}

CONSTRUCTIONS: dict[str, Construction] = {**PHRASES, **AMOUNTS, **_SENTENCES}
