"""Rows that the tests of a module share: made once, in a transaction in which that of each test is nested."""

import copy
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Generic, TypeVar

import pytest
from django.db import transaction
from django.test import Client, override_settings
from pytest_django import DjangoDbBlocker

Made = TypeVar("Made")


@dataclass(frozen=True)
class SharedRows(Generic[Made]):
    """What was made, and the folder of its files."""

    made: Made
    files: Path

    def take(self, folder: Path) -> Made:
        """Return a copy of the objects for one test, whose files are copied to this folder, its MEDIA_ROOT."""
        # That of the module, and that of the test: a transactional test has none, and would empty the tables.
        assert len(transaction.get_connection().savepoint_ids) >= 1
        shutil.copytree(self.files, folder, dirs_exist_ok=True)
        return copy.deepcopy(self.made)


@contextmanager
def share_rows(make: Callable[[], Made], *, blocker: DjangoDbBlocker, files: Path) -> Iterator[SharedRows[Made]]:
    """Make rows for the tests of a module, each of which is rolled back to here; then take them back.

    No test of such a module may be transactional, since it would empty the tables.
    """
    with blocker.unblock():
        transaction.get_connection().ensure_connection()
        whole = transaction.atomic()
        whole.__enter__()
        try:
            with override_settings(MEDIA_ROOT=files):
                made = make()
        except BaseException:
            whole.__exit__(*sys.exc_info())
            raise
    yield SharedRows(made, files)
    with blocker.unblock():
        transaction.set_rollback(True)
        whole.__exit__(None, None, None)


def share_in_module(make: Callable[[], Made]) -> Any:
    """Return a fixture with the rows that `make` makes once for the tests of a module, as of `share_rows`."""

    @pytest.fixture(scope="module")
    def shared(
        django_db_setup: None, django_db_blocker: DjangoDbBlocker, tmp_path_factory: pytest.TempPathFactory
    ) -> Iterator[SharedRows[Made]]:
        with share_rows(make, blocker=django_db_blocker, files=tmp_path_factory.mktemp("shared")) as rows:
            yield rows

    return shared


def log_in_all(people: Mapping[str, Any], *, blocker: DjangoDbBlocker) -> dict[str, SimpleCookie]:
    """Log in everybody who has an account, and return the cookies of their browsers, for tests that ask as many people.

    The sessions are kept with the rows of the module.
    """
    with blocker.unblock():
        return {name: _log_in(person) for name, person in people.items()}


def _log_in(person: Any) -> SimpleCookie:
    browser = Client()
    if person.pk:
        browser.force_login(person)
    return browser.cookies
