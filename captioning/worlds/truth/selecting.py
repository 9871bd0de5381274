"""The entities selected by a phrase such as `the left square` or `the square closest to the cross`."""

from typing import Any

from captioning.worlds.language.propositions import Selected
from captioning.worlds.truth.quantities import count_members
from captioning.worlds.truth.scenes import Mask, Scenes

_ALIKE = {"size": "shape", "shade": "color"}


def find_selected(selected: Selected, scope: Mask, landmark: Mask | None, scenes: Scenes) -> tuple[Mask, Mask]:
    """Return the entities that agree with the phrase, and those that do not disagree.

    With fewer than two entities in scope (for comparatives, any number except two), none agrees and none in scope
    disagrees.
    """
    size = count_members(scope)
    enough = (size == 2) if selected.two else (size >= 2)
    agree: Mask = 0
    disagree: Mask = 0
    for e in range(scenes.n_entities):
        if landmark is None:
            agrees, contradicted = _compare_within(selected, e, scope, scenes)
        else:
            agrees, contradicted = _compare_with_landmark(selected, e, scope, landmark, scenes)
        agree = agree | (agrees << e)
        disagree = disagree | (contradicted << e)
    open_ = scope & ~(disagree * enough)
    return agree * enough & open_, open_


def _compare_within(selected: Selected, e: int, scope: Mask, scenes: Scenes) -> tuple[Any, Any]:
    others = scope & ~(1 << e)
    order, value = selected.order, selected.value
    _, worse = scenes.relate(order, value)
    # Disagreement is determined by the relation itself, agreement by the opposite relation.
    _, better = scenes.relate(order, -value)
    contradicted = (others & worse[e]) != 0
    if order in _ALIKE:
        rivals = others & scenes.find_alike(_ALIKE[order])[e]
        return (rivals != 0) & ((rivals & ~better[e]) == 0), contradicted
    beyond = scenes.find_beyond(order, value) if selected.two and scenes.profile.strict_pairs else better
    return (others & ~beyond[e]) == 0, contradicted


def _compare_with_landmark(selected: Selected, e: int, scope: Mask, landmark: Mask, scenes: Scenes) -> tuple[Any, Any]:
    compare = scenes.compare_slipped if scenes.profile.landmark_slip else scenes.compare_distances
    agree_rows, disagree_rows = compare(selected.value)
    unique = (landmark & (landmark - 1)) == 0
    agrees: Any = False
    contradicted: Any = True
    for c in range(scenes.n_entities):
        bit = 1 << c
        is_landmark = (landmark & bit) != 0
        others = scope & ~bit
        if c != e:
            agrees = agrees | (is_landmark & unique & ((others & ~(1 << e) & agree_rows[e][c]) != 0))
        contradicted = contradicted & ((is_landmark == 0) | ((others & ~disagree_rows[e][c]) == 0))
    return agrees, contradicted
