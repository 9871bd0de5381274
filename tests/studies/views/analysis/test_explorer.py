import re

import pytest
from django.utils import timezone

from jobs.models import Job
from jobs.worker.running import run_waiting_jobs
from studies.analysis.explorer.jobs import REPLACED
from studies.models import Judgment
from tests.factories.studies import make_study
from tests.studies.pages import own, read
from tests.studies.rated import make_rated_study, make_voted_study
from tests.studies.scored import make_scored_study

PAGE = "/studies/rated/explore/"


def find_polled(response, pause):
    """Return the address of the part that the page requests with this pause between two requests."""
    found = re.search(rf'hx-get="([^"]+)"\s+hx-trigger="every {pause}"', response.content.decode())
    return found[1].replace("&amp;", "&")


@pytest.mark.parametrize("n_items", [4, 12])
def test_explorer_takes_a_fixed_number_of_queries(researcher, owner, n_items, django_assert_num_queries):
    own(make_rated_study(n_items=n_items), owner)
    researcher.get(PAGE)

    # Session, user, study; 7 of the fingerprint; the protocols of siblings; the preregistration for the form
    # and for the heading; obsolete jobs; the job; 4 to note in it that another page waits.
    with django_assert_num_queries(19):
        response = researcher.get(PAGE)

    assert len(response.context["table"].lines) == 2


def test_explorer_shows_values_people_pictures_and_their_tables(researcher, owner):
    own(make_rated_study(), owner)

    response = researcher.get(PAGE)

    page = read(response)
    assert response.status_code == 200
    assert "36 judgments of 12 items by 3 raters." in page
    # The value is worked out in tests/studies/analysis/explorer/test_slices.py.
    length = response.context["report"].get_row("length", response.context["report"].ranking_measure)
    assert f'<span class="value">{length.value:.3f}' in page
    assert "people, mean-pairwise" in page
    for part in ("forest", "scatter"):
        assert f'src="/studies/rated/explore/{part}.svg?' in page
        assert f'srcset="/studies/rated/explore/{part}-narrow.svg?' in page
    assert 'alt="Forest plot, Kendall τ-c at level item, best first: length' in page
    assert 'alt="Scatter plot of length against human judgments' in page
    assert "Table of scores by judgment" in page
    assert "differences-title" not in page
    # The values are there at once, the intervals come from a job.
    assert "Intervals: waiting for a worker." in page


def test_explorer_warns_of_few_images_and_tests_nothing(researcher, owner):
    own(make_rated_study(n_items=9), owner)

    response = researcher.get(f"{PAGE}?wait=1")

    page = read(response)
    assert '<p class="notice warning">Caution: only 9 images, fewer than 10: differences are not tested' in page
    assert [row.low is not None for row in response.context["report"].rows] == [True, True]
    assert response.context["report"].differences == ()
    assert "Letters" not in page
    assert researcher.get(f"{PAGE}differences.csv?download=1").status_code == 404


def test_explorer_keeps_what_was_chosen_in_its_links(researcher, owner):
    own(make_rated_study(), owner)

    page = researcher.get(f"{PAGE}?coefficient=pearson&words_from=3&level=&metric=rouge-l").content.decode()

    assert (
        'href="/studies/rated/explore/table.tex?coefficient=pearson&amp;metric=rouge-l&amp;words_from=3&amp;download=1"'
        in page
    )
    assert 'href="/studies/rated/explore/?coefficient=pearson&amp;words_from=3&amp;metric=length#scatter"' in page
    assert "|slice:words-3-" in page


def test_explorer_tells_htmx_the_address_without_what_was_left_open(researcher, owner):
    own(make_rated_study(), owner)

    response = researcher.get(f"{PAGE}?level=&coefficient=pearson&raters=kept", headers={"HX-Request": "true"})

    assert response.headers["HX-Push-Url"] == "/studies/rated/explore/?coefficient=pearson"


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("coefficient=nonsense", "nonsense is not one of the available choices"),
        ("protocol=nonsense", "There is no protocol “nonsense”"),
        ("level=item&coefficient=accuracy", "accuracy is not one of the available choices"),
        ("words_from=-1", "greater than or equal to 0"),
        ("resamples=" + "9" * 400, "less than or equal to 10000|digits"),
        ("seed=x", "Enter a whole number."),
    ],
)
def test_bad_values_get_a_message(researcher, owner, query, message):
    own(make_rated_study(), owner)

    response = researcher.get(f"{PAGE}?{query}")

    assert response.status_code == 422
    assert re.search(message, read(response))
    assert "Invalid options" in read(response)
    assert researcher.get(f"{PAGE}table.csv?{query}").status_code == 404
    assert researcher.get(f"{PAGE}intervals/?{query}").status_code == 404


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("words_from=90", "there are no judgments in this subset; choose a larger one"),
        ("references=exclude-candidate-per-row", "run: manage.py score rated"),
        ("protocol=pascal-50s%401|ties:half", "must be a protocol for ratings"),
    ],
)
def test_what_is_not_there_is_told_with_what_to_do(researcher, owner, query, message):
    own(make_rated_study(), owner)

    response = researcher.get(f"{PAGE}?{query}")

    assert (response.status_code, message in read(response)) == (200, True)


def test_study_without_judgments_has_an_explorer(researcher, owner):
    make_study("rated", owner=owner)

    assert "No judgments yet." in read(researcher.get(PAGE))


@pytest.mark.django_db(transaction=True)
def test_intervals_arrive(researcher, owner):
    own(make_rated_study(), owner)
    query = "?resamples=100"

    first = researcher.get(PAGE + query)
    polled = find_polled(first, "1s")
    nothing_new = researcher.get(polled)
    run_waiting_jobs(now=timezone.now)
    arrived = researcher.get(polled)

    assert "Intervals: waiting for a worker." in read(first)
    assert (nothing_new.status_code, nothing_new.content) == (204, b"")
    assert arrived.status_code == 200
    assert "hx-get" not in read(arrived)
    assert "Letters: two metrics share a letter" in read(arrived)
    assert "Table of differences" in read(arrived)
    assert read(arrived) in read(researcher.get(PAGE + query))


@pytest.mark.parametrize("part", ["resamples=100", "multiverse=on"])
def test_without_javascript_one_may_wait(researcher, owner, part):
    own(make_rated_study(), owner)

    page = read(researcher.get(f"{PAGE}?{part}&wait=1"))

    assert "waiting for a worker" not in page
    assert ("Table of differences" if "resamples" in part else "Table of ranks") in page


@pytest.mark.django_db(transaction=True)
def test_the_multiverse_is_shown_when_it_is_computed(researcher, owner):
    own(make_rated_study(), owner)

    first = researcher.get(f"{PAGE}?multiverse=on")
    polled = find_polled(first, "2s")
    waiting = researcher.get(polled)
    run_waiting_jobs(now=timezone.now)
    arrived = researcher.get(polled)

    assert "Ranks: waiting for a worker." in read(first)
    assert waiting.status_code == 204
    assert "Table of ranks" in read(arrived)
    assert "hx-get" not in read(arrived)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("later", ["intervals=off", "wait=1&resamples=100", "resamples=200"])
def test_jobs_of_a_page_are_cancelled_by_what_is_chosen_next(researcher, owner, later):
    own(make_rated_study(), owner)
    first = researcher.get(f"{PAGE}?multiverse=on")
    page = re.search(r'data-page="([\w-]{22})"', first.content.decode())[1]

    # What another tab chooses cancels nothing, nor does a page that names no page.
    for other in ({"explorer-pages": "o" * 22}, {"explorer-pages": "*"}, {}):
        researcher.get(f"{PAGE}?intervals=off", headers={"hx-request": "true", **other})
    assert [job.state for job in Job.objects.all()] == ["queued", "queued"]
    researcher.get(f"{PAGE}?{later}", headers={"hx-request": "true", "explorer-pages": page})

    jobs = Job.objects.order_by("pk")
    assert [job.state for job in jobs][:2] == ["cancelled", "cancelled"]
    for what, pause in (("Intervals", "1s"), ("Ranks", "2s")):
        told = read(researcher.get(find_polled(first, pause)))
        assert f"{what}: {REPLACED}" in told
        assert "hx-get" not in told
    # Requests of the earlier page that were on their way queue nothing again.
    assert [job.state for job in jobs.all() if job.is_under_way] == ["queued"] * (later == "resamples=200")


BEGINNINGS = {
    "svg": b"<svg ",
    "vega": b'{"$schema": "https://vega.github.io/schema/vega/',
    "png": b"\x89PNG",
    "pdf": b"%PDF-",
    "md": b"**Rated**",
    "tex": b"% Needs \\usepackage{booktabs}.",
    "json": b'{\n "format": "accordance-report@1"',
}
FILES = [
    *(f"table.{ending}" for ending in ("csv", "md", "tex", "json")),
    *(f"{part}.{ending}" for part in ("differences", "scatter", "multiverse") for ending in ("svg", "pdf", "png")),
    *(f"{part}.{ending}" for part in ("differences", "scatter", "multiverse") for ending in ("csv", "md", "tex")),
    *(f"forest.{ending}" for ending in ("svg", "pdf", "png", "csv")),
    "forest-narrow.svg",
    "scatter-narrow.svg",
    *(
        "scatter-narrow.vega",
        "forest.vega",
        "forest-narrow.vega",
        "scatter.vega",
        "differences.vega",
        "multiverse.vega",
    ),
]
HEADS = {
    "table.csv": b"kind,metric,level,coefficient,category,value,low,high,n,n_missing,letters,",
    "forest.csv": b"kind,metric,level,coefficient,category,value,low,high,n,n_missing,letters,",
    "differences.csv": b"better,worse,difference,low,high,p,p corrected\nlength,rouge-l,",
    "scatter.csv": b"item,judgment,score\r\nitem-0,",
    "multiverse.csv": b"aggregation,level,coefficient,metric,value,rank\neach,item,pearson,length,",
    "differences.md": b"**Rated: differences between metrics**\n\n| better | worse |",
    "scatter.md": b"**Rated: length, by individual judgments (custom@1)**",
    "multiverse.md": b"**Rated: ",
}


@pytest.mark.parametrize("name", FILES)
def test_every_part_can_be_downloaded(researcher, owner, name):
    own(make_rated_study(), owner)

    response = researcher.get(f"{PAGE}{name}?metric=length&resamples=100&download=1")

    assert response.headers["Content-Disposition"] == f'attachment; filename="rated-{name}"'
    assert response.content.startswith(HEADS.get(name) or BEGINNINGS[name.partition(".")[2]])


@pytest.mark.parametrize("part", ["forest", "forest-narrow", "differences", "multiverse"])
def test_figures_have_the_title_of_the_study(researcher, owner, part):
    study = own(make_rated_study(), owner)
    study.title = "Captions of beaches"
    study.save()

    figure = researcher.get(f"{PAGE}{part}.vega?resamples=100&download=1").json()

    assert figure["title"]["text"] == "Captions of beaches"


def test_a_download_has_the_intervals_that_were_asked_for(researcher, owner):
    own(make_rated_study(), owner)

    table = researcher.get(f"{PAGE}table.csv?resamples=100&download=1").content.decode()

    assert "ci:percentile|resampled:images|n:100" in table
    assert len([line for line in table.splitlines() if line.startswith("metric,")]) == 2


@pytest.mark.parametrize("name", ["table.png", "nothing.csv", "differences.csv", "scatter.csv?metric=nonsense"])
def test_files_that_are_not_there(researcher, owner, name):
    own(make_rated_study(), owner)

    assert researcher.get(PAGE + name).status_code == 404


def test_pairs_are_explored_with_a_tie_rule(researcher, owner):
    own(make_voted_study(), owner)

    page = read(researcher.get("/studies/voted/explore/?ties=right"))

    assert "|ties:right" in page
    assert "Compute the multiverse" not in page


def test_an_undefined_value_says_why(researcher, owner):
    make_scored_study(values=(1, 2, 3), owner=owner)

    page = read(researcher.get("/studies/study/explore/"))

    assert '<th scope="row"><a href="/studies/study/explore/?metric=rouge-l#scatter">rouge-l</a></th>' in page
    assert "undefined, the score is 0 in all 3 observations" in page


def test_a_new_judgment_changes_what_is_shown(researcher, owner):
    own(make_rated_study(), owner)
    before = researcher.get(PAGE)

    Judgment.objects.filter(rater__pseudonym="rater-2").delete()
    after = researcher.get(PAGE)

    assert "36 judgments" in read(before)
    assert "24 judgments" in read(after)
