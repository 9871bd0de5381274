import re

import pytest

from studies.models import Item
from tests.factories.studies import make_study
from tests.studies.pages import own, read
from tests.studies.rated import make_rated_study, make_voted_study

PAGE = "/studies/rated/disagreements/"


@pytest.mark.parametrize("n_items", [6, 12])
def test_page_takes_a_fixed_number_of_queries(researcher, owner, n_items, django_assert_num_queries):
    own(make_rated_study(n_items=n_items), owner)
    researcher.get(PAGE)

    # Session, user, study; 7 of the fingerprint; the scored metrics; items and references.
    with django_assert_num_queries(14):
        response = researcher.get(PAGE)

    assert response.status_code == 200


def test_items_are_shown_with_marked_words_votes_and_scores(researcher, owner):
    own(make_rated_study(), owner)

    page = read(researcher.get(f"{PAGE}?metric=rouge-l"))

    assert "the difference between their percentile by <b>rouge-l</b> and by <b>raters</b>" in page
    first = Item.objects.get(pk=re.search(r"/items/(\d+)/", page)[1])
    assert f">Image {first.image.key}: {first.candidate.system.name}</a> <small>difference" in page
    assert '<mark class="run1">reference</mark>' in page
    assert "3 judgments, mean" in page
    assert '<th scope="row"><b>rouge-l</b></th>' in page
    assert "Page 1 of 2" in page
    assert 'href="/studies/rated/disagreements.csv?metric=rouge-l"' in page


def test_pages_keep_what_was_chosen(researcher, owner):
    own(make_rated_study(n_items=24), owner)

    first = read(researcher.get(f"{PAGE}?metric=length&compare=people"))
    second = researcher.get(f"{PAGE}?metric=length&compare=people&page=2")

    assert 'href="?metric=length&amp;compare=people&amp;page=2#choose-title"' in first
    last = min(20, len(second.context["ranking"].rows))
    assert [shown.rank for shown in second.context["items"]] == list(range(11, last + 1))


def test_raters_and_pairs(researcher, owner):
    own(make_voted_study("rated"), owner)

    raters = read(researcher.get(f"{PAGE}?compare=raters"))
    pairs = read(researcher.get(f"{PAGE}?metric=rouge-l"))

    assert "Items sorted by the standard deviation of their judgments" in raters
    assert "Pairs for which <b>rouge-l</b> and <b>raters</b> prefer different captions" in pairs
    assert "First caption minus second" in pairs


def test_tuples_of_scene_graphs_are_shown_where_asked_for(researcher, owner):
    own(make_rated_study(n_items=8), owner)

    page = read(researcher.get(f"{PAGE}?tuples=on"))

    assert "Tuples found in the references:" in page
    assert "Tuples found in the references:" not in read(researcher.get(PAGE))


@pytest.mark.parametrize("query", ["compare=nonsense", "metric=cider", "system=nobody"])
def test_bad_values_get_a_message(researcher, owner, query):
    own(make_rated_study(), owner)

    response = researcher.get(f"{PAGE}?{query}")

    if "system" in query:
        # All rated captions are of one system: there is nothing to choose, and nothing is read.
        assert response.status_code == 200
        return
    assert response.status_code == 422
    assert "Please correct the fields marked below." in read(response)
    assert researcher.get(f"/studies/rated/disagreements.csv?{query}").status_code == 404


def test_study_without_judgments_says_so(researcher, owner):
    make_study("rated", owner=owner)

    assert "No judgments yet." in read(researcher.get(PAGE))
    assert researcher.get("/studies/rated/disagreements.csv").status_code == 404


def test_file_is_downloaded(researcher, owner):
    own(make_rated_study(), owner)

    response = researcher.get("/studies/rated/disagreements.csv?metric=length")

    assert response.headers["Content-Disposition"] == 'attachment; filename="rated-disagreements.csv"'
    lines = b"".join(response.streaming_content).decode().splitlines()
    assert len(lines) == 1 + len(researcher.get(f"{PAGE}?metric=length").context["ranking"].rows)


def test_what_an_empty_address_compares_is_named(researcher, owner):
    own(make_rated_study("study"), owner)

    fields = researcher.get("/studies/study/disagreements/").context["form"].fields
    chosen = researcher.get("/studies/study/disagreements/?metric=length&compare=metrics")

    names = [name for _, name in fields["metric"].choices]
    assert [fields[name].choices[0][1] for name in ("metric", "other")] == [names[0], names[1]]
    assert len(names) == len(set(names))
    assert dict(chosen.context["form"].fields["other"].choices)[""] != "length"
    assert chosen.context["ranking"].comparison.other == dict(chosen.context["form"].fields["other"].choices)[""]


def test_votes_of_pairs_are_told_in_words(researcher, owner):
    own(make_voted_study("study"), owner)

    page = researcher.get("/studies/study/disagreements/?compare=raters").content.decode()

    assert '<th scope="row">first caption</th>' in page
    assert '<th scope="row">second caption</th>' in page
