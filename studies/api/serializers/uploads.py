"""Serializers for creating studies from files and from other studies."""

from rest_framework import serializers

from studies.api.serializers.strictness import object_of
from studies.api.serializers.studies import NameField
from studies.api.serializers.values import serializer_of
from studies.datasets.drafts.checks import Preview
from studies.datasets.importing.uploaded import TABLE, UPLOADED_FORMATS
from studies.design.study_design import StudyDesign
from studies.shared.schemas import describe_fields

UploadPreviewSerializer = serializer_of(Preview, name="UploadPreview")


class UploadSerializer(serializers.Serializer):
    """The files and fields of a new study, as `multipart/form-data`."""

    name = NameField()
    title = serializers.CharField(max_length=200)
    start = serializers.CharField(help_text="`preset:NAME`, or `kind:KIND` for your own design.")
    items = serializers.ListField(
        child=serializers.FileField(),
        help_text="One table (.csv, .tsv, .jsonl, .parquet), or COCO results, one file per system.",
    )
    columns = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        help_text="`FIELD=COLUMN`, repeatable: the column of the table for a field; an empty one for none. Others are "
        "guessed from their names.",
    )
    pairs_per_image = serializers.IntegerField(
        required=False, help_text="If pairs are made of a table of systems: how many of each image; by default all."
    )
    pair_seed = serializers.IntegerField(required=False, help_text="The seed that draws them.")
    images = serializers.FileField(required=False, help_text="A .zip file with one image file per image.")
    references = serializers.FileField(required=False, help_text="A table of references, or COCO caption annotations.")


class JudgmentUploadSerializer(serializers.Serializer):
    """Judgments collected elsewhere, as `multipart/form-data`."""

    name = NameField()
    format = serializers.ChoiceField(
        list(UPLOADED_FORMATS), default=TABLE, help_text="Of the files, as `import_data` names it."
    )
    judgments = serializers.ListField(
        child=serializers.FileField(),
        help_text="Tables (.csv, .tsv, .jsonl, .parquet), or the files of a published data set or a .zip of them.",
    )
    columns = serializers.ListField(
        child=serializers.CharField(),
        required=False,
        default=list,
        help_text="`FIELD=COLUMN`, repeatable, for tables whose columns are not recognised.",
    )
    references = serializers.FileField(required=False, help_text="A table of references, or COCO caption annotations.")
    scale = serializers.CharField(
        max_length=200, required=False, default="", allow_blank=True, help_text="`1-5`, or `1,2,3,4`."
    )
    protocol = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)


class UploadStateSerializer(serializers.Serializer):
    """The progress of an upload, the findings in it, and the created study."""

    token = serializers.CharField(help_text="The token that identifies the upload.")
    state = serializers.ChoiceField(
        ["queued", "running", "done", "failed", "cancelled", "lost"], help_text="The last four are final."
    )
    doing = serializers.CharField(help_text="What is being done at the moment.")
    n_done = serializers.IntegerField()
    n_total = serializers.IntegerField(help_text="Steps in total; 0 if unknown.")
    problem = serializers.CharField(help_text="Why it failed.")
    look = UploadPreviewSerializer(
        allow_null=True, help_text="What was found; null before that, and after the study was created."
    )
    study = serializers.CharField(allow_null=True, help_text="The name of the study that was created.")


class CloneSerializer(serializers.Serializer):
    """The name and title of the clone, and its changes."""

    name = NameField()
    title = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    changes = object_of(describe_fields(StudyDesign))(
        required=False,
        default=dict,
        help_text="Fields of the design; for parts such as `pay`, only the fields that change.",
    )
    n_tasks = serializers.IntegerField(
        required=False,
        default=0,
        min_value=0,
        max_value=1_000_000,
        help_text="Creates a pilot with this many main tasks.",
    )


class RenameSerializer(serializers.Serializer):
    """A new title or protocol; omitted fields are unchanged."""

    title = serializers.CharField(max_length=200, required=False)
    protocol = serializers.CharField(
        max_length=500, required=False, help_text="The name of a protocol, or a full signature."
    )


class MissingSerializer(serializers.Serializer):
    """What a study needs before it can be opened, in words; empty if it can be opened."""

    missing = serializers.ListField(child=serializers.CharField())
