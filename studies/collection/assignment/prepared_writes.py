"""Inserts and updates of rows whose SQL is built once per process, as that of `Prepared` queries is.

Only for the few writes of every judgment. Neither sends signals, and both leave rows as `save` does.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Field, Model


def insert_rows(rows: Sequence[Model]) -> None:
    """Insert new rows of one model in one statement, and set their primary keys."""
    if not rows:
        return
    connection, model = connections[DEFAULT_DB_ALIAS], type(rows[0])
    fields = _list_fields(model)
    values = [_read(field, row, connection, is_new=True) for row in rows for field in fields]
    with connection.cursor() as cursor:
        cursor.execute(_build_insert(model, len(rows), connection.vendor), values)
        keys = cursor.fetchall()
    for row, (pk,) in zip(rows, keys, strict=True):
        row.pk, row._state.adding, row._state.db = pk, False, DEFAULT_DB_ALIAS


def update_row(row: Model, names: Sequence[str]) -> None:
    """Store these fields of a row.

    Raises:
        DoesNotExist: The row is not stored any more.
    """
    connection, model = connections[DEFAULT_DB_ALIAS], type(row)
    values = [_read(model._meta.get_field(name), row, connection, is_new=False) for name in names]
    with connection.cursor() as cursor:
        cursor.execute(_build_update(model, tuple(names), connection.vendor), [*values, row.pk])
        n_changed = cursor.rowcount
    if not n_changed:
        raise model.DoesNotExist(f"there is no {model._meta.verbose_name} {row.pk}")


def _read(field: Field, row: Model, connection: Any, *, is_new: bool) -> Any:
    return field.get_db_prep_save(field.pre_save(row, is_new), connection=connection)


@lru_cache
def _list_fields(model: type[Model]) -> tuple[Field, ...]:
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)


@lru_cache
def _build_insert(model: type[Model], n_rows: int, _vendor: str) -> str:
    names = _quote(field.column for field in _list_fields(model))
    (table,), (key,) = _quote([model._meta.db_table]), _quote([model._meta.pk.column])
    row = f"({', '.join(['%s'] * len(names))})"
    return f"INSERT INTO {table} ({', '.join(names)}) VALUES {', '.join([row] * n_rows)} RETURNING {key}"  # noqa: S608 - our own names


@lru_cache
def _build_update(model: type[Model], names: tuple[str, ...], _vendor: str) -> str:
    columns = _quote(model._meta.get_field(name).column for name in names)
    (table,), (key,) = _quote([model._meta.db_table]), _quote([model._meta.pk.column])
    changes = ", ".join(f"{column} = %s" for column in columns)
    return f"UPDATE {table} SET {changes} WHERE {key} = %s"  # noqa: S608 - our own names


def _quote(names: Any) -> list[str]:
    return [connections[DEFAULT_DB_ALIAS].ops.quote_name(name) for name in names]
