"""Tests that every model is in the admin: listed, searched, opened, and editable only where allowed."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.factories.studies import make_user
from tests.shared_rows import share_in_module
from tests.studies.admin.rows import make_rows

MODELS = sorted(apps.get_app_config("studies").get_models(), key=lambda model: model.__name__)
WRITABLE = {"dataset": {"change"}, "study": {"change"}, "studymember": {"add", "change", "delete"}}
# They go with an account, which can be deleted.
WRITABLE |= {"accountwebhook": {"delete"}, "notificationsettings": {"delete"}}


def _name(model):
    return model._meta.model_name


def look(browser, model):
    """Return how many rows the list of a model has, and how many queries it takes right after the log-in.

    Once a minute a page also stores that its person was there.
    """
    browser.force_login(User.objects.get(username="operator"))
    with CaptureQueriesContext(connection) as asked:
        response = browser.get(reverse(f"admin:studies_{_name(model)}_changelist"))
    return response.context["cl"].result_count, len(asked)


def _make_and_look():
    """Return what `look` finds for each model where there is one row of everything, and then make two more."""
    make_user("operator", is_staff=True, is_superuser=True)
    make_rows([0])
    browser = Client()
    seen = {_name(model): look(browser, model) for model in MODELS}
    make_rows([1, 2])
    return seen


rows_of_module = share_in_module(_make_and_look)


@pytest.fixture
def seen(db, rows_of_module):
    """What `look` found with a third of the rows."""
    return rows_of_module.made


@pytest.fixture
def operator(client, seen):
    """A browser in which a superuser is logged in, where there are three rows of everything or more."""
    client.force_login(User.objects.get(username="operator"))
    return client


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_model_is_registered_with_what_finds_a_row(model):
    page = admin.site.get_model_admin(model)

    assert len(page.list_display) > 1
    assert page.search_fields


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_list_takes_the_same_number_of_queries_for_one_row_and_three(operator, seen, model):
    n_rows, n_queries = seen[_name(model)]

    assert look(operator, model) == (3 * n_rows, n_queries)


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_search_answers(operator, model):
    response = operator.get(reverse(f"admin:studies_{_name(model)}_changelist"), {"q": "nobody has this"})

    assert response.status_code == 200
    assert response.context["cl"].result_count == 0


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_row_opens_without_bytes(operator, model):
    response = operator.get(reverse(f"admin:studies_{_name(model)}_change", args=[model.objects.first().pk]))

    assert response.status_code == 200
    assert "ROW-IDS" not in response.content.decode()
    assert "A-SCORE" not in response.content.decode()


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_even_a_superuser_writes_only_where_it_is_safe(rf, operator, model):
    request = rf.get("/admin/")
    request.user = User.objects.get(username="operator")
    page = admin.site.get_model_admin(model)

    allowed = {action for action in ("add", "change", "delete") if getattr(page, f"has_{action}_permission")(request)}

    assert allowed == WRITABLE.get(_name(model), set())
