"""Serializers of frozen reports, requests for them, and links to them."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from correlation.comparison.multiple import CORRECTIONS
from correlation.protocols.defaults import NONE
from correlation.resampling.counts import AXES
from correlation.resampling.intervals import INTERVALS
from jobs.models import Job
from studies.api.serializers.analysis import TEST_CHOICES
from studies.api.serializers.people import DAYS
from studies.enums import WorkState
from studies.forms.report import MOST_RESAMPLES
from studies.models import FrozenReport, ReportLink
from studies.publishing.report_pages import list_parts


class ReportSerializer(serializers.ModelSerializer):
    """A frozen report: its identification, and the URLs of its formats."""

    title = serializers.CharField(source="shown_title", read_only=True, help_text="By default that of the study.")
    sha256 = serializers.CharField(source="digest", read_only=True)
    made_by = serializers.CharField(source="made_by.username", read_only=True, allow_null=True, default=None)
    files = serializers.SerializerMethodField(help_text="URLs of its formats, by file extension.")
    parts = serializers.SerializerMethodField(
        help_text="URLs of its parts, by name and file extension, and of its bundle."
    )

    class Meta:
        model = FrozenReport
        fields: ClassVar = [
            *("number", "title", "sha256", "made_at", "made_by"),
            *("stale_since", "stale_reason", "files", "parts"),
        ]

    def get_files(self, report: FrozenReport) -> dict[str, str]:
        return {form: self.context["make_address"](report, form) for form in self.context["forms"]}

    def get_parts(self, report: FrozenReport) -> dict[str, str]:
        return {part: self.context["make_part_address"](report, part) for part in (*list_parts(report), "bundle.zip")}


class ReportTitleSerializer(serializers.Serializer):
    """The title that readers of a report see."""

    title = serializers.CharField(
        max_length=200, allow_blank=True, help_text="Above the report and on its figures; if empty, that of the study."
    )


class NewReportRequestSerializer(serializers.Serializer):
    """The content of a report; what is left out is the default, and `none` is no interval or no test."""

    protocol = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)
    metrics = serializers.ListField(
        child=serializers.CharField(max_length=100), required=False, default=list, help_text="Empty for all."
    )
    method = serializers.ChoiceField(
        choices=["", NONE, *sorted(INTERVALS)], required=False, default="", allow_blank=True
    )
    clusters = serializers.ListField(child=serializers.ChoiceField(choices=sorted(AXES)), required=False, default=list)
    test = serializers.ChoiceField(choices=["", *TEST_CHOICES], required=False, default="", allow_blank=True)
    correction = serializers.ChoiceField(
        choices=["", *sorted(CORRECTIONS)], required=False, default="", allow_blank=True
    )
    resamples = serializers.IntegerField(
        min_value=10,
        max_value=MOST_RESAMPLES,
        required=False,
        default=None,
        allow_null=True,
        help_text="null: as many as needed.",
    )
    seed = serializers.IntegerField(min_value=0, max_value=2**32 - 1, required=False, default=0)


class JobSerializer(serializers.Serializer):
    """A background job and its progress."""

    state = serializers.SerializerMethodField()
    step = serializers.CharField(source="message")
    n_done = serializers.IntegerField()
    n_steps = serializers.IntegerField(source="n_total")
    problem = serializers.CharField()
    made_by = serializers.CharField(source="account.username", allow_null=True, default=None)
    made_at = serializers.DateTimeField(source="requested_at")

    @extend_schema_field(serializers.ChoiceField(choices=WorkState.choices))
    def get_state(self, job: Job) -> str:
        return WorkState.of_job(job.state)


class ReportRequestSerializer(JobSerializer):
    """A requested report and its progress, available for a month."""

    id = serializers.IntegerField(source="pk")
    choices = serializers.DictField(source="payload.choices")
    report = serializers.SerializerMethodField()

    @extend_schema_field(serializers.IntegerField(allow_null=True))
    def get_report(self, job: Job) -> int | None:
        return (job.result or {}).get("report")


class LinkSerializer(serializers.ModelSerializer):
    """A secret link to one report, without its secret."""

    made_by = serializers.CharField(source="made_by.username", read_only=True)

    class Meta:
        model = ReportLink
        fields: ClassVar = ["id", "hint", "made_by", "made_at", "expires_at", "revoked_at", "n_views"]


class NewLinkSerializer(serializers.Serializer):
    """The validity of a link in days."""

    days = serializers.IntegerField(min_value=1, required=False, help_text=DAYS)


class MadeLinkSerializer(serializers.Serializer):
    """A new link and its address, which is shown only once."""

    address = serializers.CharField()
    link = LinkSerializer()
