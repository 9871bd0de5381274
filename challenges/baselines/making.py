"""Makes the captions of a baseline when it is scored, and the measures that it is scored with."""

import hashlib
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory

from django.core.files.base import ContentFile
from django.db import transaction

from challenges.baselines.captioning import caption_images
from challenges.baselines.held_out import leave_out, write_captions
from challenges.enums import BaselineKind
from challenges.errors import ChallengeRefused
from challenges.models import Baseline, Submission
from challenges.submissions.scoring import Measure
from metrics_plugins.readers.results import ResultsFile


def make_captions(submission: Submission) -> None:
    """Write the file of a baseline, unless it has one; other submissions stay as they are.

    Raises:
        ChallengeRefused: The training captions are invalid, or an image has too few references.
    """
    if submission.file or not submission.is_baseline:
        return
    if submission.disqualified_because:
        raise ChallengeRefused("the baseline has been removed")
    baseline, phase = submission.baseline, submission.phase
    if baseline.kind == BaselineKind.HUMAN:
        content = write_captions(phase, seed=baseline.seed)
    else:
        try:
            content = _write_common_captions(baseline)
        except ChallengeRefused:
            # It is not tried again.
            delete_source(baseline)
            raise
    name = f"{submission.token}.json"
    # A worker that died may have left it.
    submission.file.storage.delete(submission.file.field.generate_filename(submission, name))
    submission.file.save(name, ContentFile(content), save=False)
    submission.n_bytes, submission.digest = len(content), hashlib.sha256(content).hexdigest()
    with transaction.atomic():
        submission.save(update_fields=["file", "n_bytes", "digest"])
        delete_source(baseline)


def adapt_measures(measures: Iterable[Measure], *, submission: Submission, results: ResultsFile) -> Iterable[Measure]:
    """Return the measures that a submission is scored with: for human captions without these as references.

    Raises:
        ChallengeRefused: While iterating, if the references have changed since the captions were drawn.
    """
    if submission.is_baseline and submission.baseline.kind == BaselineKind.HUMAN:
        return leave_out(measures, captions=results.captions)
    return measures


def delete_source(baseline: Baseline) -> None:
    """Delete the training captions once the transaction is committed."""
    if baseline.source:
        transaction.on_commit(partial(baseline.source.storage.delete, baseline.source.name))
        baseline.source = ""
        baseline.save(update_fields=["source"])


def _write_common_captions(baseline: Baseline) -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "captions.json"
        with baseline.source.open("rb") as source, path.open("wb") as copy:
            copyfileobj(source, copy)
        try:
            return caption_images(baseline.submission.phase, captioner=baseline.kind, captions=str(path))
        except ChallengeRefused as refusal:
            # The name of the temporary folder tells nobody anything.
            raise ChallengeRefused(str(refusal).replace(f"{folder}/", "")) from refusal
