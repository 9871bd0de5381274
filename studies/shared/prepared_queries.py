"""Queries whose SQL Django builds once per process, since building takes ten times as long as running them.

Only for the few queries of every rater page. They are written as querysets like all others.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models import Expression, Field, QuerySet
from django.db.models.sql.compiler import SQLCompiler


class QueryParameter(Expression):
    """A placeholder in a prepared query for a value given by name to each run."""

    def __init__(self, name: str, output_field: Field) -> None:
        super().__init__(output_field=output_field)
        self.name = name

    def as_sql(self, _compiler: SQLCompiler, _connection: Any) -> tuple[str, list[Any]]:
        return "%s", [self]


@dataclass(frozen=True, slots=True)
class _Built:
    rows: QuerySet[Any]
    compiler: SQLCompiler
    sql: str
    parameters: tuple[Any, ...]
    converters: dict[int, Any]


class Prepared:
    """A query with placeholders, for the default database.

    `share` names a table of the query whose rows are locked too, in share mode and after those locked by the queryset.
    """

    def __init__(self, build: Callable[[], QuerySet[Any]], *, share: str = "") -> None:
        self._build, self._share = build, share
        self._built: dict[str, _Built] = {}

    def run(self, **values: Any) -> list[Any]:
        """Return the rows of the query with these values."""
        connection = connections[DEFAULT_DB_ALIAS]
        built = self._built.get(connection.vendor) or self._prepare(connection)
        bound = tuple(_bind(parameter, values, connection) for parameter in built.parameters)
        # Copy, since threads may run a query concurrently; Django converts rows to objects.
        compiler, query = copy(built.compiler), copy(built.rows.query)
        compiler.connection, compiler.query = connection, query
        compiler.as_sql = lambda *_, **__: (built.sql, bound)
        compiler.get_converters = lambda _: built.converters
        query.get_compiler = lambda *_, **__: compiler
        rows = QuerySet(model=built.rows.model, query=query)
        rows._fields = built.rows._fields
        return list(built.rows._iterable_class(rows, chunked_fetch=False))

    def find(self, **values: Any) -> Any | None:
        """Return the first row; None if there is none."""
        rows = self.run(**values)
        return rows[0] if rows else None

    def get(self, **values: Any) -> Any:
        """Return the first row; raise the model's DoesNotExist if there is none."""
        found = self.find(**values)
        if found is None:
            model = self._build().model
            raise model.DoesNotExist(f"there is no {model._meta.verbose_name} with {values}")
        return found

    def _prepare(self, connection: BaseDatabaseWrapper) -> _Built:
        rows = self._build()
        compiler = rows.query.get_compiler(connection=connection)
        sql, parameters = compiler.as_sql()
        if self._share and connection.features.has_select_for_update:
            sql += f" FOR SHARE OF {self._share}"
        converters = compiler.get_converters([column for column, *_ in compiler.select[: compiler.col_count]])
        # Two threads may both build the query, with the same result.
        self._built[connection.vendor] = built = _Built(rows, compiler, sql, tuple(parameters), converters)
        return built


def _bind(parameter: Any, values: dict[str, Any], connection: BaseDatabaseWrapper) -> Any:
    if not isinstance(parameter, QueryParameter):
        return parameter
    return parameter.output_field.get_db_prep_value(values[parameter.name], connection)
