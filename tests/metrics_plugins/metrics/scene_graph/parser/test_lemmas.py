import pytest

from metrics_plugins.metrics.scene_graph.parser.lemmas import Lemmas

LEMMAS = Lemmas(
    nouns=frozenset({"dog", "bus", "church", "glass", "woman", "berry", "people", "ride", "fill"}),
    verbs=frozenset({"be", "ride", "rid", "fill", "run", "carry", "watch", "stop", "dog"}),
    irregular_nouns={"children": "child"},
    irregular_verbs={"ran": "run", "running": "run", "stopped": "stop"},
)


@pytest.mark.parametrize(
    ("form", "base"),
    [
        # "rid" is a verb as well: the ending that gives "ride" is tried first.
        ("riding", "ride"),
        ("filled", "fill"),
        ("ran", "run"),
        ("running", "run"),
        ("carries", "carry"),
        ("watches", "watch"),
        ("is", "be"),
        ("'s", "be"),
        ("does", "do"),
        ("run", "run"),
        # Unknown to the dictionary.
        ("zooming", "zoom"),
        ("vlogging", "vlog"),
        ("sing", "sing"),
        ("", ""),
    ],
)
def test_verb(form: str, base: str) -> None:
    assert LEMMAS.find_verb(form) == base


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("dogs", "dog"),
        ("buses", "bus"),
        ("churches", "church"),
        ("glasses", "glass"),
        ("glass", "glass"),
        ("women", "woman"),
        ("berries", "berry"),
        ("children", "child"),
        ("people", "people"),
        ("drones", "drone"),
        ("gas", "gas"),
        ("", ""),
    ],
)
def test_singular(form: str, base: str) -> None:
    assert LEMMAS.find_singular(form) == base


def test_noun_of_the_dictionary_stays() -> None:
    assert (LEMMAS.find_noun("bus"), LEMMAS.find_noun("dogs")) == ("bus", "dog")


def test_verb_is_known_by_its_forms() -> None:
    assert LEMMAS.is_verb("fills")
    assert not LEMMAS.is_verb("churches")
