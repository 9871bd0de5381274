import re
import sys

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from jobs.worker.running import run_waiting_jobs
from metrics_plugins.api.resources import install_extras
from studies.models import ConformanceReport
from studies.scoring.plugins.catalog import digest_sources, load_catalog
from tests.factories.studies import NOW


def test_card_tells_what_a_metric_declares(researcher):
    page = researcher.get("/metrics/cider-d/").content.decode()

    info = load_catalog().get("cider-d").info
    for text in ("CIDEr-D", "candidate, references", "0 to 10", "higher", info.citation, "accordance 0", "sigma"):
        assert text in page
    assert "has not been checked yet" in page
    assert "available after the first check or run" in page


def test_pages_tell_what_a_metric_lacks(researcher, monkeypatch):
    monkeypatch.setitem(sys.modules, "pycocoevalcap", None)

    card = researcher.get("/metrics/meteor/").content.decode()
    listed = researcher.get("/metrics/").content.decode()

    assert "it needs pycocoevalcap, which is not installed" in card
    for page in (card, listed):
        assert escape(install_extras("meteor")) in page
    row = listed[listed.index('<a href="/metrics/meteor/"><code>meteor</code></a></th>') :]
    assert '<span class="outcome partial">not installed</span> pycocoevalcap' in row[: row.index("</tr>")]
    assert "not installed" not in researcher.get("/metrics/cider-d/").content.decode()


def test_unknown_metrics_have_no_card(researcher):
    assert researcher.get("/metrics/nothing/").status_code == 404
    assert researcher.post("/metrics/nothing/check/").status_code == 404


def test_checks_are_asked_for_and_shown(researcher):
    response = researcher.post(reverse("studies:metric_check", args=["length"]), follow=True)
    page = response.content.decode()
    assert "Checking a metric" in page
    # The part that shows the job is a section of its own: no section with its heading stands in another.
    assert max(_measure_depths(page)) == 1
    polled = re.search(r'hx-get="([^"]+)"', page)[1].replace("&amp;", "&")
    assert researcher.get(polled).status_code == 200

    run_waiting_jobs(now=timezone.now)

    assert researcher.get(polled).headers["HX-Refresh"] == "true"
    part = researcher.get("/metrics/length/").content.decode()
    assert "hx-get" not in part
    assert "<code>keys-kept</code>" in part
    assert "<b>18 of 18 checks</b> passed" in part
    assert "length|tok:ptb|v:1" in researcher.get("/metrics/length/").content.decode()


def _measure_depths(page):
    depth = 0
    for tag in re.findall(r"</?section\b", page):
        depth += -1 if "/" in tag else 1
        yield depth


def test_a_failing_clause_is_told_as_text(researcher):
    entry = load_catalog().get("length")
    results = [["pickling", "survives pickling", "expected <b>; got &"], ["signature", "prints", ""]]
    known = {"metric": "length", "version": entry.info.version, "digest": digest_sources(entry)}
    ConformanceReport.objects.create(**known, results=results, finished_at=NOW)

    page = researcher.get("/metrics/length/").content.decode()

    assert "<b>1 of 2 checks</b> passed" in page
    assert "expected &lt;b&gt;; got &amp;" in page


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("?q=cider-d", {"cider-d", "self-cider-d"}),
        ("?q=tau+nothing", set()),
        ("?level=set&group=diversity&q=lsa", {"lsa"}),
        ("?level=nonsense&q=cider-d&group=ngram", {"cider-d"}),
    ],
)
def test_list_is_searched_and_filtered(researcher, query, wanted):
    metrics = researcher.get(f"/metrics/{query}").context["metrics"]

    assert {metric.id for metric in metrics} == wanted


def test_list_is_grouped_by_family_bundled_ones_first(researcher):
    metrics = researcher.get("/metrics/").context["metrics"]

    assert [(metric.group, metric.id) for metric in metrics] == sorted((metric.group, metric.id) for metric in metrics)
    assert '<th scope="rowgroup" colspan="10">ngram</th>' in researcher.get("/metrics/").content.decode()
