"""Draw true and minimally false captions of a world, for each kind of caption."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from captioning.worlds.captions.edits import count_quantifiers, ratio_quantifiers
from captioning.worlds.captions.falsifying import Palette, draw_false
from captioning.worlds.language.phrases import SELECTORS
from captioning.worlds.language.propositions import (
    Clause,
    Connected,
    Denied,
    Describes,
    Extended,
    Is,
    Noun,
    Proposition,
    Quantified,
    Related,
    Selected,
    ThereIs,
)
from captioning.worlds.model import Entity
from captioning.worlds.truth.evaluating import evaluate_scenes
from captioning.worlds.truth.scenes import Scenes
from captioning.worlds.vocabulary import COLORS, SHAPES

_TRIES = 5
_COLOR_NAMES = tuple(COLORS)


@dataclass(frozen=True, slots=True)
class CaptionSpec:
    """The kind of captions to draw.

    Parameters
    ----------
    kind : str
        A name of `CAPTIONERS`.
    relations : tuple of str
        For kinds with relations: x, y, z, proximity, size, shade, shape, color.
    quantifiers : str
        For kinds with quantities: "count" or "ratio".
    parts : tuple of CaptionSpec
        For kinds that combine clauses: the specifications of the clauses.
    has_absent_values : bool
        Whether false captions may name colours and shapes that the world lacks, as in the original's sets with few
        things in a world.
    planned_relation, planned_quantifier, planned_connective : str, tuple of str and float, str
        Chosen by `plan_caption`; otherwise each draw chooses again.
    """

    kind: str
    relations: tuple[str, ...] = ()
    quantifiers: str = ""
    parts: "tuple[CaptionSpec, ...]" = ()
    has_absent_values: bool = False
    planned_relation: str = ""
    planned_quantifier: tuple[str, float] | None = None
    planned_connective: str = ""

    @property
    def all_relations(self) -> frozenset[str]:
        """The relations of the captions and of their clauses."""
        return frozenset({*self.relations, *(relation for part in self.parts for relation in part.relations)})


@dataclass(frozen=True, slots=True)
class Drawn:
    """A caption of known truth; `edit` is the change that made a false caption false (empty for a true one)."""

    proposition: Proposition
    is_true: bool
    edit: str = ""


def plan_caption(spec: CaptionSpec, *, rng: np.random.Generator) -> CaptionSpec:
    """Choose relation, quantifier and connective before the world; otherwise rarely true ones would be rare."""
    if spec.kind == "logical":
        parts = tuple(plan_caption(spec.parts[int(rng.random() * len(spec.parts))], rng=rng) for _ in range(2))
        connective = tuple(_PATTERNS)[int(rng.random() * len(_PATTERNS))]
        return replace(spec, parts=parts, planned_connective=connective)
    relation, quantifier = spec.planned_relation, spec.planned_quantifier
    if spec.relations:
        relation = spec.relations[int(rng.random() * len(spec.relations))]
    if spec.quantifiers:
        choices = _list_quantifiers(spec.quantifiers)
        quantifier = choices[int(rng.random() * len(choices))]
    return replace(spec, planned_relation=relation, planned_quantifier=quantifier)


def draw_caption(scenes: Scenes, spec: CaptionSpec, *, is_true: bool, rng: np.random.Generator) -> Drawn | None:
    """Draw a caption with value 1, or -1 if it is to be false; None if a few tries find none.

    A false caption is an edit of a true caption of the same world, as the original draws it.
    """
    palette = _make_palette(scenes, spec)
    for _ in range(_TRIES):
        drawn = CAPTIONERS[spec.kind](scenes, spec, rng)
        if drawn is None or evaluate_scenes(drawn, scenes) != 1:
            continue
        if is_true:
            return Drawn(drawn, is_true=True)
        for _ in range(_TRIES):
            edited = draw_false(drawn, palette=palette, rng=rng)
            if edited is not None and evaluate_scenes(edited[1], scenes) == -1:
                return Drawn(edited[1], is_true=False, edit=edited[0])
    return None


def _make_palette(scenes: Scenes, spec: CaptionSpec) -> Palette:
    relations = sorted(spec.all_relations)
    if spec.has_absent_values:
        return Palette(_COLOR_NAMES, SHAPES, relations)
    entities = scenes.worlds[0].entities
    colors, shapes = {entity.color for entity in entities}, {entity.shape for entity in entities}
    return Palette(sorted(colors), sorted(shapes), relations)


def _draw_entity(scenes: Scenes, rng: np.random.Generator) -> tuple[int, Entity]:
    entities = scenes.worlds[0].entities
    place = int(rng.random() * len(entities))
    return place, entities[place]


def _draw_member(members: int, rng: np.random.Generator) -> int | None:
    places = [place for place in range(members.bit_length()) if members >> place & 1]
    return places[int(rng.random() * len(places))] if places else None


def _draw_noun(entity: Entity, rng: np.random.Generator) -> Noun:
    """Draw a noun with colour and shape, colour only or shape only, with odds 2:1:1."""
    place = int(rng.random() * 4)
    if place < 2:
        return Noun(entity.color, entity.shape)
    return Noun(entity.color) if place == 2 else Noun(None, entity.shape)


def _draw_split(color: str, shape: str, rng: np.random.Generator) -> tuple[Noun, Is]:
    """Divide colour and shape between subject and predicate, so that neither attribute occurs twice."""
    place = int(rng.random() * 6)
    if place < 2:
        return Noun(), Is(Noun(color, shape))
    red, square = Noun(color), Noun(None, shape)
    return (
        (Noun(), Is(red, adjective=True)),
        (Noun(), Is(square)),
        (square, Is(red, adjective=True)),
        (red, Is(square)),
    )[place - 2]


def _draw_crossing(entity: Entity, rng: np.random.Generator) -> tuple[Noun, Is]:
    """State one attribute of an entity that is identified by the other."""
    red, square = Noun(entity.color), Noun(None, entity.shape)
    return (square, Is(red, adjective=True)) if rng.random() < 0.5 else (red, Is(square))


def _draw_existential(scenes: Scenes, _: CaptionSpec, rng: np.random.Generator) -> Clause | None:
    entity = _draw_entity(scenes, rng)[1]
    if rng.random() < 0.5:
        return ThereIs(_draw_noun(entity, rng))
    return Describes(*_draw_split(entity.color, entity.shape, rng))


def _draw_related(scenes: Scenes, spec: CaptionSpec, rng: np.random.Generator) -> tuple[Entity, Related] | None:
    """Draw an entity and a relation that is true of it."""
    relation = spec.planned_relation or spec.relations[int(rng.random() * len(spec.relations))]
    value = -1 if rng.random() < 0.5 else 1
    entities = scenes.worlds[0].entities
    if relation == "proximity":
        return _draw_nearness(scenes, value, rng)
    rows = scenes.relate(relation, value)[0]
    place = _draw_member(sum(1 << e for e, row in enumerate(rows) if row), rng)
    other = None if place is None else _draw_member(rows[place], rng)
    if place is None or other is None:
        return None
    return entities[place], Related(relation, value, _draw_noun(entities[other], rng))


def _draw_nearness(scenes: Scenes, value: int, rng: np.random.Generator) -> tuple[Entity, Related] | None:
    entities = scenes.worlds[0].entities
    definite = "comparison" if scenes.profile.name == "S" else "reference"
    for _ in range(4 * _TRIES):
        place, near = (int(rng.random() * len(entities)) for _ in range(2))
        far = _draw_member(scenes.compare_distances(value)[0][place][near] & ~(1 << near | 1 << place), rng)
        if place != near and far is not None:
            nouns = _draw_noun(entities[near], rng), _draw_noun(entities[far], rng)
            return entities[place], Related("proximity", value, *nouns, definite)
    return None


def _draw_relational(scenes: Scenes, spec: CaptionSpec, rng: np.random.Generator) -> Clause | None:
    drawn = _draw_related(scenes, spec, rng)
    if drawn is None:
        return None
    entity, related = drawn
    subject = _draw_noun(entity, rng)
    # Sizes compare equal shapes, and shades equal colours: often only the reference names them.
    if related.relation in ("size", "shade") and rng.random() < 0.5:
        subject = Noun(entity.color) if related.relation == "size" else Noun(None, entity.shape)
    return Describes(subject, related)


def _draw_selection(scenes: Scenes, _: CaptionSpec, rng: np.random.Generator) -> Clause | None:
    order, two, value = _SELECTIONS[int(rng.random() * len(_SELECTIONS))]
    entity = _draw_entity(scenes, rng)[1]
    noun, said = _draw_crossing(entity, rng)
    landmark = _draw_noun(_draw_entity(scenes, rng)[1], rng) if order == "proximity" else None
    return Describes(Selected(order, two, value, noun, landmark), said)


_SELECTIONS = (
    *SELECTORS.values(),
    *(("proximity", two, value) for two in (True, False) for value in (-1, 1)),
)


@lru_cache
def _list_quantifiers(kind: str) -> tuple[tuple[str, float], ...]:
    return count_quantifiers() if kind == "count" else ratio_quantifiers()


def _quantify(scenes: Scenes, spec: CaptionSpec, noun: Noun, said: Is, rng: np.random.Generator) -> Quantified | None:
    """Draw a quantity, or use the planned one, that is true for the noun and the predicate."""
    kind = spec.quantifiers or "count"
    choices = _list_quantifiers(kind) if spec.planned_quantifier is None else (spec.planned_quantifier,)
    for _ in range(2 * _TRIES if len(choices) > 1 else 1):
        modifier, quantity = choices[int(rng.random() * len(choices))]
        drawn = Quantified(kind, modifier, quantity, noun, said)
        if evaluate_scenes(drawn, scenes) == 1:
            return drawn
    return None


def _draw_quantified(scenes: Scenes, spec: CaptionSpec, rng: np.random.Generator) -> Clause | None:
    empty = spec.planned_quantifier in _EMPTY or rng.random() < _EMPTY_RATE
    for _ in range(2 * _TRIES):
        entity = _draw_entity(scenes, rng)[1]
        color, shape = entity.color, entity.shape
        if empty:
            # A random noun that is mostly absent from the world; otherwise quantity zero would rarely be true.
            color, shape = _COLOR_NAMES[int(rng.random() * len(COLORS))], SHAPES[int(rng.random() * len(SHAPES))]
        drawn = _quantify(scenes, spec, *_draw_split(color, shape, rng), rng)
        if drawn is not None:
            return drawn
    return None


# Quantities that are true only of zero.
_EMPTY = (("eq", 0), ("lt", 1), ("eq", 0.0))
_EMPTY_RATE = 0.1


def _draw_part(
    scenes: Scenes, parts: tuple[CaptionSpec, ...], rng: np.random.Generator, *, is_true: bool
) -> Clause | None:
    """Draw a clause of a longer sentence, in which a colour predicate has a noun: `is a red shape`."""
    part = parts[int(rng.random() * len(parts))]
    drawn = draw_caption(scenes, part, is_true=is_true, rng=rng)
    if drawn is None or isinstance(drawn.proposition, (Connected, Extended)):
        return None
    clause = drawn.proposition
    if isinstance(clause, (Describes, Quantified)) and isinstance(clause.predicate, Is) and clause.predicate.adjective:
        clause = replace(clause, predicate=Is(clause.predicate.noun))
    return clause


def _draw_parts(
    scenes: Scenes, spec: CaptionSpec, pattern: tuple[bool, ...], rng: np.random.Generator
) -> tuple[Clause, ...] | None:
    clauses: list[Clause] = []
    for place, is_true in enumerate(pattern):
        parts = (spec.parts[place],) if spec.planned_connective else spec.parts
        clause = _draw_part(scenes, parts, rng, is_true=is_true)
        if clause is None or clause in clauses:
            return None
        clauses.append(clause)
    return tuple(clauses)


# Truth values of the clauses in a true sentence; for `if`, the consequent is first.
_PATTERNS: dict[str, tuple[tuple[bool, ...], ...]] = {
    "and": ((True, True),),
    "or": ((True, False), (False, True), (True, True)),
    "if": ((True, True), (True, False), (False, False)),
    "iff": ((True, True), (False, False)),
}
_WORDINGS = {"and": ("",), "or": ("",) * 9 + ("either",), "if": ("", "if first", "if first"), "iff": ("",)}


def _draw_logical(scenes: Scenes, spec: CaptionSpec, rng: np.random.Generator) -> Proposition | None:
    connective = spec.planned_connective or tuple(_PATTERNS)[int(rng.random() * len(_PATTERNS))]
    patterns, wordings = _PATTERNS[connective], _WORDINGS[connective]
    clauses = _draw_parts(scenes, spec, patterns[int(rng.random() * len(patterns))], rng)
    wording = wordings[int(rng.random() * len(wordings))]
    return None if clauses is None else Connected(connective, clauses, wording)


def _draw_relative(scenes: Scenes, spec: CaptionSpec, rng: np.random.Generator) -> Proposition | None:
    """`there is a N that is R a N`, `a N that is R a N is P`, `at least two Ns that are R a N are P`."""
    drawn = _draw_related(scenes, spec, rng)
    if drawn is None:
        return None
    entity, related = drawn
    form = int(rng.random() * 3)
    if form == 0:
        return ThereIs(replace(_draw_noun(entity, rng), relative=related))
    noun, said = _draw_crossing(entity, rng)
    noun = replace(noun, relative=related)
    if form == 1:
        return Describes(noun, said)
    quantified = _quantify(scenes, spec, noun, said, rng)
    # `one` takes a noun without a relative clause.
    return None if quantified is None or quantified.quantity == 1 else quantified


def _draw_compound(scenes: Scenes, spec: CaptionSpec, rng: np.random.Generator) -> Proposition | None:
    """Three clauses, `but`, negated clauses, and two predicates of one subject."""
    form = int(rng.random() * 5)
    if form == 0:
        clauses = _draw_parts(scenes, spec, (True, True, True), rng)
        return None if clauses is None else Connected("and", clauses)
    if form == 1:
        clauses = _draw_parts(scenes, spec, tuple(rng.random() < 0.5 for _ in range(3)), rng)
        return None if clauses is None else Connected("or", clauses)
    if form == 2:
        clause = _draw_part(scenes, spec.parts, rng, is_true=False)
        return None if clause is None else Denied(clause)
    if form == 3:
        clauses = _draw_parts(scenes, spec, (True, False), rng)
        return None if clauses is None else Connected("and", (clauses[0], Denied(clauses[1])), "but")
    return _draw_extended(scenes, spec, rng, pronoun=False)


def _draw_extended(scenes: Scenes, spec: CaptionSpec, rng: np.random.Generator, *, pronoun: bool) -> Proposition | None:
    drawn = _draw_related(scenes, spec, rng)
    if drawn is None:
        return None
    entity, related = drawn
    if pronoun and rng.random() < 0.5:
        if rng.random() < 0.5:
            return Extended(ThereIs(_draw_noun(entity, rng)), related, pronoun=True)
        noun, said = _draw_crossing(entity, rng)
        return Extended(ThereIs(noun), said, pronoun=True)
    return Extended(Describes(*_draw_crossing(entity, rng)), related, pronoun=pronoun)


def _draw_coreference(scenes: Scenes, spec: CaptionSpec, rng: np.random.Generator) -> Proposition | None:
    """`there is a N and it is P`, `a N is P and it is R a N`."""
    return _draw_extended(scenes, spec, rng, pronoun=True)


Captioner = Callable[[Scenes, CaptionSpec, np.random.Generator], Proposition | None]
CAPTIONERS: dict[str, Captioner] = {
    "existential": _draw_existential,
    "relational": _draw_relational,
    "selection": _draw_selection,
    "quantified": _draw_quantified,
    "logical": _draw_logical,
    "relative": _draw_relative,
    "compound": _draw_compound,
    "coreference": _draw_coreference,
}
