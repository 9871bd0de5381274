"""Digests of everything that the results of a study depend on."""

import hashlib
from functools import cache
from pathlib import Path

from django.db.models import Count, Max, QuerySet, Subquery

import correlation
import metrics_plugins
from studies.models import (
    Exclusion,
    Item,
    Judgment,
    JudgmentRevision,
    Run,
    ScoringInput,
    Study,
    StudyMetric,
    StudyVersion,
)
from studies.scoring.plugins.catalog import load_catalog


def fingerprint_results(study: Study) -> str:
    """Return a digest that changes with everything that the study's results depend on, including the program.

    That is its judgments, exclusions, items and design, the runs of its dataset, its choice of metrics, and the
    installed versions of the metrics with scores. Other datasets and studies have no effect.

    It takes seven queries. The number of rows and the newest primary key identify a table's state, since primary keys
    are never reused, runs never change, and judgments change only by corrections, which add a revision.
    """
    return join_fingerprints(fingerprint_setting(study), fingerprint_judgments(study))


def join_fingerprints(setting: str, judgments: str) -> str:
    """Return the digest of `fingerprint_results` from its two parts."""
    return hash_facts(setting, judgments)


def fingerprint_judgments(study: Study) -> str:
    """Return a digest that changes with every judgment, the part that changes while raters work."""
    return hash_facts(
        Judgment.objects.filter(rater__study=study).aggregate(Count("pk"), Max("pk")),
        JudgmentRevision.objects.filter(judgment__rater__study=study).aggregate(Count("pk"), Max("pk")),
    )


def fingerprint_setting(study: Study) -> str:
    """Return a digest of everything else that results depend on."""
    newest_design = Subquery(StudyVersion.objects.filter(study=study).order_by("-pk").values("pk")[:1])
    # An interrupted run that is resumed keeps its key, so include its time.
    runs = list(list_runs(study).values_list("pk", "metric", "finished_at"))
    return hash_facts(
        stamp_program(),
        study.pk,
        study.protocol,
        Exclusion.objects.filter(rater__study=study).aggregate(Count("pk"), Max("pk"), Count("lifted_at")),
        Item.objects.filter(task__study=study).aggregate(Count("pk"), Max("pk"), design=Max(newest_design)),
        ScoringInput.objects.filter(dataset=study.dataset_id).aggregate(Count("pk"), Max("pk"), Max("created_at")),
        runs,
        list(StudyMetric.objects.filter(study=study).values_list("metric", "is_enabled", "signature")),
        _list_versions({metric for _, metric, _ in runs}),
    )


def list_runs(study: Study) -> QuerySet[Run]:
    """Return the runs on any input of a study's dataset, in the order of their start."""
    # Use a subquery, since an input of several datasets has one digest.
    digests = ScoringInput.objects.filter(dataset=study.dataset_id).values("digest")
    return Run.objects.filter(input_digest__in=digests).order_by("pk")


def _list_versions(metrics: set[str]) -> list[tuple[str, str]]:
    """Return the installed version of each of the metrics, since scores of other versions are stale."""
    infos = [entry.info for entry in load_catalog()]
    return [(info.id, info.version) for info in infos if info.id in metrics]


def hash_facts(*facts: object) -> str:
    """Return a short text that is equal for equal facts."""
    return hashlib.sha256(repr(facts).encode()).hexdigest()


@cache
def stamp_program() -> str:
    """Return a digest of the source code of results, as of the first call in this process.

    Cached values outlast the process, and another release may compute or store them differently.
    """
    digest = hashlib.sha256()
    for folder in (Path(correlation.__file__).parent, Path(metrics_plugins.__file__).parent, Path(__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
