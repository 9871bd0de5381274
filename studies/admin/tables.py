"""Registers the read-only tables, which are written only by imports, raters' pages and scoring runs."""

from django.contrib import admin

from studies import models
from studies.admin.read_only import ReadOnlyAdmin

# Model, columns, filters, search fields.
TABLES = (
    # Data that are judged and scored.
    (models.Image, ("key", "dataset", "file"), ("dataset",), ("key",)),
    (models.Reference, ("text", "image", "position"), ("image__dataset",), ("text", "image__key")),
    (models.System, ("name", "dataset", "is_human"), ("dataset", "is_human"), ("name",)),
    (models.CaptionSet, ("pk", "image", "system"), ("image__dataset",), ("image__key", "system__name")),
    (models.Candidate, ("text", "key", "image", "system", "dataset"), ("dataset",), ("text", "key", "image__key")),
    (models.ReferenceSet, ("name", "part", "dataset"), ("dataset",), ("name",)),
    (
        models.ReferenceChoice,
        ("pk", "reference_set", "candidate", "alternative", "position", "reference"),
        ("reference_set",),
        ("candidate__key",),
    ),
    # Tasks and answers of raters.
    (models.Task, ("pk", "study", "position"), ("study",), ("study__name", "items__key")),
    (
        models.Item,
        ("key", "task", "position", "category", "image", "candidate", "other_candidate"),
        ("task__study", "category"),
        ("key", "image__key", "candidate__text"),
    ),
    (models.Slot, ("pk", "task", "number"), ("task__study",), ("task__items__key",)),
    (
        models.Assignment,
        ("pk", "task", "rater", "state", "leased_at", "expires_at", "submitted_at"),
        ("state", "version__study"),
        ("rater__pseudonym",),
    ),
    (
        models.Judgment,
        ("pk", "item", "rater", "value", "elapsed_ms", "created_at"),
        ("rater__study",),
        ("item__key", "rater__pseudonym"),
    ),
    (
        models.JudgmentRevision,
        ("judgment", "value", "created_at", "replaced_at"),
        ("judgment__rater__study",),
        ("judgment__item__key", "judgment__rater__pseudonym"),
    ),
    # Data of raters besides judgments, without hashes and tokens.
    (models.Consent, ("rater", "version", "given_at"), ("version__study",), ("rater__pseudonym",)),
    (
        models.QualificationAttempt,
        ("rater", "number", "n_right", "n_items", "passed", "ended_at"),
        ("passed", "rater__study"),
        ("rater__pseudonym",),
    ),
    (
        models.Exclusion,
        ("rater", "rule", "reason", "decided_at", "lifted_at"),
        ("rule", "rater__study"),
        ("rater__pseudonym", "reason"),
    ),
    (
        models.Withdrawal,
        ("receipt", "study", "n_judgments_erased", "n_judgments_kept", "owed", "paid_at", "withdrawn_at"),
        ("study",),
        ("receipt",),
    ),
    (models.RaterEvent, ("kind", "study", "rater", "at"), ("kind", "study"), ("rater__pseudonym",)),
    (models.Tally, ("kind", "began_at", "count"), ("kind",), ("kind",)),
    (
        models.Payment,
        ("rater", "amount", "currency", "reason", "decided_at", "paid_at"),
        ("currency", "rater__study"),
        ("rater__pseudonym", "reason"),
    ),
    # The history of studies.
    (
        models.AuditEntry,
        ("at", "study_name", "action", "actor_name", "interface"),
        ("action", "interface"),
        ("study_name", "actor_name"),
    ),
    (
        models.ApiToken,
        ("study", "name", "role", "hint", "made_by", "made_at", "expires_at", "revoked_at", "last_used_at"),
        ("role",),
        ("study__name", "name"),
    ),
    (
        models.StudyOffer,
        ("study", "offered_to", "offered_by", "offered_at", "expires_at"),
        (),
        ("study__name", "offered_to__username"),
    ),
    (models.Comment, ("pk", "study", "item", "report", "author", "made_at"), ("study",), ("study__name", "text")),
    # Scores and requested work.
    (
        models.ScoringInput,
        ("pk", "dataset", "level", "references", "n_rows", "digest", "created_at"),
        ("dataset", "level", "references"),
        ("digest",),
    ),
    (
        models.Run,
        ("signature", "n_rows", "plugin", "device", "seconds", "started_at", "finished_at"),
        ("metric", "plugin", "device"),
        ("signature", "metric", "input_digest"),
    ),
    (models.ScoreChunk, ("pk", "run", "index"), ("run__metric",), ("run__signature",)),
    (
        models.ScoringRequest,
        ("pk", "study", "judging", "state", "n_done", "n_total", "requested_by", "requested_at", "finished_at"),
        ("state",),
        ("study__name", "message"),
    ),
    (
        models.RequestedMetric,
        ("pk", "request", "metric", "state", "n_done", "n_total", "n_missing", "message"),
        ("state", "metric"),
        ("metric", "signature", "message"),
    ),
    (
        models.StudyMetric,
        ("study", "metric", "is_enabled", "params", "signature"),
        ("is_enabled", "metric"),
        ("study__name", "metric"),
    ),
    (models.ConformanceReport, ("metric", "version", "finished_at", "signature"), (), ("metric", "signature")),
    (
        models.Simulation,
        ("pk", "study", "panel", "n_raters", "state", "problem", "trial", "made_by", "made_at"),
        ("state", "panel"),
        ("study__name", "problem"),
    ),
    (models.DesignDraft, ("pk", "study", "user", "step", "based_on", "saved_at"), ("step",), ("study__name",)),
    # Declarations, looks and frozen reports.
    (
        models.Preregistration,
        ("study", "number", "frozen_at", "frozen_by", "digest"),
        ("study",),
        ("study__name", "digest"),
    ),
    (
        models.StoppingLook,
        ("study", "number", "n_judgments", "fraction", "says_stop", "taken_at", "taken_by"),
        ("study", "says_stop"),
        ("study__name",),
    ),
    (
        models.FrozenReport,
        ("study", "number", "made_at", "made_by", "stale_since", "stale_reason"),
        ("study",),
        ("study__name", "digest"),
    ),
)

HIDDEN = {
    models.Tally: ("who_hash",),
    models.ApiToken: ("digest",),
    models.ScoringInput: ("row_ids",),
    models.ScoreChunk: ("values", "statistics"),
    models.Simulation: ("answers",),
    models.DesignDraft: ("typed",),
}

for model, columns, filters, searched in TABLES:
    admin.site.register(
        model,
        ReadOnlyAdmin,
        list_display=columns,
        list_filter=filters,
        search_fields=searched,
        exclude=HIDDEN.get(model),
    )


@admin.register(models.AddressLease)
class AddressLeaseAdmin(ReadOnlyAdmin):
    list_display = ("study", "number", "assignment")
    list_filter = ("study",)
    list_select_related = ("study", "assignment__rater", "assignment__task")
    search_fields = ("assignment__rater__pseudonym",)
    exclude = ("network_hash",)


@admin.register(models.ReportLink)
class ReportLinkAdmin(ReadOnlyAdmin):
    list_display = ("report", "study", "hint", "made_by", "made_at", "expires_at", "revoked_at", "n_views")
    list_filter = ("report__study",)
    list_select_related = ("report__study", "made_by")
    search_fields = ("report__study__name", "hint")
    exclude = ("digest",)

    @admin.display(ordering="report__study")
    def study(self, link: models.ReportLink) -> str:
        return link.report.study.name
