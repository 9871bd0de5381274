"""Serializers of studies, their design, items, raters and judgments."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from studies.analysis.items import JudgedItem
from studies.api.serializers.strictness import object_of
from studies.datasets.drafts.rows import COLUMNS
from studies.datasets.importing.tables.columns import FIELDS
from studies.design.study_design import StudyDesign
from studies.enums import StudyState, TaskKind
from studies.models import Exclusion, Judgment, Rater, Study, StudyVersion
from studies.shared.schemas import describe_fields


class StudySerializer(serializers.ModelSerializer):
    """A study and its owner."""

    dataset = serializers.CharField(source="dataset.name", read_only=True)
    owner = serializers.CharField(source="owner.username", read_only=True, allow_null=True, default=None)
    kind = serializers.ChoiceField(choices=TaskKind.choices, read_only=True)
    state = serializers.ChoiceField(choices=StudyState.choices, read_only=True)

    class Meta:
        model = Study
        fields: ClassVar = [
            "name",
            "title",
            "kind",
            "state",
            "protocol",
            "is_simulated",
            "is_computed",
            "dataset",
            "owner",
            "created_at",
            "started_at",
            "archived_at",
        ]


class StudyDetailSerializer(serializers.Serializer):
    """A study with its progress."""

    study = StudySerializer()
    version = serializers.IntegerField(source="facts.version", help_text="Version of the design; 0 before the first.")
    n_tasks = serializers.IntegerField(source="facts.n_tasks")
    n_items = serializers.IntegerField(source="facts.n_items")
    n_slots = serializers.IntegerField(source="summary.progress.planned")
    n_filled = serializers.IntegerField(source="summary.progress.filled")
    n_judgments = serializers.IntegerField(source="summary.n_judgments")
    last_judgment = serializers.DateTimeField(source="summary.last_judgment", allow_null=True)
    link = serializers.CharField(allow_null=True, help_text="The link for raters; null unless the study is open.")
    preview = serializers.CharField(help_text="Preview of the rater pages for members; needs a login.")


_ROW = object_of({name: {} for name in COLUMNS})
_JUDGED_ROW = object_of({name: {} for name in FIELDS})


class NameField(serializers.CharField):
    """The name of a new study in addresses; optional, since one can be made."""

    def __init__(self, **given: Any) -> None:
        help_text = "Letters, digits, hyphens and underscores; by default one is made."
        options = {"max_length": 90, "required": False, "default": "", "allow_blank": True, "help_text": help_text}
        super().__init__(**{**options, **given})


class _Named(serializers.Serializer):
    name = NameField()
    references = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField(), allow_empty=False),
        required=False,
        default=dict,
        help_text="Captions by image.",
    )


class NewStudySerializer(_Named):
    """A draft: its design as in a design file, and one row per item."""

    title = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    kind = serializers.ChoiceField(choices=TaskKind.choices, required=False, default=None, allow_null=True)
    design = object_of({"preset": {"type": "string"}, **describe_fields(StudyDesign)})(
        help_text="The fields of a design, on top of `preset` if it is named."
    )
    items = serializers.ListField(child=_ROW(), allow_empty=False, max_length=50_000)


class NewImportSerializer(_Named):
    """Judgments collected elsewhere, for a closed study."""

    rows = serializers.ListField(
        child=_JUDGED_ROW(),
        allow_empty=False,
        help_text="One judgment each: image, system, candidate, value, and the rater if known.",
    )
    scale = serializers.CharField(max_length=200, required=False, default="", allow_blank=True, help_text="As in 1-5.")
    protocol = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)


class DesignSerializer(serializers.ModelSerializer):
    """One version of a design."""

    design = serializers.SerializerMethodField(help_text="Without its secret fields, such as completion codes.")
    secrets = serializers.SerializerMethodField(help_text="Paths of secret fields that are set.")
    created_by = serializers.CharField(source="created_by.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = StudyVersion
        fields: ClassVar = ["number", "design", "secrets", "created_at", "created_by"]

    @extend_schema_field(serializers.DictField())
    def get_design(self, version: StudyVersion) -> dict[str, Any]:
        return StudyDesign.from_json(version.design).to_public_json()

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_secrets(self, version: StudyVersion) -> list[str]:
        return list(StudyDesign.from_json(version.design).list_secrets())


class NewDesignSerializer(serializers.Serializer):
    """The changes for the next version."""

    changes = object_of(describe_fields(StudyDesign))(
        help_text="Fields of the design; parts such as `pay` must be complete, except that secret fields keep their "
        "value if omitted."
    )


class CaptionSerializer(serializers.Serializer):
    """A candidate in an item, in the order of the design."""

    key = serializers.CharField()
    system = serializers.CharField(source="system.name")
    text = serializers.CharField()


class ItemSerializer(serializers.Serializer):
    """An item of a main task, with its judgments so far."""

    id = serializers.IntegerField(source="item.pk")
    key = serializers.CharField(source="item.key")
    category = serializers.CharField(source="item.category")
    image = serializers.CharField(source="item.image.key")
    picture = serializers.SerializerMethodField(help_text="URL of its thumbnail; null without a file.")
    anchor = serializers.CharField(source="item.anchor.text", allow_null=True, default=None)
    captions = CaptionSerializer(many=True)
    n_judgments = serializers.IntegerField()
    mean_judgment = serializers.FloatField(allow_null=True)

    def get_picture(self, judged: JudgedItem) -> str | None:
        image = judged.item.image
        return str(self.context["make_address"](image.pk)) if image.file else None


class RaterSerializer(serializers.ModelSerializer):
    """A rater by pseudonym, without personal data."""

    n_judgments = serializers.IntegerField(read_only=True)
    last_judgment = serializers.DateTimeField(read_only=True, allow_null=True)

    class Meta:
        model = Rater
        fields: ClassVar = [
            "pseudonym",
            "is_placeholder",
            "joined_at",
            "finished_at",
            "outcome",
            "n_judgments",
            "last_judgment",
        ]


class JudgmentSerializer(serializers.ModelSerializer):
    """One judgment of a main task."""

    item = serializers.CharField(source="item.key", read_only=True)
    item_id = serializers.IntegerField(read_only=True)
    rater = serializers.CharField(source="rater.pseudonym", read_only=True)
    answer = serializers.SerializerMethodField()

    class Meta:
        model = Judgment
        fields: ClassVar = [
            "id",
            "item_id",
            "item",
            "rater",
            "value",
            "answer",
            "elapsed_ms",
            "created_at",
            "surplus_since",
        ]

    def get_answer(self, judgment: Judgment) -> dict[str, Any]:
        return judgment.answer


class ExclusionSerializer(serializers.ModelSerializer):
    """The exclusion of a rater."""

    rater = serializers.CharField(source="rater.pseudonym", read_only=True)
    decided_by = serializers.CharField(source="decided_by.username", read_only=True, allow_null=True, default=None)

    class Meta:
        model = Exclusion
        fields: ClassVar = ["rater", "rule", "reason", "decided_by", "decided_at", "lifted_at", "n_slots"]


class NewExclusionSerializer(serializers.Serializer):
    """The rater to exclude, and the reason."""

    rater = serializers.CharField(max_length=50, help_text="The pseudonym.")
    reason = serializers.CharField(max_length=2000)
    gives_slots_back = serializers.BooleanField(
        default=False, help_text="Whether the rater's slots become free again, and the rater gets no more tasks."
    )
