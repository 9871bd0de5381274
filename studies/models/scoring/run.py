"""Scores by content: a run is one metric signature on one input, in chunks that are complete or absent."""

from django.db import models
from django.db.models import Q

from studies.models.dataset import Dataset


class ScoringInput(models.Model):
    """The rows that metrics score: the candidates (or caption sets), their order, and their references."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="scoring_inputs")
    level = models.CharField(max_length=10, help_text="segment: rows are candidates; set: rows are caption sets.")
    references = models.CharField(max_length=100, help_text="The reference rule, as printed in signatures.")
    digest = models.CharField(max_length=64, help_text="SHA-256 of keys, captions and references, in row order.")
    n_rows = models.PositiveIntegerField()
    row_ids = models.BinaryField(help_text="Primary keys of the rows as little-endian int64.")
    own_captions = models.JSONField(
        default=dict, help_text="The fields of studies.shared.own_captions.OwnCaptions; empty if not counted."
    )
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["dataset", "level", "references", "digest"], name="scoring_input_once")
        ]

    def __str__(self) -> str:
        return f"{self.level}s of {self.dataset_id}, references {self.references}"


class Run(models.Model):
    """One metric, with one signature, on one input; computed only once."""

    metric = models.CharField(max_length=100)
    signature = models.CharField(max_length=500)
    input_digest = models.CharField(max_length=64)
    n_rows = models.PositiveIntegerField()
    chunk_size = models.PositiveIntegerField()
    higher_is_better = models.BooleanField()
    plugin = models.CharField(max_length=200, help_text="The installed package that scored, with its version.")
    versions = models.JSONField(help_text="Library versions that a score may depend on.")
    device = models.CharField(max_length=50)
    dtype = models.CharField(max_length=20, help_text="Number type of the computation; float64 is stored.")
    peak_memory = models.PositiveBigIntegerField(
        default=0, help_text="Peak memory of a scoring process, in bytes; 0 if unknown."
    )
    peak_gpu_memory = models.PositiveBigIntegerField(
        default=0, help_text="Peak GPU memory, in bytes; 0 if none was used."
    )
    n_infinite = models.PositiveIntegerField(
        default=0, help_text="Infinite scores; they are stored as NaN and treated as missing."
    )
    seconds = models.FloatField(default=0.0, help_text="Time spent scoring, summed over chunks.")
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["signature", "input_digest"], name="run_once_per_signature_and_input"),
            models.CheckConstraint(name="run_chunk_size_positive", condition=Q(chunk_size__gt=0)),
        ]
        # Runs of a dataset are found by the digests of its inputs.
        indexes = [models.Index(fields=["input_digest"], name="run_by_input")]

    def __str__(self) -> str:
        return self.signature


class ScoreChunk(models.Model):
    """The scores of consecutive rows, committed in one transaction."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="chunks")
    index = models.PositiveIntegerField()
    values = models.BinaryField(help_text="(rows,) little-endian float64; NaN where the metric is undefined.")
    statistics = models.BinaryField(
        null=True, help_text="(rows, statistics) little-endian float64 of a metric that decomposes."
    )

    class Meta:
        ordering = ["run", "index"]
        constraints = [models.UniqueConstraint(fields=["run", "index"], name="score_chunk_once_per_run")]
