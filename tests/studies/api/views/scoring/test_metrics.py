"""Tests of contract cards, and of a study's choice of metrics."""

import sys

import pytest
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from metrics_plugins.api.resources import install_extras
from studies.models import AuditEntry, ConformanceReport, StudyMetric
from studies.scoring.plugins.catalog import load_catalog
from tests.studies.preregistered import make_preregistration

pytestmark = pytest.mark.django_db
METRICS = "/api/v1/metrics/"


def test_a_card_has_what_the_page_has(api):
    card = api.client.get(f"{METRICS}rouge-l/").json()

    assert {name: card[name] for name in ("id", "level", "direction", "bundled", "conformance")} == {
        "id": "rouge-l",
        "level": "segment",
        "direction": "higher",
        "bundled": True,
        "conformance": None,
    }
    assert card["module"].startswith("metrics_plugins.")
    assert card["signature"].startswith("rouge-l|")
    assert api.client.get(f"{METRICS}nothing/").status_code == 404


def test_a_card_has_weaknesses_bibtex_and_agreement(api):
    card = api.client.get(f"{METRICS}cider-d/").json()

    info = load_catalog().get("cider-d").info
    assert card["card"]["measures"] == info.card.measures
    assert card["card"]["weaknesses"][0] == {
        "text": info.card.weaknesses[0].text,
        "source": "docs/plugins.md, Document frequencies",
    }
    assert card["card"]["publications"][0]["authors"] == ["Vedantam, R.", "Zitnick, C. L.", "Parikh, D."]
    assert card["card"]["bibtex"] == info.card.bibtex
    assert card["agreement"][0] == {
        "study": "flickr8k-expert",
        "measure": "Kendall τ-c",
        "value": 0.439,
        "low": 0.418,
        "high": 0.46,
        "people": 0.531,
    }
    assert api.client.get(f"{METRICS}lsa/").json()["agreement"] == []


def test_a_card_gives_defaults_and_choices_as_the_values_they_are(api):
    listed = {
        (metric["id"], each["name"]): (each["kind"], each["default"], each["choices"])
        for metric in api.client.get(METRICS).json()
        for each in metric["parameters"]
    }

    assert listed["cider-d", "n"] == ("int", 4, [])
    assert listed["cider-d", "sigma"] == ("float", 6.0, [])
    assert listed["chair-i", "objects"] == ("str", "", [])
    assert listed["chair-i", "rules"] == ("choice", "published", ["published", "corrected"])
    assert listed["spice", "tuples"] == ("str", None, [])


def test_metrics_are_searched_as_on_the_page(api):
    def search(**asked):
        return [metric["id"] for metric in api.client.get(METRICS, asked).json()]

    assert search(q="cider", level="segment") == ["cider", "cider-d"]
    assert search(reads="image") == ["clip-score", "ref-clip-score"]
    assert search(group="scene graph", q="colours") == ["spice-color"]
    assert search(q="nothing of the kind") == []


def test_what_a_metric_lacks_is_told_with_what_installs_it(api, monkeypatch):
    monkeypatch.setitem(sys.modules, "pycocoevalcap", None)
    lacks = {"available": False, "missing": ["pycocoevalcap"], "install": [install_extras("meteor")]}
    lacks_nothing = {"available": True, "missing": [], "install": []}

    listed = {metric["id"]: metric for metric in api.client.get(METRICS).json()}
    of_study = {metric["metric"]: metric for metric in api.get("metrics/").json()}

    for metrics in (listed, of_study):
        assert lacks.items() <= metrics["meteor"].items()
        assert lacks_nothing.items() <= metrics["rouge-l"].items()
    assert lacks.items() <= api.client.get(f"{METRICS}meteor/").json().items()


def test_a_card_has_the_clauses_that_were_checked(api):
    first = api.client.post(f"{METRICS}length/checks/")
    results = [["check_keys", "keeps keys", ""], ["check_bounds", "keeps bounds", "2 is above 1"]]
    run_waiting_jobs(now=timezone.now)
    ConformanceReport.objects.update(results=results, signature="length|v:1")

    found = api.client.get(f"{METRICS}length/").json()["conformance"]

    assert first.status_code == 202
    assert (found["state"], found["n_passed"]) == ("finished", 1)
    assert found["clauses"] == [
        {"check": "check_keys", "clause": "keeps keys", "message": "", "passed": True},
        {"check": "check_bounds", "clause": "keeps bounds", "message": "2 is above 1", "passed": False},
    ]


def test_plugins_that_are_refused_are_listed(api, settings, tmp_path):
    settings.ACCORDANCE_PLUGINS = str(tmp_path)
    assert api.client.get("/api/v1/refused-plugins/").json() == []
    (tmp_path / "broken.py").write_text("import nothing_of_this_name\n")

    (refused,) = api.client.get("/api/v1/refused-plugins/").json()

    assert refused["plugin"] == "broken.py"
    assert "nothing_of_this_name" in refused["reason"]


def test_a_metric_is_switched_and_set(api, study):
    response = api.send(
        "patch", "metrics/rouge-s/", {"enabled": False, "parameters": {"distance": 2, "tokenizer": "ptb"}}
    )

    assert response.status_code == 200, response.content
    expected = {"enabled": False, "parameters": {"distance": 2}}
    assert {name: response.json()[name] for name in expected} == expected
    listed = {each["metric"]: each for each in api.get("metrics/").json()}
    assert listed["rouge-s"] == response.json()
    assert (listed["length"]["enabled"], listed["length"]["parameters"]) == (True, {})
    assert set(AuditEntry.objects.values_list("action", "interface")) == {
        ("metric_set", "api"),
        ("metric_switched", "api"),
    }


def test_parameters_that_it_does_not_take_change_nothing(api, study):
    response = api.send("patch", "metrics/rouge-l/", {"enabled": False, "parameters": {"gamma": 1}})
    nothing = api.send("patch", "metrics/rouge-l/", {})

    assert (response.status_code, nothing.status_code) == (400, 400)
    assert response.json()["errors"] == [{"field": "gamma", "message": "unknown parameter gamma (known: tokenizer)"}]
    assert not StudyMetric.objects.filter(study=study, is_enabled=False).exists()


def test_metrics_of_a_study_have_a_family_and_say_whether_they_are_recommended(api):
    metrics = {metric["metric"]: (metric["family"], metric["recommended"]) for metric in api.get("metrics/").json()}

    assert (metrics["bleu-4"], metrics["bleu-1"]) == (("ngram", True), ("ngram", False))
    assert (metrics["spice"], metrics["critic-judgments"]) == (("scene graph", True), ("judged critic", False))
    changed = api.send("patch", "metrics/bleu-4/", {"enabled": False}).json()
    assert (changed["family"], changed["recommended"]) == metrics["bleu-4"]


def test_a_change_of_a_preregistered_metric_is_confirmed_in_the_query(api, study):
    make_preregistration(study, metrics=["rouge-s"])
    change = {"enabled": False, "parameters": {"distance": 2}}

    asked = api.send("patch", "metrics/rouge-s/", change)

    assert asked.status_code == 409
    assert "parameters of rouge-s: preregistered defaults, now distance=2" in asked.content.decode()
    assert not StudyMetric.objects.filter(is_enabled=False).exists()

    done = api.send("patch", "metrics/rouge-s/?confirm_deviation=true&deviation_reason=Broken", change)

    assert (done.status_code, done.json()["enabled"]) == (200, False)
    reasons = AuditEntry.objects.filter(action__in=["metric_switched", "metric_set"]).values_list("details", flat=True)
    assert {each["deviation_reason"] for each in reasons} == {"Broken"}
