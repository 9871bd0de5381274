"""Tests that every model is in the admin: listed, searched, opened, and editable only where allowed."""

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from tests.studies.admin.rows import make_rows

MODELS = sorted(apps.get_app_config("studies").get_models(), key=lambda model: model.__name__)
WRITABLE = {"dataset": {"change"}, "study": {"change"}, "studymember": {"add", "change", "delete"}}
# They go with an account, which can be deleted.
WRITABLE |= {"accountwebhook": {"delete"}, "notificationsettings": {"delete"}}


def _name(model):
    return model._meta.model_name


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_model_is_registered_with_what_finds_a_row(model):
    page = admin.site.get_model_admin(model)

    assert len(page.list_display) > 1
    assert page.search_fields


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_list_takes_the_same_number_of_queries_for_one_row_and_three(operator, model):
    address = reverse(f"admin:studies_{_name(model)}_changelist")
    make_rows([0])
    with CaptureQueriesContext(connection) as few:
        first = operator.get(address)

    make_rows([1, 2])
    with CaptureQueriesContext(connection) as many:
        second = operator.get(address)

    assert second.context["cl"].result_count == 3 * first.context["cl"].result_count
    assert len(many) == len(few)


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_search_answers(operator, model):
    make_rows([0])

    response = operator.get(reverse(f"admin:studies_{_name(model)}_changelist"), {"q": "nobody has this"})

    assert response.status_code == 200
    assert response.context["cl"].result_count == 0


@pytest.mark.parametrize("model", MODELS, ids=_name)
def test_row_opens_without_bytes(operator, model):
    make_rows([0])

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
