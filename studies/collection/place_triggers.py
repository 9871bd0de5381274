"""Database triggers that keep `Place.is_held` true, whoever changes an assignment and however.

A place that loses its live assignment becomes free and one that gets one becomes held, in the same transaction. They
say so without looking, which is right because a place has one live assignment at most (a constraint); and they leave
alone any other place, so that nobody waits for a place that they do not change.

Another one deletes what a first lease counts for its network (`AddressLease`) once the lease has ended.
"""

from typing import Final

from studies.enums import AssignmentState

TABLES: Final = ("studies_assignment", "studies_place", "studies_addresslease")
_STATES: Final = f"('{AssignmentState.LEASED}', '{AssignmentState.SUBMITTED}')"
_GAINS: Final = f"NEW.place_id IS NOT NULL AND NEW.state IN {_STATES}"
_LOSES: Final = f"OLD.place_id IS NOT NULL AND OLD.state IN {_STATES}"
_SAME: Final = "NEW.place_id = OLD.place_id"
_CHANGE: Final = "UPDATE OF state, place_id"
_NAME: Final = "studies_assignment_holds_place"
_HOLD: Final = "UPDATE studies_place SET is_held = {} WHERE id = {}.place_id;"
_FREES: Final = "studies_assignment_frees_address"
_ENDS: Final = f"OLD.state = '{AssignmentState.LEASED}' AND NEW.state <> '{AssignmentState.LEASED}'"
_TRIGGERS: Final = (
    (f"{_NAME}_1_update", _CHANGE, f"{_LOSES} AND NOT ({_GAINS} AND {_SAME})", _HOLD.format("false", "OLD")),
    (f"{_NAME}_2_update", _CHANGE, f"{_GAINS} AND NOT ({_LOSES} AND {_SAME})", _HOLD.format("true", "NEW")),
    (f"{_NAME}_insert", "INSERT", _GAINS, _HOLD.format("true", "NEW")),
    (f"{_NAME}_delete", "DELETE", _LOSES, _HOLD.format("false", "OLD")),
    (_FREES, "UPDATE OF state", _ENDS, "DELETE FROM studies_addresslease WHERE assignment_id = OLD.id;"),
)
"""Name, event, condition, and what is done; PostgreSQL goes by the names' order."""


def list_creating(vendor: str) -> tuple[str, ...]:
    """Return the statements that put the triggers in place."""
    return tuple(statement for trigger in _TRIGGERS for statement in _create(vendor, *trigger))


def list_dropping(vendor: str) -> tuple[str, ...]:
    """Return the statements that take them away."""
    on = " ON studies_assignment" if vendor == "postgresql" else ""
    return tuple(f"DROP TRIGGER IF EXISTS {name}{on}" for name, *_ in _TRIGGERS)


def _create(vendor: str, name: str, event: str, condition: str, change: str) -> tuple[str, ...]:
    # Nothing but our own names gets in here.
    head = f"CREATE TRIGGER {name} AFTER {event} ON studies_assignment FOR EACH ROW WHEN ({condition})"
    if vendor == "sqlite":
        return (f"{head} BEGIN {change} END",)
    function = (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {change} RETURN NULL; END $$"
    )
    return function, f"{head} EXECUTE FUNCTION {name}()"
