"""Database triggers that maintain `Slot.is_held` for any change of an assignment.

A slot that loses its live assignment becomes free, and one that gets one becomes held, in the same transaction. The
triggers need not query other assignments, since a constraint allows a slot one live assignment; and they do not touch
other slots, so that no transaction waits for a slot that it does not change.

Another trigger deletes the counted first lease of a network (`AddressLease`) once the lease has ended.
"""

from typing import Final

from studies.enums import AssignmentState

TABLES: Final = ("studies_assignment", "studies_slot", "studies_addresslease")
_STATES: Final = f"('{AssignmentState.LEASED}', '{AssignmentState.SUBMITTED}')"
_GAINS: Final = f"NEW.slot_id IS NOT NULL AND NEW.state IN {_STATES}"
_LOSES: Final = f"OLD.slot_id IS NOT NULL AND OLD.state IN {_STATES}"
_SAME: Final = "NEW.slot_id = OLD.slot_id"
_CHANGE: Final = "UPDATE OF state, slot_id"
_NAME: Final = "studies_assignment_holds_slot"
_HOLD: Final = "UPDATE studies_slot SET is_held = {} WHERE id = {}.slot_id;"
_FREES: Final = "studies_assignment_frees_address"
_ENDS: Final = f"OLD.state = '{AssignmentState.LEASED}' AND NEW.state <> '{AssignmentState.LEASED}'"
_TRIGGERS: Final = (
    (f"{_NAME}_1_update", _CHANGE, f"{_LOSES} AND NOT ({_GAINS} AND {_SAME})", _HOLD.format("false", "OLD")),
    (f"{_NAME}_2_update", _CHANGE, f"{_GAINS} AND NOT ({_LOSES} AND {_SAME})", _HOLD.format("true", "NEW")),
    (f"{_NAME}_insert", "INSERT", _GAINS, _HOLD.format("true", "NEW")),
    (f"{_NAME}_delete", "DELETE", _LOSES, _HOLD.format("false", "OLD")),
    (_FREES, "UPDATE OF state", _ENDS, "DELETE FROM studies_addresslease WHERE assignment_id = OLD.id;"),
)
"""Name, event, condition and action; PostgreSQL runs triggers in order of name."""


def list_creating(vendor: str) -> tuple[str, ...]:
    """Return the statements that create the triggers."""
    return tuple(statement for trigger in _TRIGGERS for statement in _create(vendor, *trigger))


def list_dropping(vendor: str) -> tuple[str, ...]:
    """Return the statements that drop the triggers."""
    on = " ON studies_assignment" if vendor == "postgresql" else ""
    return tuple(f"DROP TRIGGER IF EXISTS {name}{on}" for name, *_ in _TRIGGERS)


def _create(vendor: str, name: str, event: str, condition: str, change: str) -> tuple[str, ...]:
    # The statement contains only constants of this module.
    head = f"CREATE TRIGGER {name} AFTER {event} ON studies_assignment FOR EACH ROW WHEN ({condition})"
    if vendor == "sqlite":
        return (f"{head} BEGIN {change} END",)
    function = (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {change} RETURN NULL; END $$"
    )
    return function, f"{head} EXECUTE FUNCTION {name}()"
