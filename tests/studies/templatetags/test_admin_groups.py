"""Tests that every table on the first page of the admin is in a named group."""

import pytest
from django.apps import apps
from django.contrib import admin

from studies.templatetags.admin_groups import GROUPS, group_tables


def make_list(*, app_label, models):
    return {"app_label": app_label, "name": app_label, "app_url": "", "models": [{"model": model} for model in models]}


def test_every_table_has_a_group() -> None:
    models = [model for model in admin.site._registry if model._meta.app_label == "studies"]
    known = [make_list(app_label="auth", models=[]), make_list(app_label="studies", models=models)]

    groups = group_tables(known)

    assert [group["name"] for group in groups] == [*GROUPS, "auth"]
    assert sorted(each["model"].__name__ for group in groups for each in group["models"]) == sorted(
        model.__name__ for model in models
    )


def test_every_module_of_models_is_in_one_group() -> None:
    modules = {model.__module__.rpartition(".")[2] for model in apps.get_app_config("studies").get_models()}
    named = [name for names in GROUPS.values() for name in names]

    assert sorted(named) == sorted(modules)


def test_table_without_a_group_is_shown_all_the_same() -> None:
    class New:
        __module__ = "studies.models.new"

    (group,) = group_tables([make_list(app_label="studies", models=[New])])

    assert [each["model"] for each in group["models"]] == [New]


@pytest.mark.django_db
def test_index_shows_the_groups(admin_client) -> None:
    content = admin_client.get("/admin/").content.decode()

    assert [title for title in GROUPS if title not in content] == []
