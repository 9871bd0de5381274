"""Rows of large tables written as plain values: an object for each takes most of the time of a large import."""

from collections.abc import Sequence
from typing import Any

from django.db import connection, models


def insert_rows(model: type[models.Model], fields: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Insert rows in their order, within the transaction that is open.

    For fields whose values the database takes as they are (numbers, texts, primary keys); those that are not named
    must be nullable. What the database demands of rows it demands of these too.
    """
    quote = connection.ops.quote_name
    columns = ", ".join(quote(model._meta.get_field(name).column) for name in fields)
    table = quote(model._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with connection.wrap_database_errors, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            values = ", ".join(["%s"] * len(fields))
            cursor.executemany(f"INSERT INTO {table} ({columns}) VALUES ({values})", rows)  # noqa: S608 - names of ours
