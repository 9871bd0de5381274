"""Inserts rows as plain values, since creating model objects takes most of the time of a large import."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from django.db import connection, models

_CONVERTED: Final = (models.JSONField, models.DateTimeField)
"""Fields whose values each database takes in a form of its own."""


def insert_rows(model: type[models.Model], fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows in order, within the current transaction; PostgreSQL gets them by COPY.

    Values are those of the model's fields, of types that the database accepts (numbers, strings, primary keys) except
    in columns of JSON and times. Fields not given must be nullable. All database constraints apply.
    """
    quote = connection.ops.quote_name
    found = [model._meta.get_field(name) for name in fields]
    columns = ", ".join(quote(field.column) for field in found)
    table = quote(model._meta.db_table)
    values = _convert(rows, found)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in values:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(fields))
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({marks})", values)  # noqa: S608 - names of ours


def _convert(rows: Sequence[Sequence[Any]], fields: Sequence[Any]) -> Sequence[Sequence[Any]]:
    converters: dict[int, Callable[[Any], Any]] = {
        place: partial(field.get_db_prep_save, connection=connection)
        for place, field in enumerate(fields)
        if isinstance(field, _CONVERTED)
    }
    if not converters:
        return rows
    return [
        tuple(converters[place](value) if place in converters else value for place, value in enumerate(row))
        for row in rows
    ]
