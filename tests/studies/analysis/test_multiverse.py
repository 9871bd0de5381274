import json

import pytest

from correlation.errors import CorrelationInputError
from correlation.protocols.multiverse import EACH
from studies.analysis.correlations import gather_observations
from studies.analysis.multiverse import check_path, choose_measures, rank_observations, write_multiverse
from studies.analysis.reports import correlate_observations
from tests.studies.rated import make_rated_study, make_voted_study

pytestmark = pytest.mark.django_db


def rank(study, **options):
    return rank_observations(gather_observations(study), **options)


def test_every_combination_of_choices_is_a_universe():
    multiverse = rank(make_rated_study())

    assert multiverse.metrics == ("length", "rouge-l")
    choices = {(universe.aggregation, universe.level) for universe in multiverse.universes}
    rules = (EACH, "mean", "median", "z-mean", "majority", "dawid-skene", "mace")
    assert choices == {(rule, level) for rule in rules for level in ("item", "group")}
    assert len(multiverse.universes) == len(choices) * 6
    assert multiverse.wins[0] > multiverse.wins[1]


def test_the_universe_of_the_protocol_has_its_numbers():
    study = make_rated_study()
    gathered = gather_observations(study)

    multiverse = rank_observations(gathered, aggregations=["each"], measures=["item:kendall-c"])

    (universe,) = multiverse.universes
    assert universe.values == pytest.approx([row.value for row in correlate_observations(gathered).rows], abs=1e-12)


def test_raters_who_are_no_persons_leave_out_what_needs_them():
    multiverse = rank(make_rated_study(are_placeholders=True))

    assert {universe.aggregation for universe in multiverse.universes} == {EACH, "mean", "median", "majority"}


def test_systems_are_ranked_where_there_are_enough():
    assert {measure.partition(":")[0] for measure in choose_measures(2)} == {"item", "group"}
    assert {measure.partition(":")[0] for measure in choose_measures(3)} == {"item", "group", "system", "global"}


def test_pairs_are_refused():
    with pytest.raises(
        CorrelationInputError, match="study voted: a multiverse needs ratings, but custom has choices betw"
    ):
        rank(make_voted_study())


@pytest.mark.parametrize(
    ("name", "message"), [("out.csv", "a multiverse is written as .json, .svg"), ("no/out.json", "there is no folder")]
)
def test_a_file_that_cannot_be_written_is_refused(tmp_path, name, message):
    with pytest.raises(CorrelationInputError, match=message):
        check_path(tmp_path / name)


def test_files_hold_the_universes_and_the_figure(tmp_path):
    multiverse = rank(make_rated_study(), aggregations=["mean"], measures=["item:pearson", "group:kendall-b"])

    for suffix in (".json", ".svg"):
        write_multiverse(multiverse, tmp_path / f"out{suffix}", title="rated")

    record = json.loads((tmp_path / "out.json").read_text())
    assert (record["study"], record["metrics"]) == ("rated", ["length", "rouge-l"])
    assert record["universes"][0]["values"] == list(multiverse.universes[0].values)
    assert "2 universes" in (tmp_path / "out.svg").read_text()
