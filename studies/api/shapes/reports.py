"""Shapes of frozen reports."""

from typing import ClassVar

from rest_framework import serializers

from studies.models import FrozenReport


class ReportShape(serializers.ModelSerializer):
    """A frozen report: what tells it from others, and where its forms are."""

    sha256 = serializers.CharField(source="digest", read_only=True)
    made_by = serializers.CharField(source="made_by.username", read_only=True, allow_null=True, default=None)
    files = serializers.SerializerMethodField(help_text="Addresses of its forms, by ending.")

    class Meta:
        model = FrozenReport
        fields: ClassVar = ["number", "sha256", "made_at", "made_by", "stale_since", "stale_reason", "files"]

    def get_files(self, report: FrozenReport) -> dict[str, str]:
        return {form: self.context["make_address"](report, form) for form in self.context["forms"]}
