import re

import pytest
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone

from jobs.worker.running import run_waiting_jobs
from studies.analysis.results import StudyResults
from studies.design.study_design import Slider
from studies.enums import MemberRole, StudyState, TaskKind
from studies.models import Study
from studies.monitoring.progress import _keep
from studies.views import study as study_views
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_member, make_rater, make_study, make_user
from tests.studies.rated import make_rated_study
from tests.studies.scored import list_items, make_scored_study

PAGE = "/studies/study/"


def _own(study, owner):
    Study.objects.filter(pk=study.pk).update(owner=owner)
    return study


@pytest.mark.parametrize("n_items", [1, 3])
def test_study_takes_a_fixed_number_of_queries(researcher, owner, n_items, django_assert_num_queries):
    make_scored_study(values=tuple(range(1, n_items + 1)), owner=owner)
    researcher.get(PAGE)

    # Session, user, study; 7 of the fingerprint (the results are kept); whether it is small; 3 facts; 3 of raters, 2 of
    # places; the raters, keys, items, judgments and comments of the page; the jobs of the intervals and of the answers,
    # and what each waits for: the jobs ahead of it, and the running job of its lane. The owner needs no membership.
    with django_assert_num_queries(32):
        response = researcher.get(PAGE)

    assert len(response.context["items"]) == n_items


def test_results_that_are_not_of_the_moment_say_so(researcher, owner, monkeypatch):
    monkeypatch.setattr("studies.analysis.cached_results.QUICK_SECONDS", 0.0)
    monkeypatch.setattr("studies.analysis.cached_results.KEEP_FACTOR", 1e9)
    study = make_scored_study(values=(1, 2, 3), owner=owner)
    Study.objects.filter(pk=study.pk).update(state=StudyState.OPEN, started_at=NOW)
    researcher.get(PAGE)
    make_judgment(list_items(study)[0], make_rater(study, "K7QX"), 3.0)

    response = researcher.get(PAGE)

    assert (
        f"{response.context['results'].as_of:%Y-%m-%d %H:%M:%S}</time>. Judgments since then"
        in response.content.decode()
    )
    assert [line.n for line in response.context["results"].table.lines if line.name == "length"] == [3]


@pytest.mark.parametrize("is_counted", [True, False], ids=["counted", "being counted"])
@pytest.mark.parametrize("keep_factor", [0.0, 1e9], ids=["outdated", "kept for a while"])
@pytest.mark.django_db(transaction=True)
def test_results_from_before_the_first_judgment_do_not_contradict_the_count(
    researcher, owner, monkeypatch, keep_factor, is_counted
):
    monkeypatch.setattr("studies.analysis.cached_results.MOST_JUDGMENTS", 0)
    monkeypatch.setattr("studies.analysis.cached_results.QUICK_SECONDS", 0.0)
    monkeypatch.setattr("studies.analysis.cached_results.KEEP_FACTOR", keep_factor)
    study = make_study(owner=owner, state=StudyState.OPEN)
    researcher.get(PAGE)
    run_waiting_jobs(now=timezone.now)
    before = researcher.get(PAGE).content.decode()
    make_judgment(list_items(study)[0], make_rater(study), 3.0)
    if is_counted:
        _keep(study, now=timezone.now())

    during = researcher.get(PAGE)
    monkeypatch.setattr("studies.analysis.cached_results.KEEP_FACTOR", 0.0)
    researcher.get(PAGE)
    run_waiting_jobs(now=timezone.now)
    after = researcher.get(PAGE).content.decode()

    assert "No judgments yet" in before
    assert "No judgments yet" not in during.content.decode()
    counted = during.context["counted"]
    assert counted.n_judgments == 1 if is_counted else counted is None
    assert "The distribution of judgments and the agreement of raters will appear here." in during.content.decode()
    assert "100 % of 1" in after


def test_results_are_headed_as_in_the_explorer(researcher, owner):
    make_scored_study(values=(1, 2, 3), owner=owner)

    page = researcher.get(PAGE).content.decode()

    assert '<th scope="col" class="number">Kendall τ-c</th>' in page
    assert "with the least-squares line: Kendall τ-c 1.000, n = 3." in page
    assert "kendall-c" not in page.replace("coef:kendall-c", "")


def test_study_shows_a_new_judgment_and_the_new_correlation(researcher, owner):
    study = make_scored_study(values=(1, 2, 3), owner=owner)
    before = researcher.get(PAGE).content.decode()

    make_judgment(list_items(study)[0], make_rater(study, "K7QX"), 3.0)
    after = researcher.get(PAGE).content.decode()

    # The numbers are worked out in tests/studies/analysis/test_results.py.
    assert ">1.000<" in before
    assert "K7QX" not in before
    assert ">0.375<" in after
    assert "K7QX" in after


@pytest.mark.django_db(transaction=True)
def test_intervals_and_ceiling_arrive_with_the_digits_of_the_explorer(researcher, owner):
    _own(make_rated_study(), owner)

    first = researcher.get("/studies/rated/").content.decode()
    assert "Intervals and the human ceiling will appear here. Starting soon." in first
    assert researcher.get("/studies/rated/?awaited=intervals&seen=queued-0-0").status_code == 204
    run_waiting_jobs(now=timezone.now)

    part = researcher.get("/studies/rated/?awaited=intervals&seen=queued-0-0")
    assert (part.headers["HX-Reselect"], part.headers["HX-Retarget"]) == ("#results", "#results")
    assert "Intervals and the human ceiling will" not in part.content.decode()
    page = researcher.get("/studies/rated/").content.decode()
    explored = researcher.get("/studies/rated/explore/")
    assert "will appear here" not in page
    assert "Intervals: waiting" not in explored.content.decode()
    (ceiling,) = [each for each in explored.context["report"].ceilings if each.coefficient == "kendall-c"]
    for row in (*explored.context["report"].rows, ceiling):
        assert f"{row.value:.3f}" in page
        assert f"<small>[{row.low:.3f}, {row.high:.3f}]</small>".replace("-", "\N{MINUS SIGN}") in page
    assert "people, mean-pairwise" in page


def test_overview_warns_of_few_images(researcher, owner):
    _own(make_rated_study(n_items=9), owner)

    page = researcher.get("/studies/rated/?wait=1").content.decode()

    assert '<p class="notice warning">Caution: only 9 images, fewer than 10: differences are not tested' in page


def test_study_prints_protocol_and_signatures_under_the_table(researcher, owner):
    make_scored_study(owner=owner)

    response = researcher.get(PAGE)

    table = response.context["results"].table
    assert table.protocol == "flickr8k-expert@1"
    for signature in table.signatures:
        assert f"<code>{signature}</code>" in response.content.decode()


@pytest.mark.parametrize(
    ("query", "chosen"), [("", "length"), ("?metric=rouge-l", "rouge-l"), ("?metric=nonsense", "length")]
)
def test_study_shows_the_scatter_of_one_metric(researcher, owner, query, chosen):
    make_scored_study(owner=owner)

    response = researcher.get(PAGE + query)

    content = response.content.decode()
    assert f'<img class="figure" src="/studies/study/scatter.svg?metric={chosen}"' in content
    assert f'<option value="{chosen}" selected>' in content
    assert response.context["scatter_text"].startswith(f"Scatter plot of {chosen} against human judgments")


def test_study_without_scores_leads_to_the_page_that_runs_metrics(researcher, owner):
    make_scored_study(owner=owner, score=False)

    content = researcher.get(PAGE).content.decode()

    assert "No metric has been run yet." in content
    assert "manage.py" not in content
    assert "scatter.svg" not in content


@pytest.mark.django_db
def test_study_of_a_kind_that_no_metric_scores():
    # Every kind has a bundled metric, so this is what an installation without them shows.
    context = {"study": make_study(kind=TaskKind.SET_RATING), "results": StudyResults()}

    assert "No installed metric can score the items of this study" in render_to_string(
        "studies/study_results.html", context
    )


def test_open_study_has_its_link(researcher, owner):
    study = _own(make_open_study(), owner)

    content = researcher.get(PAGE).content.decode()

    assert f'value="http://testserver/r/{study.join_token}/"' in content
    assert 'action="/studies/study/close/"' in content


@pytest.mark.parametrize("state", [StudyState.DRAFT, StudyState.CLOSED])
def test_study_that_is_not_open_has_no_link(researcher, owner, state):
    study = make_study(owner=owner, state=state)

    content = researcher.get(PAGE).content.decode()

    assert study.join_token not in content
    assert 'action="/studies/study/open/"' in content


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "may_run"), [(MemberRole.VIEWER, False), (MemberRole.ANALYST, True)])
def test_running_metrics_is_offered_to_those_who_may(client, role, may_run):
    study, member = make_scored_study(score=False), make_user("member")
    make_member(study, member, role)
    client.force_login(member)

    content = client.get(PAGE).content.decode()

    assert "No metric has been run yet." in content
    assert (">Run metrics</a>" in content) is may_run


@pytest.mark.django_db
def test_viewer_is_offered_no_change(client):
    study = make_open_study()
    viewer = make_user("viewer")
    make_member(study, viewer, MemberRole.VIEWER)
    client.force_login(viewer)

    content = client.get(PAGE).content.decode()

    assert study.join_token in content
    assert "/close/" not in content


def test_imported_study_has_nothing_to_open(researcher, owner):
    study = make_study(owner=owner, state=StudyState.CLOSED)
    study.versions.update(design={"question": "How well?"})

    assert "/open/" not in researcher.get(PAGE).content.decode()


def test_study_shows_design_and_progress(researcher, owner):
    study = _own(make_open_study(n_tasks=2, raters_per_task=3, lease_minutes=20), owner)
    make_judgment(list_items(study)[0], make_rater(study, "K7QX"), 2.0)

    content = researcher.get(PAGE).content.decode()

    for text in ("How well does the caption describe the image?", "Somewhat related", "20 minutes", "of 6", "K7QX"):
        assert text in content


def test_items_and_raters_have_pages_of_their_own(researcher, owner, monkeypatch):
    monkeypatch.setattr(study_views, "ITEMS_PER_PAGE", 2)
    monkeypatch.setattr(study_views, "RATERS_PER_PAGE", 1)
    study = make_study(n_tasks=3, owner=owner)
    make_rater(study, "rater-1")
    make_rater(study, "rater-2")

    response = researcher.get(PAGE, {"items": "2", "raters": "2"})

    assert [row.item.key for row in response.context["items"]] == ["item-2"]
    assert [pseudonym for pseudonym, _ in response.context["raters"]] == ["rater-2"]
    assert 'href="?items=1&amp;raters=2#items"' in response.content.decode()


def test_titles_are_text_and_not_markup(researcher, owner):
    make_study(owner=owner, title="<script>alert(1)</script>")

    for page in (reverse("studies:list"), PAGE):
        assert "<script>" not in researcher.get(page).content.decode()


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        (TaskKind.PAIRWISE, "A vote for the first caption counts +1"),
        (TaskKind.TURING, "“A person wrote it” counts 1"),
        (TaskKind.BEST_WORST, "The best caption of a task counts +1"),
        (TaskKind.CAPTION, '<a href="/studies/study/dataset/">Dataset</a> turns them into candidates'),
    ],
)
def test_study_says_what_a_judgment_of_its_kind_is(researcher, owner, kind, hint):
    study = _own(make_study(kind=kind), owner)
    make_judgment(list_items(study)[0], make_rater(study), None if kind == TaskKind.CAPTION else 1.0)

    page = researcher.get(PAGE)

    assert (page.status_code, hint in page.content.decode()) == (200, True)


def test_study_shows_the_ends_of_a_slider(researcher, owner):
    slider = Slider("not at all", "perfectly", high=10)
    _own(make_open_study(n_tasks=1, scale=(), slider=slider), owner)

    page = " ".join(researcher.get(PAGE).content.decode().split())

    assert "<b>0</b> not at all" in page
    assert "<b>10</b> perfectly" in page


def test_open_study_counts_by_itself_and_offers_the_newer_judgments(researcher, owner) -> None:
    study = make_study(owner=owner, state=StudyState.OPEN)
    first, second = list_items(study)
    make_judgment(first, make_rater(study))
    page = researcher.get("/studies/study/").content.decode()
    address = re.search('id="progress-now" hx-get="([^"]*)" hx-trigger="every', page)[1]

    before = researcher.get(address).content.decode()
    make_judgment(second, make_rater(study, "rater-2"))
    after = researcher.get(address).content.decode()

    assert "new judgment" not in before
    assert "1 new judgment since this page was loaded." in after
    assert "<dt>Judgments</dt><dd>2</dd>" in after
    # It goes on from the number that the page shows.
    assert f'hx-get="{address}"' in after


def test_closed_study_is_not_polled(researcher, owner) -> None:
    make_study(owner=owner, state=StudyState.CLOSED)

    assert 'hx-trigger="every 10s' not in researcher.get("/studies/study/").content.decode()


@pytest.mark.parametrize("shown", ["", "x", "9" * 5000, "-1"])
def test_number_that_no_page_shows_is_passed_over(researcher, owner, shown: str) -> None:
    make_study(owner=owner, state=StudyState.OPEN)

    assert "new judgment" not in researcher.get("/studies/study/progress/", {"shown": shown}).content.decode()
