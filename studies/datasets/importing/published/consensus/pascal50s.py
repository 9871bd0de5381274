"""PASCAL-50S: 4,000 pairs of captions, judged in two human studies, with 50 references per image.

Source: R. Vedantam, C. L. Zitnick, D. Parikh (2015), CIDEr: Consensus-based Image Description Evaluation, CVPR.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from studies.datasets.importing.files.opening import open_folder
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.published.consensus.pascal50s_consensus import (
    VOTES_PER_PAIR,
    Consensus,
    TripletVote,
    read_consensus,
    read_triplets,
)
from studies.datasets.importing.published.consensus.pascal50s_pairs import (
    HUMAN,
    HUMAN_OTHER,
    Pair,
    read_pairs,
    read_references,
)
from studies.datasets.importing.records import (
    SHIPPED,
    CandidateRecord,
    DatasetRecord,
    ItemRecord,
    JudgmentRecord,
    ReferenceSetRecord,
    StudyRecord,
    SystemRecord,
    name_votes,
)
from studies.design.study_design import StudyDesign
from studies.enums import TaskKind
from studies.shared.errors import ImportFailed
from studies.shared.files import digest_files

_REFERENCES, _PAIRS, _LABELS = "pascal50S.mat", "pair_pascal.mat", "pascal_50s.json"
_TRIPLETS: Final = "consensus_pascal.mat"
_MAJORITY: Final = "consensus-majority"
_SOURCE: Final = "Vedantam, Zitnick, Parikh (2015), CIDEr: Consensus-based Image Description Evaluation, CVPR."
_SYSTEMS: Final = {
    **{code: SystemRecord(f"system-{code}") for code in range(1, HUMAN)},
    HUMAN: SystemRecord("human", is_human=True),
    HUMAN_OTHER: SystemRecord("human-other", is_human=True),
}


def read_pascal50s(options: ImportOptions) -> DatasetRecord:
    """Read both human studies; of the consensus study, the single votes if their file exists, else the labels."""
    folder = open_folder(options.source)
    files = [folder.read_one(name) for name in (_REFERENCES, _PAIRS, _LABELS)]
    if folder.has(_TRIPLETS):
        files.append(folder.read_one(_TRIPLETS))
    references = read_references(files[0])
    pairs = read_pairs(files[1], images=references)
    labels = read_consensus(files[2], pairs)
    name = options.study or "pascal-50s"
    triplets = read_triplets(files[3], pairs) if len(files) > 3 else None
    consensus = _build_consensus(name, pairs, labels, triplets=triplets)
    return DatasetRecord(
        name=name,
        title="PASCAL-50S",
        source=_SOURCE,
        digest=digest_files(files),
        references=references,
        systems=list(_SYSTEMS.values()),
        candidates=[
            CandidateRecord(key, pair.image, _SYSTEMS[writer].name, text)
            for pair in pairs
            for key, writer, text in zip(_name_candidates(pair), pair.writers, pair.texts, strict=True)
        ],
        studies=[consensus, _build_direct(f"{name}-direct", pairs)],
        reference_sets=[ReferenceSetRecord(SHIPPED, _choose_references(pairs, labels, references))],
    )


def _build_consensus(
    name: str, pairs: Sequence[Pair], labels: Sequence[Consensus], *, triplets: Sequence[Sequence[TripletVote]] | None
) -> StudyRecord:
    raters: tuple[str, ...]
    judgments: list[tuple[JudgmentRecord, ...]]
    if triplets is None:
        title, raters = "PASCAL-50S, majority of 48 consensus votes", (_MAJORITY,)
        judgments = [(JudgmentRecord(_MAJORITY, float(label.label)),) for label in labels]
    else:
        title, raters = "PASCAL-50S, 48 consensus votes", name_votes(VOTES_PER_PAIR)
        judgments = [_build_votes(votes, raters=raters) for votes in triplets]
    return _build_study(
        name,
        title=title,
        protocol="pascal-50s@1",
        question="Which caption is more similar to the reference?",
        raters=raters,
        pairs=pairs,
        judgments=judgments,
        rows_read=len(pairs) if triplets is None else VOTES_PER_PAIR * len(pairs),
    )


def _build_votes(votes: Sequence[TripletVote], *, raters: tuple[str, ...]) -> tuple[JudgmentRecord, ...]:
    # Each vote has a different anchor, so it is stored with the judgment instead of the item.
    return tuple(
        JudgmentRecord(rater, float(vote.value), {"anchor": vote.anchor})
        for rater, vote in zip(raters, votes, strict=True)
    )


def _build_direct(name: str, pairs: Sequence[Pair]) -> StudyRecord:
    judgments = [
        tuple(
            JudgmentRecord(rater, float(vote))
            for rater, vote in zip(name_votes(len(pair.votes)), pair.votes, strict=True)
        )
        for pair in pairs
    ]
    return _build_study(
        name,
        title="PASCAL-50S, 11 direct votes",
        protocol="spice-u-pascal@1",
        question="Which caption is better?",
        raters=name_votes(max(map(len, judgments))),
        pairs=pairs,
        judgments=judgments,
        rows_read=len(pairs),
    )


def _build_study(
    name: str,
    *,
    title: str,
    protocol: str,
    question: str,
    raters: tuple[str, ...],
    pairs: Sequence[Pair],
    judgments: Sequence[tuple[JudgmentRecord, ...]],
    rows_read: int,
) -> StudyRecord:
    return StudyRecord(
        name=name,
        title=title,
        kind=TaskKind.PAIRWISE,
        protocol=protocol,
        design=StudyDesign(question=question, raters_per_task=len(raters)),
        raters=raters,
        are_placeholders=True,
        items=[
            ItemRecord(f"pair-{pair.number:04d}", pair.image, *_name_candidates(pair), pair.category, given)
            for pair, given in zip(pairs, judgments, strict=True)
        ],
        rows_read=rows_read,
    )


def _name_candidates(pair: Pair) -> tuple[str, str]:
    return f"pair-{pair.number:04d}-a", f"pair-{pair.number:04d}-b"


def _choose_references(
    pairs: Sequence[Pair], labels: Sequence[Consensus], references: Mapping[str, Sequence[str]]
) -> dict[str, list[list[int]]]:
    """Return, for both candidates of each pair, the positions of the references published with its label."""
    choices: dict[str, list[list[int]]] = {}
    for pair, label in zip(pairs, labels, strict=True):
        positions = _find_positions(label.references, references[pair.image], pair=pair)
        for key in _name_candidates(pair):
            choices[key] = [positions]
    return choices


def _find_positions(texts: Sequence[str], own: Sequence[str], *, pair: Pair) -> list[int]:
    used: Counter[str] = Counter()
    positions = []
    for text in texts:
        # Equal texts are references by different people: match the second occurrence with the second position.
        locations = [position for position, other in enumerate(own) if other == text]
        if used[text] >= len(locations):
            rule = f"must give pair {pair.number} references that pascal50S.mat has for {pair.image}"
            raise ImportFailed(_LABELS, rule, got=text)
        positions.append(locations[used[text]])
        used[text] += 1
    return positions
