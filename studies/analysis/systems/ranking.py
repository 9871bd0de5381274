"""The ranking of a study's systems by the judgments of its raters."""

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Final

from correlation.defaults import ALPHA, CORRECTION, RESAMPLES
from correlation.errors import CorrelationInputError
from correlation.protocols.reading import read_protocol
from correlation.ranking.values import MEAN, STRENGTH, WINS, RankingRequest, SystemRanking
from studies.analysis.cached_results import CachedValue, StudyInputs, ValueRequest, find_cached, register_value
from studies.analysis.fingerprint import hash_facts
from studies.analysis.systems.judged import rank_judgments
from studies.collection.judgments import check_judged, load_judgments
from studies.design.preregistration.deviations import load_plan
from studies.design.protocols import CUSTOM, STARTING_PROTOCOLS
from studies.enums import TaskKind
from studies.models import Study
from studies.shared.problems import read_problem

_MEANS: Final = {
    TaskKind.RATING: "mean rating",
    TaskKind.SET_RATING: "mean rating of caption sets",
    TaskKind.TURING: "share taken for a person's",
    TaskKind.BEST_WORST: "best-worst score",
}
_TITLES: Final = {WINS: "share of wins", STRENGTH: "Bradley-Terry strength"}


@dataclass(frozen=True, slots=True)
class StudyRanking:
    """The rankings of a study's systems.

    Attributes:
        study: The name of the study.
        kind: Its kind.
        rankings: For each criterion one or, by different measures, several, the main one first.
        n_left_out: The number of comparisons of a system with itself, which are left out.
        problem: Why there are no rankings; empty if there are any.
    """

    study: str
    kind: str
    rankings: tuple[SystemRanking, ...] = ()
    n_left_out: int = 0
    problem: str = ""

    @property
    def main(self) -> tuple[SystemRanking, ...]:
        """The first ranking of each criterion whose values are defined."""
        chosen: dict[str | None, SystemRanking] = {}
        for each in self.rankings:
            if each.reason is None:
                chosen.setdefault(each.criterion, each)
        return tuple(chosen.values())

    def name_measure(self, ranking: SystemRanking) -> str:
        """Return the name of a ranking's numbers, such as `mean rating`."""
        return _MEANS[TaskKind(self.kind)] if ranking.measure == MEAN else _TITLES[ranking.measure]


@dataclass(frozen=True, slots=True)
class RankingChoices:
    """The options of `rank_study`."""

    resamples: int = RESAMPLES
    correction: str = ""
    seed: int = 0


def rank_study(study: Study, *, resamples: int = RESAMPLES, correction: str = "", seed: int = 0) -> StudyRanking:
    """Rank the systems of a study by the judgments that count.

    Ratings rank by their mean; choices between two captions by Bradley-Terry strengths and by shares of wins;
    best-worst answers by the share of best minus the share of worst, and by the strengths that follow from the
    comparisons that they imply.

    Args:
        resamples: The number of resamples for intervals and tests, at least 2.
        correction: Over all pairs of systems; by default the preregistered one, else Holm's. The preregistered level
            is used as well.
        seed: The seed of all draws.

    Raises:
        CorrelationInputError: There are no judgments, or fewer than two systems.
    """
    check_judged(study)
    plan = load_plan(study) or {}
    request = RankingRequest(
        resamples, correction or plan.get("correction", CORRECTION), plan.get("alpha", ALPHA), seed
    )
    own = STARTING_PROTOCOLS[TaskKind(study.kind)] if study.protocol == CUSTOM else study.protocol
    protocol = read_protocol(own)
    judgments = load_judgments(study, protocol)
    if not len(judgments.table.value):
        raise CorrelationInputError(f"study {study.name} has no judgment that counts: all of its raters are excluded")
    rankings: list[SystemRanking] = []
    n_left_out = 0
    for criterion in protocol.criteria or (None,):
        found, n_same = rank_judgments(study, judgments, criterion=criterion, request=request)
        rankings += found
        n_left_out += n_same
    systems = sorted({each.system for ranking in rankings for each in ranking.systems})
    if len(systems) < 2:
        raise CorrelationInputError(
            f"study {study.name} has judgments of {systems[0] if systems else 'no two systems'} only: systems can be "
            "ranked if there are two or more"
        )
    return StudyRanking(study.name, study.kind, tuple(rankings), n_left_out)


def find_ranking(
    study: Study,
    choices: RankingChoices = RankingChoices(),
    *,
    now: datetime,
    wait: bool = False,
    is_poll: bool = False,
    inputs: StudyInputs | None = None,
) -> CachedValue[StudyRanking]:
    """Return the newest available ranking with these settings; other arguments as for `find_results`."""
    request = _make_request(study, choices, inputs or StudyInputs(study))
    return find_cached(SYSTEMS, request, now=now, wait=wait, is_poll=is_poll)


def _make_request(study: Study, choices: RankingChoices, inputs: StudyInputs) -> ValueRequest[StudyRanking]:
    plan = load_plan(study) or {}
    options = asdict(choices)
    declared = (plan.get("correction", ""), plan.get("alpha", ""))
    return ValueRequest(
        f"systems:{hash_facts(inputs.setting, declared, options)}",
        inputs,
        make=lambda: _rank(study, choices),
        payload={"study": study.pk, "choices": options},
        is_quick=choices.resamples <= RESAMPLES,
    )


def _rank(study: Study, choices: RankingChoices) -> StudyRanking:
    try:
        return rank_study(study, **asdict(choices))
    except CorrelationInputError as error:
        return StudyRanking(study.name, study.kind, problem=read_problem(error))


SYSTEMS: Final = register_value(
    "systems",
    title="Ranking systems by human judgments",
    request=lambda handle, study: _make_request(study, RankingChoices(**handle.payload["choices"]), StudyInputs(study)),
)
