"""Tests of the figure of entries by accuracy and diversity."""

import json

import pytest

from challenges.board.diversity import MOST_LABELS, find_axes, place_entries, title_axis
from challenges.board.ranking import Board, Column, Entry, compute_board
from challenges.board.shown import name_column
from challenges.models import Challenge, Submission
from tests.challenges.challenges import CAPTIONS, make_challenge, make_phase, make_team, score_all, submit
from tests.factories.studies import NOW
from tests.shared_rows import share_in_module

pytestmark = pytest.mark.django_db
METRICS = ("cider-d", "self-cider-d", "mbleu-4", "f-beta", "set-cider")
ROOT = "/challenges/captions/phases/test/"
SETS = {
    "Lynx": ("a dog runs outside", "people ride bikes"),
    "Ibex": ("a cat on a sofa", "a cat on a sofa"),
    "Puma": ("a brown dog", "a man in the rain"),
}


def write_sets(*captions):
    return json.dumps([{"image_id": int(key), "caption": text} for key in CAPTIONS for text in captions]).encode()


def _make_phase():
    phase = make_phase(make_challenge(), metrics=METRICS, captions_per_image=2, visibility="all")
    for name, captions in SETS.items():
        submit(phase, team=make_team(phase.challenge, name), content=write_sets(*captions))
    score_all()
    Submission.objects.filter(team__name="Puma").update(is_baseline=True)
    return phase


phase_of_module = share_in_module(_make_phase)


@pytest.fixture
def phase(db, phase_of_module, tmp_path):
    """A phase for two captions of each image, with two teams and a baseline."""
    return phase_of_module.take(tmp_path)


def test_axes_are_metrics_of_accuracy_and_of_diversity(phase):
    axes = find_axes(phase, compute_board(phase))

    assert [name_column(each) for each in axes.accuracy] == ["cider-d:c2", "set-cider:c2", "cider-d:c3", "set-cider:c3"]
    assert {each.metric for each in axes.diversity} == {"self-cider-d", "mbleu-4"}
    assert title_axis(axes.diversity[1], kind="diversity") == "diversity: mbleu-4 with c2, lower is better"


def test_phases_for_one_caption_or_without_diversity_have_no_figure(phase):
    single = make_phase(phase.challenge, slug="single")
    accurate = make_phase(phase.challenge, slug="accurate", captions_per_image=2)

    assert [find_axes(each, compute_board(each)) for each in (single, accurate)] == [None, None]


def test_points_have_the_values_of_the_board_and_mark_baselines(phase):
    board = compute_board(phase)
    axes = find_axes(phase, board)

    points = place_entries(board, accuracy=axes.accuracy[0], diversity=axes.diversity[0])

    numbers = [board.columns.index(each) for each in (axes.diversity[0], axes.accuracy[0])]
    expected = {each.team: tuple(each.values[number] for number in numbers) for each in board.entries}
    assert {each.label: (each.x, each.y) for each in points} == expected
    assert {each.label: each.series for each in points} == {"Lynx": "entries", "Ibex": "entries", "Puma": "baselines"}
    repeated = next(each for each in points if each.label == "Ibex")
    assert repeated.x == min(each.x for each in points)


def test_many_points_have_no_labels_and_undefined_values_no_point():
    columns = (Column("c5", "cider-d", True), Column("c5", "self-cider-d", True))
    entries = [Entry(1, "x" * 60, number, NOW, False, (0.5, 0.1)) for number in range(MOST_LABELS)]
    undefined = Entry(None, "y", 99, NOW, False, (0.5, None))
    chosen = {"accuracy": columns[0], "diversity": columns[1]}

    few = place_entries(Board(columns, (*entries, undefined)), **chosen)
    many = place_entries(Board(columns, (*entries, Entry(2, "y", 99, NOW, False, (0.5, 0.2)))), **chosen)

    assert {(len(each.label), each.label[-1]) for each in few} == {(24, "…")}
    assert (len(few), len(many), {each.label for each in many}) == (MOST_LABELS, MOST_LABELS + 1, {""})


def test_the_page_and_its_figure(client, phase):
    page = client.get(f"{ROOT}leaderboard/", {"accuracy": "set-cider:c3", "order": "mbleu-4:c2"}).content.decode()
    figure = client.get(f"{ROOT}accuracy-diversity.svg", {"accuracy": "set-cider:c3", "diversity": "mbleu-4:c3"})

    assert "accuracy=set-cider:c3&amp;diversity=self-cider-d:c2" in page
    assert 'name="order" value="mbleu-4:c2"' in page
    text = figure.content.decode()
    assert all(each in text for each in (">Lynx<", ">Puma<", "baselines", "mbleu-4 with c3", "set-cider with c3"))
    assert client.get(f"{ROOT}accuracy-diversity.svg", {"size": "huge"}).status_code == 404


def test_the_figure_hides_names_and_is_seen_with_the_board(client, phase):
    Challenge.objects.update(is_anonymous=True)
    text = client.get(f"{ROOT}accuracy-diversity.svg").content.decode()
    phase.visibility = "participant"
    phase.save()

    assert not any(f">{name}<" in text for name in ("Lynx", "Ibex"))
    assert ">rank 1<" in text
    assert ">Puma<" in text
    assert client.get(f"{ROOT}accuracy-diversity.svg").status_code == 404
