"""A study as text, with all that raters see of it and nothing of raters, to be read into an empty database."""

import hashlib
from collections.abc import Iterator

from django.core import serializers
from django.db.models import Model, Q

from studies.design.versions import load_newest_version
from studies.enums import StudyState
from studies.models import Candidate, CaptionSet, Image, Item, Reference, Study, StudyVersion, System, Task


def export_study(study: Study) -> str:
    """Return the rows of a study's design as JSON for `loaddata`: a draft without owner, raters or judgments."""
    return serializers.serialize("json", _list_rows(study))


def _list_rows(study: Study) -> Iterator[Model]:
    items = Item.objects.filter(task__study=study)
    sets = CaptionSet.objects.filter(pk__in=items.values("caption_set"))
    judged = Q(pk__in=items.values("candidate")) | Q(pk__in=items.values("other_candidate")) | Q(caption_set__in=sets)
    candidates = Candidate.objects.filter(judged)
    yield study.dataset
    yield from System.objects.filter(dataset=study.dataset)
    yield from Image.objects.filter(pk__in=items.values("image"))
    # Raters see those that they judge by; what scripted ones think of captions is made up out of all.
    yield from Reference.objects.filter(image__in=items.values("image"))
    # Those of candidates that are judged singly come along, for their rows name them.
    yield from CaptionSet.objects.filter(Q(pk__in=sets) | Q(pk__in=candidates.values("caption_set")))
    for candidate in candidates:
        candidate.author = None
        yield candidate
    study = Study.objects.get(pk=study.pk)
    study.owner, study.state, study.started_at = None, StudyState.DRAFT, None
    study.pilot_of = study.simulation_of = None
    # The same simulation again, and nothing that tells of the study's own.
    study.seed = hashlib.sha256(f"rehearsal/{study.seed}".encode()).hexdigest()
    yield study
    yield _copy_version(study)
    yield from Task.objects.filter(study=study)
    yield from items


def _copy_version(study: Study) -> StudyVersion:
    version = load_newest_version(study)
    version.created_by = None
    # Nobody but the panel can sign what scripted raters come with.
    version.design["panel"] = {**version.design.get("panel", {}), "is_signed": False, "signing_secret": ""}
    return version
