"""Database triggers that keep `Place.is_held` true, whoever changes an assignment and however.

After an assignment comes, goes, or changes its state or place, the places concerned look whether a live assignment
holds them, in the same transaction.
"""

from collections.abc import Mapping
from typing import Final

from studies.enums import AssignmentState

TABLES: Final = ("studies_assignment", "studies_place")
EVENTS: Final[Mapping[str, tuple[str, str]]] = {
    "insert": ("INSERT", "NEW.place_id IS NOT NULL"),
    "update": ("UPDATE OF state, place_id", "OLD.place_id IS NOT NULL OR NEW.place_id IS NOT NULL"),
    "delete": ("DELETE", "OLD.place_id IS NOT NULL"),
}
_LIVE: Final = f"('{AssignmentState.LEASED}', '{AssignmentState.SUBMITTED}')"
_PLACES: Final = {"insert": "NEW.place_id", "update": "OLD.place_id, NEW.place_id", "delete": "OLD.place_id"}


def name_trigger(event: str) -> str:
    return f"studies_assignment_holds_place_{event}"


def list_creating(vendor: str) -> tuple[str, ...]:
    """Return the statements that put the triggers in place."""
    return tuple(statement for event in EVENTS for statement in _create(vendor, event))


def list_dropping(vendor: str) -> tuple[str, ...]:
    """Return the statements that take them away."""
    on = " ON studies_assignment" if vendor == "postgresql" else ""
    return tuple(f"DROP TRIGGER IF EXISTS {name_trigger(event)}{on}" for event in EVENTS)


def _create(vendor: str, event: str) -> tuple[str, ...]:
    name, (when, condition) = name_trigger(event), EVENTS[event]
    # Nothing but our own names gets in here.
    look = (
        "UPDATE studies_place SET is_held = EXISTS (SELECT 1 FROM studies_assignment live "  # noqa: S608
        f"WHERE live.place_id = studies_place.id AND live.state IN {_LIVE}) WHERE id IN ({_PLACES[event]});"
    )
    head = f"CREATE TRIGGER {name} AFTER {when} ON studies_assignment FOR EACH ROW WHEN ({condition})"
    if vendor == "sqlite":
        return (f"{head} BEGIN {look} END",)
    function = (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {look} RETURN NULL; END $$"
    )
    return function, f"{head} EXECUTE FUNCTION {name}()"
