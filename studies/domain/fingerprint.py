"""What the results of a study depend on, in one short text: equal text, equal results."""

import hashlib
from importlib.metadata import entry_points

from django.db.models import Count, Max

from metrics_plugins.api.hooks import PROJECT
from studies.models import Exclusion, Item, Judgment, JudgmentRevision, Run, ScoringInput, Study


def fingerprint_results(study: Study) -> str:
    """Return a digest that changes with every judgment, exclusion, item, run and plugin that comes or goes.

    In six queries. A judgment is changed only by a correction, which leaves a revision, and a run never; a primary key
    is never given twice, so that how many there are and the newest key tell all.
    """
    facts = (
        study.pk,
        study.protocol,
        Judgment.objects.filter(rater__study=study).aggregate(Count("pk"), Max("pk")),
        JudgmentRevision.objects.filter(judgment__rater__study=study).aggregate(Count("pk"), Max("pk")),
        Exclusion.objects.filter(rater__study=study).aggregate(Count("pk"), Max("pk"), Count("lifted_at")),
        Item.objects.filter(task__study=study).aggregate(Count("pk"), Max("pk")),
        ScoringInput.objects.filter(dataset=study.dataset_id).aggregate(Count("pk"), Max("pk"), Max("created_at")),
        # Of all datasets: a run belongs to a digest. A broken run that is resumed keeps its key and gets a time.
        Run.objects.aggregate(Count("pk"), Max("pk"), Count("finished_at"), Max("finished_at")),
        sorted((point.name, point.value, point.dist and point.dist.version) for point in entry_points(group=PROJECT)),
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()
