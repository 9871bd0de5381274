"""What the results of a study depend on, in one short text: equal text, equal results."""

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
from studies.scoring.plugin_catalog import load_catalog


def fingerprint_results(study: Study) -> str:
    """Return a digest that changes with all that the study reads, and with the program itself.

    That is its judgments, exclusions, items and design, the runs of its dataset, its choice of metrics, and which
    version of the metrics with scores is installed. What happens on another dataset or in another study changes
    nothing.

    In seven queries. A judgment is changed only by a correction, which leaves a revision, and a run never; a primary
    key is never given twice, so that how many there are and the newest key tell all.
    """
    return _digest(fingerprint_setting(study), fingerprint_judgments(study))


def fingerprint_judgments(study: Study) -> str:
    """Return a digest that changes with every judgment: the part of the whole that changes while raters work."""
    return _digest(
        Judgment.objects.filter(rater__study=study).aggregate(Count("pk"), Max("pk")),
        JudgmentRevision.objects.filter(judgment__rater__study=study).aggregate(Count("pk"), Max("pk")),
    )


def fingerprint_setting(study: Study) -> str:
    """Return a digest of all the rest that results depend on."""
    newest_design = Subquery(StudyVersion.objects.filter(study=study).order_by("-pk").values("pk")[:1])
    # A broken run that is resumed keeps its key and gets a time.
    runs = list(list_runs(study).values_list("pk", "metric", "finished_at"))
    return _digest(
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
    """Return the runs on any input of a study's dataset, in the order in which they began."""
    # By a subquery: a run belongs to a digest, which may be that of several datasets.
    digests = ScoringInput.objects.filter(dataset=study.dataset_id).values("digest")
    return Run.objects.filter(input_digest__in=digests).order_by("pk")


def _list_versions(metrics: set[str]) -> list[tuple[str, str]]:
    """Return the installed version of each of the metrics: scores of another one are stale."""
    infos = [entry.info for entry in load_catalog()]
    return [(info.id, info.version) for info in infos if info.id in metrics]


def _digest(*facts: object) -> str:
    return hashlib.sha256(repr(facts).encode()).hexdigest()


@cache
def stamp_program() -> str:
    """Return a digest of the source of all that results are computed by, as this process found it at first.

    What is kept outlasts the process, and another release may compute or write it in another way.
    """
    digest = hashlib.sha256()
    for folder in (Path(correlation.__file__).parent, Path(metrics_plugins.__file__).parent, Path(__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()
