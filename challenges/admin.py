"""The read-only admin of challenges, which are written only by pages, the API and commands."""

from django.contrib import admin

from challenges.models import (
    Baseline,
    Challenge,
    ChallengeEvent,
    HostToken,
    HumanEntry,
    HumanStudy,
    Phase,
    PhaseIntervals,
    PhaseMetric,
    PhaseReferences,
    Submission,
    SubmissionScore,
    Team,
    TeamInvitation,
    TeamLimit,
    TeamMember,
    TeamToken,
    TeamWebhook,
    TermsAcceptance,
)
from studies.admin.read_only import ReadOnlyAdmin


@admin.register(Challenge)
class ChallengeAdmin(ReadOnlyAdmin):
    list_display = ("slug", "title", "state", "owner")
    search_fields = ("slug", "title")


@admin.register(Phase)
class PhaseAdmin(ReadOnlyAdmin):
    list_display = ("slug", "challenge", "opens_at", "closes_at")
    # Up to all images of a dataset.
    exclude = ("images",)


@admin.register(Submission)
class SubmissionAdmin(ReadOnlyAdmin):
    list_display = ("name", "team", "phase", "state", "created_at")
    list_filter = ("state",)


@admin.register(SubmissionScore)
class SubmissionScoreAdmin(ReadOnlyAdmin):
    list_display = ("submission", "references", "metric", "value")
    exclude = ("per_image",)


@admin.register(Baseline)
class BaselineAdmin(ReadOnlyAdmin):
    list_display = ("submission", "kind", "seed")


@admin.register(Team)
class TeamAdmin(ReadOnlyAdmin):
    list_display = ("name", "challenge", "created_at")
    search_fields = ("name",)


@admin.register(TeamInvitation)
class TeamInvitationAdmin(ReadOnlyAdmin):
    list_display = ("team", "made_by", "expires_at", "used_at")
    exclude = ("digest",)


@admin.register(TeamToken)
class TeamTokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "team", "made_by", "expires_at", "revoked_at")
    exclude = ("digest",)


@admin.register(TeamWebhook)
class TeamWebhookAdmin(ReadOnlyAdmin):
    list_display = ("pk", "member", "last_tried_at", "is_delivered")
    # The path of a URL is often a secret.
    exclude = ("url", "encrypted_secret")


@admin.register(HostToken)
class HostTokenAdmin(ReadOnlyAdmin):
    list_display = ("name", "made_by", "expires_at", "revoked_at")
    exclude = ("digest",)


admin.site.register(
    [
        ChallengeEvent,
        HumanEntry,
        HumanStudy,
        PhaseIntervals,
        PhaseMetric,
        PhaseReferences,
        TeamLimit,
        TeamMember,
        TermsAcceptance,
    ],
    ReadOnlyAdmin,
)
