import json

import pytest

from studies.analysis.systems.ranking import rank_study
from studies.enums import TaskKind
from studies.models import Judgment
from tests.factories.studies import make_study
from tests.studies.analysis.ranked import make_ranked_study
from tests.studies.pages import read

PAGE = "/studies/ranked/systems/"


def test_page_answers_with_figure_table_and_differences(researcher, owner):
    best = rank_study(make_ranked_study(owner=owner)).rankings[0].systems[0]
    interval = f"[{best.low:.3f}, {best.high:.3f}]"

    page = read(researcher.get(PAGE))

    headline = f"best has the highest mean rating: {best.value:.3f} {interval}, significantly above all others"
    assert f"{headline}</h2>" in page
    assert 'src="/studies/ranked/systems/forest.svg?place=0"' in page
    assert f'<th scope="row">best</th> <td class="number">{best.value:.3f}' in page
    assert f'do not differ significantly">a</span><small>{interval}' in page
    assert "Differences between systems, by mean rating" in page
    assert "Raters are not resampled, since there are only 3 raters, fewer than 10" in page
    assert '<a href="/studies/ranked/systems/" aria-current="page">Systems</a>' in page


def test_choices_have_strengths_and_shares(researcher, owner):
    make_ranked_study(kind=TaskKind.PAIRWISE, owner=owner)

    page = read(researcher.get(PAGE))

    heads = [f'<th scope="col" class="number">{head}</th>' for head in ("Bradley-Terry strength", "Share of wins")]
    assert "".join(heads) in page
    assert "Comparisons</th>" in page


def test_undefined_strengths_are_explained_and_shares_rank(researcher, owner):
    make_ranked_study(kind=TaskKind.PAIRWISE, owner=owner)
    Judgment.objects.update(value=1)

    page = read(researcher.get(PAGE))

    assert "best has the highest share of wins: 1.000" in page
    assert "Bradley-Terry strength: undefined, no chain of choices leads from" in page


def test_few_images_are_a_caution(researcher, owner):
    make_ranked_study(n_images=6, owner=owner)

    page = read(researcher.get(PAGE))

    assert '<p class="notice warning">Only 6 images, fewer than 10: differences are not tested' in page
    assert "Differences between systems, by" not in page


def test_every_criterion_has_a_part_and_a_figure(researcher, owner):
    two = "custom@1|rows:all|refs:all|ratings:each|crit:fluency+adequacy|level:item|coef:kendall-c"
    make_ranked_study(protocol=two, categories=("fluency", "adequacy"), owner=owner)

    page = read(researcher.get(PAGE))
    figures = [researcher.get(f"{PAGE}forest.svg?place={place}") for place in range(3)]

    assert "fluency: best has" in page
    assert "adequacy: best has" in page
    assert [each.status_code for each in figures] == [200, 200, 404]


def test_a_study_without_judgments_says_so(researcher, owner):
    make_study("ranked", owner=owner)

    assert "No judgments yet." in read(researcher.get(PAGE))
    assert researcher.get(f"{PAGE}table.csv?download=1").status_code == 404


def test_a_download_of_a_ranking_being_computed_leads_to_what_it_waits_for(researcher, owner, monkeypatch):
    monkeypatch.setattr("studies.analysis.cached_results.MOST_JUDGMENTS", 1)
    make_ranked_study(owner=owner)

    answer = researcher.get(f"{PAGE}table.csv?download=1", follow=True)
    figure = researcher.get(f"{PAGE}forest.svg?place=0")

    assert answer.redirect_chain == [(PAGE, 302)]
    assert "The ranking of systems is still being computed. Download it once it is shown here." in read(answer)
    assert "this is being computed in the background" in read(answer)
    assert figure.status_code == 404


@pytest.mark.parametrize("n_images", [3, 12])
def test_page_takes_a_fixed_number_of_queries(researcher, owner, n_images, django_assert_max_num_queries):
    make_ranked_study(n_images=n_images, owner=owner)
    researcher.get(PAGE)

    # Session, user, study, tabs, registration; the fingerprint, judgments and items; the design.
    with django_assert_max_num_queries(30):
        assert researcher.get(PAGE).status_code == 200


@pytest.mark.parametrize(
    ("part", "start", "content_type"),
    [
        ("table.csv", b"system,letters,mean rating,low,high,judgments,images,raters\nbest,a,", "text/csv"),
        ("table.tex", b"% Needs \\usepackage{booktabs}.", "text/x-tex"),
        ("table.md", b"**ranked: systems by human judgments**", "text/markdown"),
        (
            "differences.csv",
            b"measure,better,worse,difference,low,high,p,p corrected\nmean rating,best,middle",
            "text/csv",
        ),
        ("forest.pdf", b"%PDF", "application/pdf"),
        ("forest.svg", b"<svg", "image/svg+xml"),
    ],
)
def test_downloads(researcher, owner, part, start, content_type):
    make_ranked_study(owner=owner)

    answer = researcher.get(f"{PAGE}{part}?download=1")

    assert answer.content.startswith(start)
    assert answer["Content-Type"].startswith(content_type)
    assert answer["Content-Disposition"] == f'attachment; filename="ranked-systems-{part}"'


def test_the_json_file_has_every_number(researcher, owner):
    make_ranked_study(owner=owner)

    found = json.loads(researcher.get(f"{PAGE}table.json?download=1").content)

    assert [each["system"] for each in found["rankings"][0]["systems"]] == ["best", "middle", "worst"]
    assert len(found["rankings"][0]["differences"]) == 3


@pytest.mark.parametrize(
    "part", ["table.pdf", "forest.csv", "nothing.csv", "forest.svg?place=-1", "forest.svg?size=huge"]
)
def test_what_there_is_not_is_404(researcher, owner, part):
    make_ranked_study(owner=owner)

    assert researcher.get(f"{PAGE}{part}").status_code == 404


def test_a_system_name_is_text_and_no_markup(researcher, owner):
    study = make_ranked_study(owner=owner)
    study.dataset.systems.filter(name="best").update(name="<b>=best</b>")

    page = read(researcher.get(PAGE))
    csv = researcher.get(f"{PAGE}table.csv?download=1").content.decode()

    assert "<b>=best" not in page
    assert "&lt;b&gt;=best" in page
    assert csv.splitlines()[1].startswith("<b>=best</b>,a")
