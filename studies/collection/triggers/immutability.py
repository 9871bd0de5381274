"""Database triggers that make the items of started studies and preregistrations immutable.

These triggers and those of slots are installed after every migration rather than by one: SQLite rebuilds a table to
alter it, which drops its triggers, and refuses to rename a table that another table's trigger refers to.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from studies.collection.triggers.slot_triggers import TABLES, list_creating, list_dropping


@dataclass(frozen=True, slots=True)
class ImmutabilityRule:
    """A rule for a table that refuses a change of `columns` (of any if empty), a deletion or an addition.

    `started` is the FROM and WHERE of a query that finds a row if `{row}` (OLD or NEW) belongs to a started study.
    `ending` is the end of the error message, after the name of the object.
    """

    table: str
    thing: str
    columns: tuple[str, ...]
    started: str
    events: tuple[str, ...] = ("UPDATE", "DELETE")
    ending: str = "that has started cannot be added, changed or deleted; clone the study instead"


_OF_ITEMS: Final = (
    "FROM studies_item item JOIN studies_task task ON task.id = item.task_id "
    "JOIN studies_study study ON study.id = task.study_id WHERE study.started_at IS NOT NULL AND "
)
RULES: Final = (
    ImmutabilityRule(
        table="studies_task",
        thing="a task of a study",
        columns=(),
        started="FROM studies_study study WHERE study.started_at IS NOT NULL AND study.id = {row}.study_id",
        events=("INSERT", "UPDATE", "DELETE"),
    ),
    ImmutabilityRule(
        table="studies_item",
        thing="an item of a study",
        columns=(),
        started=(
            "FROM studies_task task JOIN studies_study study ON study.id = task.study_id "
            "WHERE study.started_at IS NOT NULL AND task.id = {row}.task_id"
        ),
        events=("INSERT", "UPDATE", "DELETE"),
    ),
    ImmutabilityRule(
        table="studies_candidate",
        thing="a caption judged in a study",
        columns=("text", "image_id", "caption_set_id"),
        started=_OF_ITEMS
        + "(item.candidate_id = {row}.id OR item.other_candidate_id = {row}.id "
        + "OR item.caption_set_id = {row}.caption_set_id)",
    ),
    ImmutabilityRule(
        table="studies_candidate",
        thing="a caption set judged in a study",
        columns=(),
        started=_OF_ITEMS + "item.caption_set_id = {row}.caption_set_id",
        events=("INSERT",),
    ),
    ImmutabilityRule(
        table="studies_reference",
        thing="a reference that anchors an item of a study",
        columns=("text", "image_id"),
        started=_OF_ITEMS + "item.anchor_id = {row}.id",
    ),
    ImmutabilityRule(
        table="studies_preregistration",
        thing="a preregistration",
        columns=(),
        started="FROM studies_preregistration kept WHERE kept.id = {row}.id",
        ending="cannot be changed or deleted; preregistrations are permanent",
    ),
)


def install_triggers(using: str) -> None:
    """Install the triggers of this version, replacing existing ones; does nothing if the tables do not exist yet."""
    connection = connections[using]
    _run(connection, _DROP, list_dropping)
    if {rule.table for rule in RULES} | set(TABLES) <= set(connection.introspection.table_names()):
        _run(connection, _CREATE, list_creating)


def drop_triggers(using: str) -> None:
    """Drop the triggers, for a migration or to empty the tables row by row."""
    _run(connections[using], _DROP, list_dropping)


def _run(
    connection: BaseDatabaseWrapper, statements: dict[str, Any], of_slots: Callable[[str], tuple[str, ...]]
) -> None:
    with connection.cursor() as cursor:
        for rule in RULES:
            for event in rule.events:
                for statement in statements[connection.vendor](rule, event):
                    cursor.execute(statement)
        for statement in of_slots(connection.vendor):
            cursor.execute(statement)


def _name(rule: ImmutabilityRule, event: str) -> str:
    return f"{rule.table}_refuses_{event.lower()}"


def _explain(rule: ImmutabilityRule) -> str:
    return f"{rule.thing} {rule.ending}"


def _build_conditions(rule: ImmutabilityRule, event: str, *, differs: str) -> str:
    rows = {"INSERT": ("NEW",), "UPDATE": ("OLD", "NEW"), "DELETE": ("OLD",)}[event]
    started = " OR ".join(f"EXISTS (SELECT 1 {rule.started.format(row=row)})" for row in rows)
    changed = " OR ".join(f"OLD.{column} {differs} NEW.{column}" for column in rule.columns)
    return f"({changed}) AND ({started})" if changed and event == "UPDATE" else started


def _create_for_sqlite(rule: ImmutabilityRule, event: str) -> tuple[str, ...]:
    condition = _build_conditions(rule, event, differs="IS NOT")
    return (
        f"CREATE TRIGGER {_name(rule, event)} BEFORE {event} ON {rule.table} FOR EACH ROW WHEN {condition} "
        f"BEGIN SELECT RAISE(ABORT, '{_explain(rule)}'); END",
    )


def _create_for_postgresql(rule: ImmutabilityRule, event: str) -> tuple[str, ...]:
    condition = _build_conditions(rule, event, differs="IS DISTINCT FROM")
    result = "OLD" if event == "DELETE" else "NEW"
    name = _name(rule, event)
    return (
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF {condition} THEN "
        f"RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', MESSAGE = '{_explain(rule)}'; "
        f"END IF; RETURN {result}; END $$",
        f"CREATE TRIGGER {name} BEFORE {event} ON {rule.table} FOR EACH ROW EXECUTE FUNCTION {name}()",
    )


_CREATE: Final = {"sqlite": _create_for_sqlite, "postgresql": _create_for_postgresql}
_DROP: Final = {
    "sqlite": lambda rule, event: (f"DROP TRIGGER IF EXISTS {_name(rule, event)}",),
    "postgresql": lambda rule, event: (f"DROP TRIGGER IF EXISTS {_name(rule, event)} ON {rule.table}",),
}
