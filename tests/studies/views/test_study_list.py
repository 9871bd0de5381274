from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.urls import reverse

from studies.enums import TaskKind
from studies.models import Study
from studies.views import study_list
from tests.factories.open_studies import make_open_study
from tests.factories.studies import make_judgment, make_rater, make_study
from tests.studies.scored import list_items, make_scored_study

# The session, the user, the numbers of studies and of archived ones, the studies, five of `summarize_studies`, their
# runs and their scores; four of what waits, the feed, up to where it was read, and how much is new.
N_QUERIES = 19


@pytest.mark.parametrize("n_studies", [1, 3])
def test_list_takes_a_fixed_number_of_queries(researcher, owner, n_studies, django_assert_num_queries):
    for number in range(n_studies):
        study = make_study(f"study-{number}", owner=owner)
        make_judgment(list_items(study)[0], make_rater(study))

    with django_assert_num_queries(N_QUERIES):
        response = researcher.get(reverse("studies:list"))

    assert [summary.study.name for summary in response.context["summaries"]] == [
        f"study-{number}" for number in range(n_studies)
    ]


def test_the_list_shows_each_study_with_its_progress(researcher, owner):
    study = make_open_study(n_tasks=2, raters_per_task=3)
    study.owner = owner
    study.save()
    make_judgment(list_items(study)[0], make_rater(study))

    content = researcher.get(reverse("studies:list")).content.decode()

    for text in ("Study</a>", "Rating", "Open", "Study-Data", "0 / 6", "2025-03-01 12:00"):
        assert text in content


def test_list_has_only_ones_own(researcher, owner):
    make_study("mine", owner=owner)
    make_study("imported", owner=None)

    response = researcher.get(reverse("studies:list"))

    assert [summary.study.name for summary in response.context["summaries"]] == ["mine"]


def test_list_of_nothing_says_what_to_do(researcher):
    assert 'href="/import/"' in researcher.get(reverse("studies:list")).content.decode()


def test_list_has_pages(researcher, owner, monkeypatch):
    monkeypatch.setattr(study_list, "PER_PAGE", 2)
    for number in range(3):
        make_study(f"study-{number}", owner=owner)

    first = researcher.get(reverse("studies:list"))
    last = researcher.get(reverse("studies:list"), {"page": "2"})

    assert [summary.study.name for summary in first.context["summaries"]] == ["study-0", "study-1"]
    assert [summary.study.name for summary in last.context["summaries"]] == ["study-2"]
    assert 'href="?page=2#content"' in first.content.decode()


def test_each_kind_has_a_small_picture_that_is_loaded_lazily(researcher, owner):
    for kind in TaskKind:
        make_study(kind.replace("_", "-"), owner=owner, kind=kind)

    shown = researcher.get("/studies/").content.decode()

    for kind in TaskKind:
        path = finders.find(f"studies/kinds/{kind}.svg")
        assert path, f"draw studies/static/studies/kinds/{kind}.svg"
        assert Path(path).stat().st_size < 2000
        assert shown.count(f'/kinds/{kind}.svg" alt="" width="48" height="36" loading="lazy"') == 1


def test_scores_without_a_run_of_the_study_are_not_called_no_run(researcher, owner):
    make_study("unscored", owner=owner)
    before = researcher.get(reverse("studies:list")).content.decode()
    scored = make_scored_study(owner=owner)
    # Clones and pilots share the dataset, whoever scored it.
    make_study("pilot", owner=owner)
    Study.objects.filter(name="pilot").update(dataset=scored.dataset)

    after = researcher.get(reverse("studies:list")).content.decode()

    assert ">scored</a>" not in before
    assert before.count('<span class="faint">none</span>') == 1
    for name in ("study", "pilot"):
        assert after.count(f'<a href="/studies/{name}/runs/">scored</a>') == 1
    assert after.count('<span class="faint">none</span>') == 1
