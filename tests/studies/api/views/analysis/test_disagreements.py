"""Tests that disagreements are the same as on the page, in the same order."""

import pytest

from studies.models import Judgment
from tests.factories.studies import make_user
from tests.studies.api.views.conftest import Asker
from tests.studies.rated import make_rated_study, make_voted_study
from tests.studies.scored import make_scored_study

pytestmark = pytest.mark.django_db
PAGE = "/studies/study/disagreements/"


def own(client, study):
    study.owner = make_user("owner")
    study.save()
    client.force_login(study.owner)
    return Asker(client)


def test_items_are_those_of_the_page(client):
    api = own(client, make_rated_study("study"))

    found = api.get("disagreements/", metric="rouge-l").json()

    page = client.get(PAGE, {"metric": "rouge-l"})
    assert found["compared"] == {
        "compare": "people",
        "metric": "rouge-l",
        "other": "",
        "is_pairwise": False,
        "n_missing": page.context["ranking"].n_missing,
    }
    assert found["count"] == len(page.context["ranking"].rows)
    shown = page.context["items"]
    assert [(each["rank"], each["id"], each["apart"]) for each in found["results"]] == [
        (each.rank, each.item.pk, each.size) for each in shown
    ]
    first = found["results"][0]
    assert first["scores"][0]["metric"] == "rouge-l"
    assert first["n_votes"] == sum(votes["n"] for votes in first["votes"]) == 3
    assert [word["text"] for word in first["captions"][0]["words"]] == [
        word.text for word in shown[0].captions[0].words
    ]
    assert first["captions"][0]["tuples"] is None


def test_pages_follow_each_other(client):
    api = own(client, make_rated_study("study"))

    first = api.get("disagreements/", metric="length", page_size=4).json()
    second = client.get(first["next"]).json()

    assert [each["rank"] for each in first["results"] + second["results"]] == list(range(1, 9))
    assert api.get("disagreements/", metric="length", page=99).status_code == 404


def test_metrics_and_raters_and_tuples(client):
    api = own(client, make_rated_study("study", n_items=8))

    metrics = api.get("disagreements/", compare="metrics", metric="length", other="rouge-l", tuples="on").json()
    raters = api.get("disagreements/", compare="raters").json()

    assert [metrics["compared"][name] for name in ("compare", "metric", "other")] == ["metrics", "length", "rouge-l"]
    tuples = metrics["results"][0]["captions"][0]["tuples"]
    assert {each["kind"] for each in tuples["candidate"] + tuples["missed"]} <= {"object", "attribute", "relation"}
    assert tuples["missed"]
    assert (raters["compared"]["compare"], raters["compared"]["metric"]) == ("raters", "")


def test_pairs_have_no_percentiles(client):
    api = own(client, make_voted_study("study"))

    found = api.get("disagreements/", metric="rouge-l").json()

    assert found["compared"]["is_pairwise"] is True
    assert {each["percentile"] for each in found["results"]} == {None}
    assert {len(each["captions"]) for each in found["results"]} == {2}


def test_all_items_are_downloaded(client):
    api = own(client, make_rated_study("study"))

    response = api.get("disagreements.csv", metric="length")

    assert response.headers["Content-Disposition"] == 'attachment; filename="study-disagreements.csv"'
    lines = b"".join(response.streaming_content).decode().splitlines()
    assert len(lines) == 1 + api.get("disagreements/", metric="length").json()["count"]


@pytest.mark.parametrize("name", ["disagreements/", "disagreements.csv"])
def test_bad_values_are_named(client, name):
    api = own(client, make_rated_study("study"))

    response = api.get(name, compare="nonsense", metric="cider")

    assert response.status_code == 400
    assert {error["field"] for error in response.json()["errors"]} == {"compare", "metric"}


def test_a_study_without_judgments_says_so(client):
    api = own(client, make_scored_study())
    Judgment.objects.all().delete()

    response = api.get("disagreements/")

    assert (response.status_code, response.json()["detail"]) == (409, "study study has no judgments yet")
