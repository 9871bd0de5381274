"""Tests of the plots that readers can point at: their data, who may see them, and the forest plot as a file."""

import json

import pytest
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from studies.enums import MemberRole
from studies.models import Item, Study
from tests.factories.studies import make_member, make_study, make_user
from tests.studies.rated import make_rated_study

ADDRESSES = (
    "plots/forest.json",
    "plots/scatter.json?metric=length",
    "plots/items.json?item=1",
    "forest.svg",
)


@pytest.fixture
def study(owner):
    study = make_rated_study()
    Study.objects.filter(pk=study.pk).update(owner=owner)
    return study


@pytest.fixture
def whole(study, researcher):
    """The study with its intervals computed."""
    researcher.get("/studies/rated/")
    run_waiting_jobs(now=timezone.now)
    return study


def get(browser, address):
    return browser.get(f"/studies/rated/{address}")


def list_values(answer, *, with_field):
    return [row for table in answer.json()["data"] for row in table.get("values", []) if with_field in row]


@pytest.mark.django_db(transaction=True)
def test_the_forest_plot_has_the_numbers_of_the_overview(researcher, whole):
    rows = list_values(get(researcher, "plots/forest.json"), with_field="metric")
    report = researcher.get("/studies/rated/").context["report"]

    assert [(row["metric"], row["value"], row["low"], row["n"]) for row in rows] == [
        (row.metric, row.value, row.low, row.n) for row in report.rows
    ]
    assert rows[0]["low"] is not None


def test_each_circle_of_the_scatter_plot_names_its_first_items(researcher, study):
    rows = list_values(get(researcher, "plots/scatter.json?metric=length"), with_field="count")
    keys = set(Item.objects.filter(task__study=study).values_list("pk", flat=True))

    assert sum(row["count"] for row in rows) == 36
    assert all(1 <= len(row["items"]) <= 3 and set(row["items"]) <= keys for row in rows)


def test_an_item_is_told_with_captions_judgments_and_its_page(researcher, study):
    item = Item.objects.filter(task__study=study).order_by("pk").first()

    (told,) = get(researcher, f"plots/items.json?item={item.pk}").json()["items"]

    assert told["captions"] == [{"system": "first", "text": "word word"}]
    assert (told["judgments"], told["mean"]) == (["1", "1", "1"], 1.0)
    assert researcher.get(told["page"]).context["judged"].item == item


def test_items_of_other_studies_are_not_told(researcher, study):
    other = Item.objects.filter(task__study=make_study("other")).first()

    assert get(researcher, f"plots/items.json?item={other.pk}").json() == {"items": []}


@pytest.mark.parametrize("query", ["", "?item=x", f"?item={10**30}", "?item=1&item=2&item=3&item=4", "?item=-1"])
def test_invalid_items_are_not_found(researcher, study, query):
    assert get(researcher, f"plots/items.json{query}").status_code == 404


@pytest.mark.parametrize("address", ["plots/scatter.json", "plots/scatter.json?metric=no", "plots/forest.json?size=no"])
def test_invalid_plots_are_not_found(researcher, study, address):
    assert get(researcher, address).status_code == 404


@pytest.mark.parametrize("address", ADDRESSES)
def test_plots_are_for_those_who_may_see_the_study(client, study, address):
    colleague = make_user("colleague")
    make_member(study, colleague, MemberRole.VIEWER)
    assert get(client, address).status_code == 302

    client.force_login(colleague)
    assert get(client, address).status_code == 200
    client.force_login(make_user("stranger"))
    assert get(client, address).status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_forest_plot_is_a_file_with_the_headline(researcher, whole):
    shown, file = get(researcher, "forest.svg"), get(researcher, "forest.svg?download=1")

    assert "agrees best" not in shown.content.decode()
    assert "Length agrees best" in file.content.decode()
    assert file["Content-Disposition"] == 'attachment; filename="rated-forest.svg"'
    assert researcher.get("/studies/rated/forest.svg", headers={"If-None-Match": shown["ETag"]}).status_code == 304
    assert get(researcher, "forest.gif").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_downloaded_results_have_the_intervals_once_they_are_computed(researcher, study):
    before = b"".join(get(researcher, "results.csv").streaming_content).decode()
    researcher.get("/studies/rated/")
    run_waiting_jobs(now=timezone.now)
    first = json.loads(b"".join(get(researcher, "results.json").streaming_content))[0]

    assert ",,," in before
    assert first["low"] < first["value"] < first["high"]
    assert " / ci:percentile" in first["signature"]
