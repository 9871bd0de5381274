import numpy as np
import pytest

from metrics_plugins.probes.errors import ProbeError
from metrics_plugins.probes.templated.probing import Duel, Role, Showing, probe_metrics
from metrics_plugins.runtime import load_registry
from tests.metrics_plugins.probes.captions import REFERENCES, Brevity, Dogs, Shared, Words

# People: "a dog runs", "a cat sleeps".
SYSTEMS = {"good": {"dogs": "the brown dog", "cats": "two cats"}, "bad": {"dogs": "sun", "cats": "a a a a"}}
PROBES = {"list": {"dogs": "There is a dog", "cats": "There is a cat"}, "silent": {"dogs": "", "cats": "cat"}}


def probe(metrics, *, systems=SYSTEMS, probes=PROBES, references=REFERENCES, **options):
    return probe_metrics(metrics, references, probes=probes, systems=systems, rng=np.random.default_rng(0), **options)


def test_contest_by_hand():
    report = probe([Words()])

    (found,) = report.metrics
    assert (report.n_images, report.n_dropped, report.position) == (2, 1, 0)
    assert report.examples == (("list", "There is a dog"), ("silent", ""))
    assert found.showings == (
        Showing("people", Role.PEOPLE, 3.0, 3.0, 0),
        Showing("good", Role.SYSTEM, 2.5, 2.5, 0),
        Showing("bad", Role.SYSTEM, 2.5, 2.5, 0),
        Showing("list", Role.PROBE, 4.0, 4.0, 0),
        Showing("silent", Role.PROBE, 0.5, 0.5, 0),
    )
    assert found.duels == (
        Duel("list", "people", Role.PEOPLE, 1.0, 0.0, 2, True),
        Duel("list", "good", Role.SYSTEM, 1.0, 0.0, 2, True),
        Duel("list", "bad", Role.SYSTEM, 0.5, 0.5, 2, True),
        Duel("silent", "people", Role.PEOPLE, 0.0, 0.0, 2, False),
        Duel("silent", "good", Role.SYSTEM, 0.0, 0.0, 2, False),
        Duel("silent", "bad", Role.SYSTEM, 0.0, 0.0, 2, False),
    )
    assert found.find_topping(Role.PEOPLE) == found.find_topping(Role.SYSTEM) == ("list",)


def test_where_less_is_better_less_wins():
    (found,) = probe([Brevity()]).metrics

    assert found.find_topping(Role.PEOPLE) == found.find_topping(Role.SYSTEM) == ("silent",)
    assert [duel.share_better for duel in found.duels if duel.probe == "silent"] == [1.0, 1.0, 1.0]


def test_a_probe_must_top_every_system():
    systems = {"short": {"dogs": "x", "cats": "x"}, "long": {"dogs": "x " * 9, "cats": "x " * 9}}

    (found,) = probe([Words()], systems=systems).metrics

    assert found.find_topping(Role.SYSTEM) == ()
    assert found.find_topping(Role.PEOPLE) == ("list",)


def test_without_systems_none_is_topped():
    (found,) = probe([Words()], systems={}).metrics

    assert found.find_topping(Role.SYSTEM) == ()
    assert [showing.name for showing in found.showings] == ["people", "list", "silent"]


def test_undefined_scores_are_left_out_of_duels_and_counted():
    (found,) = probe([Dogs()], systems={}).metrics

    silent = found.showings[-1]
    assert (silent.mean, silent.n_missing) == (0.0, 1)
    assert found.duels[-1] == Duel("silent", "people", Role.PEOPLE, 0.0, 1.0, 1, False)


def test_all_are_scored_against_the_references_without_that_of_people():
    (found,) = probe([Shared()], systems={}, probes={"copy": {"dogs": "a dog runs", "cats": "a cat sleeps"}}).metrics

    people, copy = found.showings
    assert (people.system, people.mean) == (copy.system, copy.mean)
    assert found.duels[0].share_equal == 1.0
    assert not found.duels[0].is_topped


def test_a_metric_learns_once_from_the_references():
    (found,) = probe([load_registry().build("cider-d")]).metrics

    again = probe([load_registry().build("cider-d")], probes={"list": PROBES["list"]}, systems={}).metrics[0]
    assert found.showings[3] == again.showings[1]
    assert found.signature.startswith("cider-d|")


def test_system_scores_come_from_totals():
    (found,) = probe([load_registry().build("bleu-1")], systems={}).metrics

    listed = found.showings[1]
    # "there is a dog" and "there is a cat", each with two of four words in the references: the same as the mean.
    assert (listed.system, listed.mean) == pytest.approx((0.5, 0.5), abs=1e-6)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"probes": {}}, "at least one probe"),
        ({"systems": {"list": SYSTEMS["good"]}}, "a name of its own .*'list' twice"),
        ({"probes": {"people": PROBES["list"]}}, "'people' twice"),
        ({"systems": {"part": {"dogs": "x"}}}, r"'part' has no caption of image cats \(1 such images\)"),
        ({"position": 3}, "at least 4 references"),
    ],
)
def test_what_cannot_be_probed_is_said(options, message):
    with pytest.raises(ProbeError, match=message):
        probe([Words()], **options)
