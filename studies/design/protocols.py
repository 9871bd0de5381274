"""The protocols of studies: those that new ones start with, and what a study and its protocol ask of each other."""

from collections.abc import Mapping
from types import MappingProxyType

from correlation.protocols.reading import read_protocol
from correlation.protocols.recipe import Protocol, ReferenceRule
from metrics_plugins.api import Level
from studies.enums import TaskKind
from studies.models import Study

CUSTOM = "custom@1"

_OF_CAPTIONS = "custom@1|rows:all|refs:all|ratings:mean|level:item|coef:pearson+spearman+kendall-c"

STARTING_PROTOCOLS: Mapping[TaskKind, str] = MappingProxyType(
    dict.fromkeys(TaskKind, _OF_CAPTIONS)
    | {
        TaskKind.PAIRWISE: "custom@1|rows:all|refs:all|ratings:majority|level:pair|coef:accuracy+pearson|ties:half",
        TaskKind.SET_RATING: "diversity@1",
    }
)
"""The default protocol of each kind of study, with every choice written out.

For single captions it uses the mean judgment of each: in a Turing test the share of raters who took it for a person's,
in best-worst scaling the counting score. Written captions are judged in a separate study.
"""


def explain_misfit(protocol: Protocol, *, kind: str) -> str:
    """Return why a protocol cannot be used for a study of this kind, "" if it can.

    For pairs, a protocol for ratings would silently compare the votes with the first captions only.
    """
    needed = "pairs" if kind == TaskKind.PAIRWISE else "ratings"
    return "" if protocol.is_pairwise == (needed == "pairs") else f"must be a protocol for {needed}"


def find_level(study: Study) -> Level:
    """Return what one score in a study is for: a caption set in studies of sets, else a candidate."""
    return Level.SET if study.kind == TaskKind.SET_RATING else Level.SEGMENT


def find_rule(study: Study) -> ReferenceRule:
    """Return the reference rule of a study's own protocol; all references if it leaves every choice open."""
    return ReferenceRule("all") if study.protocol == CUSTOM else read_protocol(study.protocol).references
