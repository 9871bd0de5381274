import pytest

from correlation.errors import CorrelationInputError, UnknownNameError
from correlation.protocols.named import PROTOCOLS, get_protocol

SIGNATURES = [
    "flickr8k-expert@1|rows:drop-own-references|refs:all|ratings:each|level:item|coef:kendall-c",
    "flickr8k-cf@1|rows:all|refs:exclude-candidates-per-image|ratings:share-of-yes|level:item|coef:kendall-b",
    "pascal-50s@1|rows:all|refs:set-shipped|ratings:majority|level:pair|coef:accuracy|ties:wrong|cat:HC+HI+HM+MM",
    "spice-u-pascal@1|rows:all|refs:all|ratings:majority|level:pair|coef:accuracy+pearson|ties:first|cat:HC+HI+HM+MM",
    "diversity@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson+spearman|level:group|coef:spearman",
    "coco-2015@1|rows:all|refs:all|ratings:mean|level:system|coef:pearson|crit:M1+M2+M3+M4+M5",
    "composite@1|rows:all|refs:exclude-candidate-per-row|ratings:each|level:item|coef:kendall-c",
    "fense@1|rows:all|refs:set-shipped|ratings:majority|level:pair|coef:accuracy|ties:wrong|cat:HC+HI+HM+MM+total",
    "thumb@1|rows:all|refs:all|ratings:each|level:item|coef:pearson|crit:total+P+R",
    "polaris@1|rows:all|refs:set-shipped|ratings:each|level:item|coef:kendall-c+pearson",
    "nebula@1|rows:all|refs:set-shipped|ratings:each|level:item|coef:kendall-c+pearson",
    "capeval1k@1|rows:all|refs:all|ratings:each|level:item|coef:kendall-c+pearson",
    "foil@1|rows:all|refs:set-shipped|ratings:majority|level:pair|coef:accuracy|ties:wrong",
    "crisscrossed@1|rows:all|refs:exclude-candidate-per-row|ratings:mean|level:item|coef:spearman+pearson",
    "triplet@1|rows:all|refs:set-shipped|ratings:majority|level:pair|coef:accuracy|ties:wrong",
    "gtd-truth@1|rows:all|refs:all|ratings:each|level:item|coef:kendall-b+point-biserial+auc"
    "|level:system|coef:kendall-b+pearson",
]


def test_every_protocol_prints_every_choice():
    assert [protocol.signature for protocol in PROTOCOLS.values()] == SIGNATURES


@pytest.mark.parametrize("reference", PROTOCOLS)
def test_is_found_with_and_without_version(reference):
    protocol = get_protocol(reference)

    assert protocol.reference == reference
    assert get_protocol(protocol.name) == protocol


def test_custom_takes_every_choice():
    protocol = get_protocol(
        "custom", rows="all", references="draw", ratings="majority", measures="pair:accuracy", ties="half"
    )

    assert protocol.signature == "custom@1|rows:all|refs:draw-5x5|ratings:majority|level:pair|coef:accuracy|ties:half"


def test_custom_names_the_choices_that_are_missing():
    with pytest.raises(CorrelationInputError, match="missing: references, measures"):
        get_protocol("custom", rows="all", ratings="mean")


@pytest.mark.parametrize("name", ["flickr8k", "flickr8k-expert@2", "custom@2", ""])
def test_unknown_protocol_lists_the_known_ones(name):
    with pytest.raises(UnknownNameError, match=f"unknown protocol '{name}'; known are: flickr8k-expert@1, .*custom@1"):
        get_protocol(name)
