"""Rows of every table that the admin lists, a given number of each."""

from studies.enums import AssignmentState, MemberRole
from studies.models import (
    Assignment,
    Consent,
    Identity,
    ReferenceChoice,
    ReferenceSet,
    Run,
    ScoreChunk,
    ScoringInput,
)
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_member, make_rater, make_user
from tests.studies.scored import list_items


def make_rows(indices):
    """Make a study for each index, with one row or more of everything."""
    for index in indices:
        study = make_open_study(f"study-{index}", n_tasks=1)
        study.owner = make_user(f"owner-{index}")
        study.save()
        make_member(study, make_user(f"member-{index}"), MemberRole.EDITOR)
        _make_judged(study)
        _make_references(study.dataset)
        _make_scored(study.dataset, index=index)
        Identity.objects.create(
            identity_hash=f"{index:064d}", panel="prolific", participant_id=f"person-{index}", created_at=NOW
        )


def _make_judged(study):
    version = study.versions.latest("number")
    rater = make_rater(study, identity_hash=f"hash of {study.name}")
    Consent.objects.create(rater=rater, version=version, given_at=NOW)
    item = list_items(study)[0]
    lease = Assignment.objects.create(
        task=item.task,
        place=item.task.places.first(),
        rater=rater,
        version=version,
        state=AssignmentState.SUBMITTED,
        shown={},
        leased_at=NOW,
        expires_at=NOW,
        submitted_at=NOW,
    )
    make_judgment(item, rater, 3.0, assignment=lease)


def _make_references(dataset):
    candidate = dataset.candidates.first()
    chosen = ReferenceSet.objects.create(dataset=dataset, name="shipped")
    ReferenceChoice.objects.create(
        reference_set=chosen, candidate=candidate, reference=candidate.image.references.first(), position=0
    )


def _make_scored(dataset, *, index):
    ScoringInput.objects.create(
        dataset=dataset,
        level="segment",
        references="all",
        digest=f"{index}",
        n_rows=1,
        row_ids=b"ROW-IDS!",
        created_at=NOW,
    )
    run = Run.objects.create(
        metric="length",
        signature="length|v:1",
        input_digest=f"{index}",
        n_rows=1,
        chunk_size=1,
        higher_is_better=True,
        plugin="accordance 0.1.0",
        versions={},
        device="cpu",
        dtype="float64",
        started_at=NOW,
    )
    ScoreChunk.objects.create(run=run, index=0, values=b"A-SCORE!")
