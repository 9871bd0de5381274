"""Serializers of how studies are made: of files, and of other studies."""

from rest_framework import serializers

from studies.api.serializers.strictness import object_of
from studies.api.serializers.values import serializer_of
from studies.datasets.drafting.checking import Preview
from studies.design.design import StudyDesign
from studies.shared.schemas import describe_fields

UploadPreviewSerializer = serializer_of(Preview, name="UploadPreview")


class UploadSerializer(serializers.Serializer):
    """What a study is made of, as `multipart/form-data`."""

    name = serializers.CharField(max_length=90, help_text="Letters, digits, hyphens and underscores.")
    title = serializers.CharField(max_length=200)
    start = serializers.CharField(help_text="`preset:NAME`, or `kind:KIND` for a design of one's own.")
    items = serializers.ListField(
        child=serializers.FileField(), help_text="One table (.csv, .jsonl, .parquet), or COCO results, one a system."
    )
    images = serializers.FileField(required=False, help_text="A .zip with a picture for each image.")
    references = serializers.FileField(required=False, help_text="A table of references, or COCO's file of captions.")


class JudgmentUploadSerializer(serializers.Serializer):
    """Judgments that were collected elsewhere, as `multipart/form-data`."""

    name = serializers.CharField(max_length=90, help_text="Letters, digits, hyphens and underscores.")
    judgments = serializers.FileField(help_text="A table (.csv, .jsonl, .parquet), as `import_data table` reads it.")
    references = serializers.FileField(required=False, help_text="A table of references, or COCO's file of captions.")
    scale = serializers.CharField(
        max_length=200, required=False, default="", allow_blank=True, help_text="`1-5`, or `1,2,3,4`."
    )
    protocol = serializers.CharField(max_length=500, required=False, default="", allow_blank=True)


class UploadStateSerializer(serializers.Serializer):
    """How far an upload is, what was found in it, and what was made of it."""

    token = serializers.CharField(help_text="What the upload is asked for by.")
    state = serializers.ChoiceField(
        ["queued", "running", "done", "failed", "cancelled", "lost"], help_text="The last four are ends."
    )
    doing = serializers.CharField(help_text="What is being done at the moment.")
    n_done = serializers.IntegerField()
    n_total = serializers.IntegerField(help_text="Steps of what is being done; 0 while nobody knows.")
    problem = serializers.CharField(help_text="Why nothing came of it.")
    look = UploadPreviewSerializer(
        allow_null=True, help_text="What was found; null before, and after the study was made."
    )
    study = serializers.CharField(allow_null=True, help_text="The name of the study that was made.")


class CloneSerializer(serializers.Serializer):
    """What the clone is called, and in what it differs."""

    name = serializers.CharField(max_length=90, help_text="Letters, digits, hyphens and underscores.")
    title = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    changes = object_of(describe_fields(StudyDesign))(
        required=False, default=dict, help_text="Fields of the design; of parts such as `pay` what differs."
    )
    n_tasks = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=1_000_000, help_text="Makes a pilot of so many main tasks."
    )


class RenameSerializer(serializers.Serializer):
    """Another title or protocol; what is left out stays."""

    title = serializers.CharField(max_length=200, required=False)
    protocol = serializers.CharField(max_length=500, required=False, help_text="A name, or a whole signature.")


class MissingSerializer(serializers.Serializer):
    """What a study lacks to be opened, in words; nothing if it can be."""

    missing = serializers.ListField(child=serializers.CharField())
