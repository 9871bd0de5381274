import pytest

from correlation.protocols.reading import read_protocol
from correlation.protocols.recipe import ReferenceRule
from metrics_plugins.api import Level
from studies.design.protocols import explain_misfit, find_level, find_rule
from studies.enums import TaskKind
from studies.models import Study


@pytest.mark.parametrize(
    ("kind", "name", "expected"),
    [
        (TaskKind.PAIRWISE, "pascal-50s", ""),
        (TaskKind.PAIRWISE, "flickr8k-expert", "must be a protocol for pairs"),
        (TaskKind.RATING, "flickr8k-expert", ""),
        (TaskKind.RATING, "spice-u-pascal", "must be a protocol for ratings"),
        (TaskKind.SET_RATING, "diversity", ""),
        (TaskKind.SET_RATING, "pascal-50s", "must be a protocol for ratings"),
    ],
)
def test_a_protocol_for_pairs_fits_pairs_only(kind, name, expected):
    assert explain_misfit(read_protocol(name), kind=kind) == expected


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(TaskKind.RATING, Level.SEGMENT), (TaskKind.PAIRWISE, Level.SEGMENT), (TaskKind.SET_RATING, Level.SET)],
)
def test_find_level(kind, expected):
    assert find_level(Study(kind=kind)) is expected


@pytest.mark.parametrize(
    ("protocol", "expected"),
    [
        ("custom@1", ReferenceRule("all")),
        ("flickr8k-cf@1", ReferenceRule("exclude-candidates-per-image")),
        ("composite@1", ReferenceRule("exclude-candidate-per-row")),
    ],
)
def test_find_rule(protocol, expected):
    assert find_rule(Study(protocol=protocol)) == expected
