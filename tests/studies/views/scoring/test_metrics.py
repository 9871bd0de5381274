import re
import sys
from dataclasses import replace
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from jobs.worker.running import run_waiting_jobs
from metrics_plugins.api.resources import install_extras
from metrics_plugins.runtime.sandbox import Catalog
from studies.models import ConformanceReport
from studies.scoring.plugins.catalog import digest_sources, load_catalog
from studies.scoring.plugins.trying import NotTried, TriedScore
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


def test_card_has_weaknesses_with_sources_and_bibtex(researcher):
    page = unescape(researcher.get("/metrics/cider-d/").content.decode())

    card = load_catalog().get("cider-d").info.card
    assert card.measures in page
    assert card.cost in page
    assert all(each.text in page and each.source in page for each in card.weaknesses)
    assert f">{card.bibtex}</pre>" in page


def test_page_has_the_agreement_with_published_judgments(researcher):
    page = researcher.get("/metrics/cider-d/").content.decode()

    row = re.search(r'<th scope="row">flickr8k-expert</th>(.*?)</tr>', page, re.S)[1]
    assert re.findall(r">([^<>]*)</td>", row) == ["Kendall τ-c", "0.439", "[0.418, 0.460]", "0.531"]
    assert "Agreement with people" not in researcher.get("/metrics/lsa/").content.decode()


def test_metric_without_a_card_says_so(researcher, monkeypatch):
    entry = load_catalog().get("length")
    bare = replace(entry, info=replace(entry.info, card=None), bundled=False)
    monkeypatch.setattr("studies.views.scoring.metrics.load_catalog", lambda: Catalog({"length": bare}))
    page = researcher.get("/metrics/length/").content.decode()

    assert "Not stated by its author." in page
    assert "Card: there is none that says what it measures" in page
    assert "Only metrics that come with Accordance are run on this page." in page
    assert '<code class="command">accordance score --metrics length --candidates FILE</code>' in page


def test_typed_caption_is_scored_and_kept_in_the_form(researcher):
    typed = {"captions": "a dog <b> runs", "references": "a dog runs\r\n\r\nthe dog is running\r\n"}
    response = researcher.post("/metrics/rouge-l/", typed)
    page = response.content.decode()

    assert response.status_code == 200
    assert "no-store" in response.headers["Cache-Control"]
    tried = response.context["tried"]
    assert f"{tried.value:.4f}" in page
    assert tried.signature in page
    assert "a dog &lt;b&gt; runs" in page
    assert "0 to 1; higher is better" in page


@pytest.mark.parametrize(
    ("metric", "typed", "said"),
    [
        ("length", {"captions": ""}, "This field is required."),
        ("length", {"captions": "one\ntwo"}, "Enter 1 line, not 2."),
        ("length", {"captions": "x" * 301}, "A line may have at most 300 characters, not 301."),
        ("length", {"captions": "x\n" * 4000}, "Ensure this value has at most 6000 characters (it has 7999)."),
        ("rouge-l", {"captions": "one", "references": "a\n" * 6}, "Enter 1 to 5 lines, not 6."),
        ("rouge-l", {"captions": "one"}, "This field is required."),
        ("lsa", {"captions": "one"}, "Enter 2 to 10 lines, not 1."),
        ("clip-score", {"captions": "one"}, "This metric reads the image itself, which cannot be entered here."),
    ],
)
def test_text_that_cannot_be_scored_is_refused(researcher, metric, typed, said):
    response = researcher.post(f"/metrics/{metric}/", typed)

    assert response.status_code == 200
    assert said in unescape(response.content.decode())
    assert "tried" not in response.context


def test_missing_resource_is_named(researcher, monkeypatch):
    def fail(*_, **__):
        raise NotTried("pycocoevalcap is not installed: pip install 'accordance[meteor]'")

    monkeypatch.setattr("studies.views.scoring.metrics.try_metric", fail)
    page = researcher.post("/metrics/meteor/", {"captions": "a dog", "references": "a dog"}).content.decode()

    assert "No score was computed: pycocoevalcap is not installed: pip install 'accordance[meteor]'." in unescape(page)


def test_captions_are_limited_per_account(researcher, client, settings, monkeypatch):
    settings.ACCORDANCE_METRIC_TRIALS = 1
    monkeypatch.setattr("studies.views.scoring.metrics.try_metric", lambda *_, **__: TriedScore(1.0, "length|v:1"))
    typed = {"captions": "a dog"}

    answers = [researcher.post("/metrics/length/", typed) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [200, 429]
    assert answers[1].headers["Retry-After"] == "60"
    assert "At most 1 captions are scored in a minute" in answers[1].content.decode()


def test_captions_are_scored_only_for_people_with_an_account(client):
    response = client.post("/metrics/length/", {"captions": "a dog"})

    assert response.status_code == 302
    assert response.headers["Location"].startswith("/login/?next=/metrics/length/")


def test_unknown_metrics_have_no_card(researcher):
    assert researcher.get("/metrics/nothing/").status_code == 404
    assert researcher.post("/metrics/nothing/check/").status_code == 404
    assert researcher.post("/metrics/nothing/", {"captions": "a dog"}).status_code == 404


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
