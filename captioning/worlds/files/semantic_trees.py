"""Write propositions as the original's semantic trees (`caption_model.json`)."""

from typing import Any

from captioning.worlds.errors import NotRealisable
from captioning.worlds.language.propositions import (
    Compared,
    Connected,
    Describes,
    Is,
    Negated,
    Noun,
    Predicate,
    Proposition,
    Quantified,
    Related,
    Selected,
    ThereIs,
)

Tree = dict[str, Any]

_CONNECTIVES = {"and": "conjunction", "or": "disjunction", "if": "implication", "iff": "equivalence"}


def serialise_proposition(proposition: Proposition) -> Tree:
    """Return the original's tree of a proposition; colours come before shapes in its lists.

    Raises `NotRealisable` for propositions that the original cannot express: relative clauses, negated clauses, more
    than two clauses, and two predicates of one subject.
    """
    match proposition:
        case ThereIs(noun):
            return _serialise_noun(noun)
        case Describes(subject, predicate):
            restrictor = _serialise_noun(subject) if isinstance(subject, Noun) else _serialise_selected(subject)
            return {"component": "Existential", "restrictor": restrictor, "body": _serialise_predicate(predicate)}
        case Quantified():
            return _serialise_quantified(proposition)
        case Compared():
            return {
                "component": "ComparativeQuantifier",
                "qtype": proposition.kind,
                "qrange": proposition.modifier,
                "quantity": proposition.quantity,
                "restrictor": _serialise_noun(proposition.noun),
                "comparison": _serialise_noun(proposition.comparison),
                "body": _serialise_predicate(proposition.predicate),
            }
        case Connected(connective, (first, second)):
            clauses = [serialise_proposition(first), serialise_proposition(second)]
            return {"component": "Proposition", "proptype": _CONNECTIVES[connective], "clauses": clauses}
    raise NotRealisable(f"the original has no tree for {proposition}")


def _serialise_noun(noun: Noun) -> Tree:
    if noun.relative is not None:
        raise NotRealisable(f"the original has no tree for a relative clause: {noun}")
    attributes = [
        {"component": "Attribute", "predtype": kind, "value": value}
        for kind, value in (("color", noun.color), ("shape", noun.shape))
        if value is not None
    ]
    return {"component": "EntityType", "predtype": "type", "value": attributes}


def _serialise_unique(noun: Noun) -> Tree:
    return {"component": "Selector", "predtype": "unique", "scope": _serialise_noun(noun)}


def _serialise_selected(selected: Selected) -> Tree:
    tree: Tree = {
        "component": "Selector",
        "predtype": f"{selected.order}-{'two' if selected.two else 'max'}",
        "value": selected.value,
        "scope": _serialise_noun(selected.noun),
    }
    return tree if selected.landmark is None else {**tree, "comparison": _serialise_unique(selected.landmark)}


def _serialise_predicate(predicate: Predicate) -> Tree:
    if isinstance(predicate, Is):
        noun = _serialise_noun(predicate.noun)
        if len(noun["value"]) == 1:
            return {"component": "Relation", "predtype": "attribute", "value": noun["value"][0]}
        return {"component": "Relation", "predtype": "type", "value": noun}
    if isinstance(predicate, Negated):
        inner = _serialise_predicate(predicate.predicate)
        return {"component": "Relation", "predtype": "negation", "value": -1, "reference": inner}
    return _serialise_related(predicate)


def _serialise_related(related: Related) -> Tree:
    suffix = "" if related.relation == "unspecific" else "-rel"

    def serialise(noun: Noun, role: str) -> Tree:
        return _serialise_unique(noun) if related.definite == role else _serialise_noun(noun)

    tree: Tree = {
        "component": "Relation",
        "predtype": related.relation + suffix,
        "value": related.value,
        "reference": serialise(related.reference, "reference"),
    }
    if related.comparison is None:
        return tree
    return {**tree, "comparison": serialise(related.comparison, "comparison")}


def _serialise_quantified(quantified: Quantified) -> Tree:
    tree: Tree = {
        "component": "Quantifier",
        "qtype": quantified.kind,
        "qrange": quantified.modifier,
        "quantity": quantified.quantity,
        "restrictor": _serialise_noun(quantified.noun),
        "body": _serialise_predicate(quantified.predicate),
    }
    if quantified.bound is None:
        return tree
    return {"component": "NumberBound", "bound": quantified.bound, "quantifier": tree}
