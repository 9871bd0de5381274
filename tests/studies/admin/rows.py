"""A given number of rows of every table in the admin."""

from studies.enums import AssignmentState, AuditAction, EventKind, Interface, MemberRole, PanelKind
from studies.models import (
    AccountWebhook,
    AddressLease,
    ApiToken,
    Assignment,
    AuditEntry,
    Comment,
    ConformanceReport,
    Consent,
    DesignDraft,
    Exclusion,
    FrozenReport,
    Identity,
    Invitation,
    JudgmentRevision,
    NotificationSettings,
    Payment,
    QualificationAttempt,
    RaterEvent,
    ReferenceChoice,
    ReferenceSet,
    ReportLink,
    RequestedMetric,
    Run,
    ScoreChunk,
    ScoringInput,
    ScoringRequest,
    Simulation,
    StoppingLook,
    StudyMetric,
    StudyOffer,
    Submission,
    Tally,
    Withdrawal,
)
from tests.factories.open_studies import make_open_study
from tests.factories.studies import NOW, make_judgment, make_member, make_rater, make_user
from tests.studies.preregistered import make_preregistration
from tests.studies.scored import list_items


def make_rows(indices):
    """Make a study for each index, with one row or more of everything."""
    for index in indices:
        study = make_open_study(f"study-{index}", n_tasks=1)
        study.owner = make_user(f"owner-{index}")
        study.save()
        make_member(study, make_user(f"member-{index}"), MemberRole.EDITOR)
        _make_access(study, index=index)
        _make_judged(study)
        _make_references(study.dataset)
        _make_scored(study.dataset, index=index)
        _make_requested(study, index=index)
        _make_reports(study, index=index)
        make_preregistration(study, digest=f"{index}")
        Simulation.objects.create(study=study, panel=PanelKind.LINK, n_raters=30, made_at=NOW)
        StoppingLook.objects.create(
            study=study, number=1, rule={}, n_judgments=1, fraction=0.5, spent=0.01, level=0.01, findings=[],
            says_stop=False, reason="Why", taken_at=NOW,
        )  # fmt: skip
        Identity.objects.create(
            identity_hash=f"{index:064d}", panel="prolific", participant_id=f"person-{index}", created_at=NOW
        )


def _make_access(study, *, index):
    AuditEntry.objects.create(
        study=study,
        study_name=study.name,
        actor=study.owner,
        actor_name=study.owner.username,
        interface=Interface.PAGE,
        action=AuditAction.OPENED,
        at=NOW,
    )
    StudyOffer.objects.create(
        study=study, offered_to=study.owner, offered_by=study.owner, offered_at=NOW, expires_at=NOW
    )
    DesignDraft.objects.create(
        study=study, user=study.owner, step="raters", revision="1", based_on=1, typed={}, saved_at=NOW
    )
    ApiToken.objects.create(
        study=study,
        name="notebook",
        role=MemberRole.ANALYST,
        digest=f"{index:064d}",
        hint="abcd",
        made_by=study.owner,
        made_at=NOW,
        expires_at=NOW,
    )


def _make_judged(study):
    version = study.versions.latest("number")
    rater = make_rater(study, identity_hash=f"hash of {study.name}")
    Consent.objects.create(rater=rater, version=version, given_at=NOW)
    item = list_items(study)[0]
    lease = Assignment.objects.create(
        study=study,
        task=item.task,
        slot=item.task.slots.first(),
        rater=rater,
        version=version,
        state=AssignmentState.SUBMITTED,
        shown={},
        leased_at=NOW,
        expires_at=NOW,
        submitted_at=NOW,
    )
    judgment = make_judgment(item, rater, 3.0, assignment=lease)
    JudgmentRevision.objects.create(judgment=judgment, value=2.0, created_at=NOW, replaced_at=NOW)
    AddressLease.objects.create(assignment=lease, study=study, network_hash=study.name, number=0)
    _make_conduct(study, rater)
    _make_panel(study, rater)


def _make_conduct(study, rater):
    QualificationAttempt.objects.create(rater=rater, number=1, n_right=4, n_items=5, passed=True, ended_at=NOW)
    Exclusion.objects.create(rater=rater, rule="failed_checks", reason="3 of 4 checks failed", decided_at=NOW)
    Withdrawal.objects.create(
        study=study, receipt=study.name, n_judgments_erased=1, n_judgments_kept=0, withdrawn_at=NOW
    )
    RaterEvent.objects.create(study=study, rater=rater, kind=EventKind.LATE, at=NOW)
    Tally.objects.create(kind="joins", who_hash=study.name, began_at=NOW, count=1)


def _make_panel(study, rater):
    Submission.objects.create(
        study=study,
        identity_hash=rater.identity_hash,
        panel=PanelKind.PROLIFIC,
        session_id="session",
        started_at=NOW,
    )
    Invitation.objects.create(study=study, identity_hash=rater.identity_hash, created_at=NOW)
    Payment.objects.create(rater=rater, amount="0.50", currency="EUR", reason="top-up", decided_at=NOW)


def _make_reports(study, *, index):
    report = FrozenReport.objects.create(study=study, number=1, content="{}", digest=f"{index}", made_at=NOW)
    Comment.objects.create(study=study, report=report, author=study.owner, text="A comment.", made_at=NOW)
    NotificationSettings.objects.create(user=study.owner, wants_mail=True)
    AccountWebhook.objects.create(user=study.owner, url="https://hooks.example.org/", made_at=NOW)
    ReportLink.objects.create(
        report=report, digest=f"{index:064d}", hint="abcd", made_by=study.owner, made_at=NOW, expires_at=NOW
    )


def _make_references(dataset):
    candidate = dataset.candidates.first()
    chosen = ReferenceSet.objects.create(dataset=dataset, name="shipped")
    ReferenceChoice.objects.create(
        reference_set=chosen, candidate=candidate, reference=candidate.image.references.first(), position=0
    )


def _make_requested(study, *, index):
    request = ScoringRequest.objects.create(study=study, requested_by=study.owner, requested_at=NOW)
    RequestedMetric.objects.create(request=request, metric="length", message="Why")
    StudyMetric.objects.create(study=study, metric="length", is_enabled=False)
    ConformanceReport.objects.create(metric="length", version="1", digest=f"{index}", results=[], finished_at=NOW)


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
