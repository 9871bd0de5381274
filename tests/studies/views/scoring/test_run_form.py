"""Tests of the form of a new run: which metrics it offers and selects, and what they cost."""

import re
import sys

import pytest
from django.urls import reverse
from django.utils.html import escape

from metrics_plugins.api.resources import install_extras
from studies.models import Run, ScoringRequest
from studies.scoring.plugins.catalog import load_catalog
from studies.scoring.requested_runs.costs import list_costs, spread_loading
from studies.scoring.requested_runs.options import RECOMMENDED
from studies.shared.text import print_duration
from tests.factories.studies import NOW
from tests.studies.preregistered import make_preregistration
from tests.studies.scored import make_scored_study


@pytest.fixture
def study(owner):
    return make_scored_study(owner=owner, score=False)


def post(client, **data):
    return client.post(reverse("studies:run_start", args=["study"]), data)


def list_boxes(page):
    """Return the boxes of the form of a run: whether each is ticked."""
    boxes = re.findall(r'<input type="checkbox" name="metrics" value="([\w-]+)"([^>]*)>', page)
    return {name: "checked" in attributes for name, attributes in boxes}


def test_metrics_that_lack_something_are_shown_apart_with_what_installs_it(researcher, study, monkeypatch):
    monkeypatch.setitem(sys.modules, "pycocoevalcap", None)

    page = researcher.get("/studies/study/runs/").content.decode()
    refused = post(researcher, metrics=["meteor"])

    apart = page[page.index('id="unavailable"') : page.index("</section>", page.index('id="unavailable"'))]
    assert re.search(r"<code>meteor</code></a>[^:]* need pycocoevalcap", apart)
    assert escape(install_extras("meteor")) in apart
    assert 'value="meteor"' not in page
    assert "Select a valid choice. meteor is not one of the available choices" in refused.content.decode()


def test_the_form_tells_what_metrics_cost(researcher, study):
    counts = {"n_rows": 99_000, "seconds": 990_000.0, "chunk_size": 5000, "higher_is_better": True, "versions": {}}
    named = {"signature": "spice|v:1", "input_digest": "x", "plugin": "x 1", "device": "cpu", "dtype": "float64"}
    Run.objects.create(metric="spice", started_at=NOW, finished_at=NOW, **counts, **named)
    n_rows = study.dataset.candidates.count()

    page = researcher.get("/studies/study/runs/").content.decode()
    none = post(researcher, select="none").content.decode()

    seconds = float(re.search(r'value="spice"[^>]*data-seconds="([\d.]+)"', page)[1])
    assert seconds == pytest.approx(n_rows * 10 * 0.99, rel=0.01)
    assert f"spice (SPICE), {print_duration(seconds)}" in page
    costs = list_costs(study, load_catalog())
    total = spread_loading({name: costs[name] for name, is_chosen in list_boxes(page).items() if is_chosen})
    assert f'<output id="cost">{print_duration(sum(total.values()))}</output>' in page
    assert f'data-loading="{costs["spice"].loading:.3f}"' in page
    assert sum(total.values()) >= seconds + costs["spice"].loading > seconds
    assert '<output id="cost">less than 1 s</output>' in none


def test_the_recommended_metrics_are_ticked_at_first(researcher, study):
    boxes = list_boxes(researcher.get("/studies/study/runs/").content.decode())

    chosen = {name for name, is_chosen in boxes.items() if is_chosen}
    assert chosen == RECOMMENDED & set(boxes)
    assert {"bleu-4", "cider-d", "spice"} <= chosen
    assert {"bleu-1", "critic-judgments"} <= set(boxes) - chosen


def test_preregistered_metrics_are_ticked_instead(researcher, study):
    make_preregistration(study)

    boxes = list_boxes(researcher.get("/studies/study/runs/").content.decode())

    assert {name for name, is_chosen in boxes.items() if is_chosen} == {"length"}


@pytest.mark.parametrize(
    ("select", "chosen"),
    [
        ("none", set()),
        ("recommended", {"bleu-4", "cider-d"}),
        ("all", {"bleu-1", "bleu-4", "cider-d", "critic-judgments"}),
        ("all:ngram", {"bleu-1", "bleu-4", "cider-d", "spice"}),
        ("none:ngram", {"spice"}),
    ],
)
def test_buttons_select_metrics_without_a_script_and_keep_the_rest(researcher, study, select, chosen):
    response = post(researcher, metrics=["bleu-1", "spice"], own_protocol="on", select=select)

    page, asked = response.content.decode(), {"bleu-1", "bleu-4", "cider-d", "critic-judgments"}
    if ":" in select:
        asked |= {"spice"}
    boxes = list_boxes(page)
    assert response.status_code == 200
    assert {name for name in asked if boxes[name]} == chosen
    assert re.search(r'name="own_protocol"[^>]* checked', page)
    assert "This field is required" not in page
    assert re.findall(r'value="([^"]+)"[^>]* autofocus', page) == [select]
    assert not ScoringRequest.objects.exists()


def test_what_learns_from_judgments_is_offered_and_not_chosen(researcher, study):
    form = researcher.get(reverse("studies:runs", args=["study"])).context["form"]

    assert "critic-judgments" in form.offered
    assert "critic-judgments" not in form.fields["metrics"].initial
