"""The tables of `studies`. Triggers are made after every migration (`studies/apps.py`)."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import studies.models.encrypted
import studies.models.study


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Assignment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "session",
                    models.PositiveSmallIntegerField(
                        default=1, help_text="Which of the rater's sessions it was leased in."
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("leased", "Leased"),
                            ("submitted", "Submitted"),
                            ("expired", "Expired"),
                            ("returned", "Returned"),
                            ("retaken", "Taken again"),
                            ("replaced", "Replaced"),
                        ],
                        default="leased",
                        max_length=10,
                    ),
                ),
                (
                    "shown",
                    models.JSONField(help_text="The order in which items and their captions are shown to this rater."),
                ),
                ("leased_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField()),
                ("submitted_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Dataset",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.SlugField(max_length=100, unique=True)),
                ("title", models.CharField(max_length=200)),
                ("source", models.TextField(blank=True, help_text="Where it comes from: paper, files, licence.")),
                (
                    "source_digest",
                    models.CharField(blank=True, help_text="SHA-256 of the files it was read from.", max_length=64),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "n_bytes",
                    models.PositiveBigIntegerField(default=0, help_text="Of the files that came with an upload."),
                ),
            ],
            options={
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="Identity",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("identity_hash", models.CharField(max_length=64, unique=True)),
                ("panel", models.CharField(max_length=50)),
                ("participant_id", studies.models.encrypted.EncryptedTextField()),
                ("created_at", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "identities",
            },
        ),
        migrations.CreateModel(
            name="Rater",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("pseudonym", models.CharField(max_length=50)),
                (
                    "identity_hash",
                    models.CharField(
                        blank=True,
                        help_text="Keyed hash of the panel's participant id; the key is not in the database.",
                        max_length=64,
                    ),
                ),
                (
                    "is_placeholder",
                    models.BooleanField(
                        default=False,
                        help_text="Stands for a position in published data (second vote, ...), not for a person.",
                    ),
                ),
                ("joined_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("finished", "Finished"),
                            ("no_tasks", "No task was left"),
                            ("cut_short", "Tasks ran out before the end"),
                            ("left", "Left before the end"),
                            ("not_qualified", "Did not qualify"),
                            ("declined", "Did not agree to take part"),
                            ("withdrawn", "Withdrew"),
                        ],
                        max_length=15,
                    ),
                ),
                (
                    "language",
                    models.CharField(
                        blank=True, help_text="Of the pages that this rater was shown last.", max_length=10
                    ),
                ),
                (
                    "join_nonce",
                    models.CharField(
                        blank=True, help_text="Of the consent form: sent twice, it makes one rater.", max_length=40
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Slot",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                (
                    "turn",
                    models.PositiveIntegerField(help_text="Order, drawn at random, among slots with the same number."),
                ),
                (
                    "is_held",
                    models.BooleanField(
                        default=False,
                        help_text="Whether a live assignment holds it; saved with the assignment, to find free ones fast.",
                    ),
                ),
            ],
            options={
                "ordering": ["task", "number"],
            },
        ),
        migrations.CreateModel(
            name="ConformanceReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("metric", models.CharField(max_length=100)),
                ("version", models.CharField(max_length=100)),
                ("digest", models.CharField(help_text="SHA-256 of the package's or file's sources.", max_length=64)),
                ("results", models.JSONField(help_text="[check, clause, message] each; no message: passed.")),
                (
                    "signature",
                    models.CharField(
                        blank=True, help_text="Of the metric as it is built without parameters.", max_length=500
                    ),
                ),
                ("finished_at", models.DateTimeField()),
            ],
            options={
                "ordering": ["metric", "-pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("metric", "version", "digest"), name="report_once_per_state_of_a_metric"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="FrozenReport",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                (
                    "content",
                    models.TextField(help_text="The whole report as JSON, which tables and figures are made of."),
                ),
                ("digest", models.CharField(help_text="SHA-256 of the content.", max_length=64)),
                (
                    "data_digest",
                    models.CharField(
                        blank=True,
                        help_text="SHA-256 of the judgments and scores that it was made from.",
                        max_length=64,
                    ),
                ),
                (
                    "facts",
                    models.JSONField(
                        blank=True,
                        default=dict,
                        help_text="How the judgments came about, as it was then: what methods are written from.",
                    ),
                ),
                ("made_at", models.DateTimeField()),
                (
                    "stale_since",
                    models.DateTimeField(
                        blank=True, help_text="When judgments that it rests on first went.", null=True
                    ),
                ),
                ("stale_reason", models.CharField(blank=True, max_length=200)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["study", "number"],
            },
        ),
        migrations.CreateModel(
            name="Image",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=200)),
                ("file", models.FileField(blank=True, upload_to="images/")),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="images", to="studies.dataset"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="CaptionSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="caption_sets", to="studies.image"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Candidate",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.CharField(max_length=250)),
                ("text", models.TextField()),
                (
                    "caption_set",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="candidates",
                        to="studies.captionset",
                    ),
                ),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="candidates", to="studies.dataset"
                    ),
                ),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="candidates", to="studies.image"
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        blank=True,
                        help_text="The rater who wrote it in a study of this installation; nobody judges a caption of their own.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="studies.rater",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Item",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                ("key", models.CharField(help_text="The record that an imported item was read from.", max_length=250)),
                ("category", models.CharField(blank=True, max_length=50)),
                (
                    "expected",
                    models.JSONField(
                        blank=True,
                        help_text="The values that count as right, in an item of training, qualification or a check.",
                        null=True,
                    ),
                ),
                ("feedback", models.TextField(blank=True, help_text="Why, shown after a training item was answered.")),
                (
                    "candidate",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="studies.candidate",
                    ),
                ),
                (
                    "caption_set",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="studies.captionset",
                    ),
                ),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="studies.image"
                    ),
                ),
                (
                    "other_candidate",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="studies.candidate",
                    ),
                ),
            ],
            options={
                "ordering": ["task", "position"],
            },
        ),
        migrations.CreateModel(
            name="Judgment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("value", models.FloatField(blank=True, null=True)),
                (
                    "answer",
                    models.JSONField(
                        blank=True, default=dict, help_text="What was submitted, in the words of the kind."
                    ),
                ),
                ("elapsed_ms", models.PositiveIntegerField(blank=True, null=True)),
                ("created_at", models.DateTimeField()),
                (
                    "surplus_since",
                    models.DateTimeField(
                        blank=True,
                        help_text="When it came back and others had filled its task; such a judgment does not count.",
                        null=True,
                    ),
                ),
                (
                    "assignment",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="judgments",
                        to="studies.assignment",
                    ),
                ),
                (
                    "item",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="judgments", to="studies.item"
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="judgments", to="studies.rater"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="JudgmentRevision",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("value", models.FloatField(blank=True, null=True)),
                ("answer", models.JSONField(blank=True, default=dict)),
                ("elapsed_ms", models.PositiveIntegerField(blank=True, null=True)),
                ("created_at", models.DateTimeField(help_text="When the answer was first given.")),
                ("replaced_at", models.DateTimeField()),
                (
                    "judgment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="revisions", to="studies.judgment"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="QualificationAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField()),
                ("n_right", models.PositiveSmallIntegerField()),
                ("n_items", models.PositiveSmallIntegerField()),
                ("passed", models.BooleanField()),
                ("ended_at", models.DateTimeField()),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="qualification_attempts",
                        to="studies.rater",
                    ),
                ),
            ],
            options={
                "ordering": ["rater", "number"],
            },
        ),
        migrations.CreateModel(
            name="Payment",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("amount", models.DecimalField(decimal_places=2, max_digits=8)),
                ("currency", models.CharField(max_length=3)),
                ("reason", models.CharField(max_length=200)),
                ("decided_at", models.DateTimeField()),
                ("paid_at", models.DateTimeField(blank=True, null=True)),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="payments", to="studies.rater"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Exclusion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "rule",
                    models.CharField(
                        blank=True,
                        help_text="The declared rule that it follows; empty for a decision by hand.",
                        max_length=50,
                    ),
                ),
                ("reason", models.TextField()),
                ("decided_at", models.DateTimeField()),
                ("lifted_at", models.DateTimeField(blank=True, null=True)),
                (
                    "n_slots",
                    models.PositiveIntegerField(
                        blank=True, help_text="Slots that went back to other raters; empty if none were to.", null=True
                    ),
                ),
                (
                    "ended_part",
                    models.BooleanField(
                        default=False,
                        help_text="The rater was at work until then; without it, the part had ended before.",
                    ),
                ),
                (
                    "decided_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="exclusions", to="studies.rater"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="assignment",
            name="rater",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="assignments", to="studies.rater"
            ),
        ),
        migrations.CreateModel(
            name="Reference",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                ("text", models.TextField()),
                (
                    "image",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="references", to="studies.image"
                    ),
                ),
            ],
            options={
                "ordering": ["image", "position"],
            },
        ),
        migrations.AddField(
            model_name="item",
            name="anchor",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="studies.reference",
            ),
        ),
        migrations.CreateModel(
            name="ReferenceSet",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.SlugField()),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="reference_sets", to="studies.dataset"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ReferenceChoice",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveSmallIntegerField()),
                (
                    "candidate",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="studies.candidate"
                    ),
                ),
                (
                    "reference",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="studies.reference"
                    ),
                ),
                (
                    "reference_set",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="choices", to="studies.referenceset"
                    ),
                ),
            ],
            options={
                "ordering": ["reference_set", "candidate", "position"],
            },
        ),
        migrations.CreateModel(
            name="ReportLink",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "digest",
                    models.CharField(help_text="SHA-256 of the token in the address.", max_length=64, unique=True),
                ),
                ("hint", models.CharField(help_text="The token's last characters, to tell links apart.", max_length=8)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(help_text="From then on it leads nowhere.")),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("n_views", models.PositiveIntegerField(default=0)),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "report",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="links", to="studies.frozenreport"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="Run",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("metric", models.CharField(max_length=100)),
                ("signature", models.CharField(max_length=500)),
                ("input_digest", models.CharField(max_length=64)),
                ("n_rows", models.PositiveIntegerField()),
                ("chunk_size", models.PositiveIntegerField()),
                ("higher_is_better", models.BooleanField()),
                (
                    "plugin",
                    models.CharField(help_text="The installed package that scored, with its version.", max_length=200),
                ),
                ("versions", models.JSONField(help_text="Library versions that a score may depend on.")),
                ("device", models.CharField(max_length=50)),
                (
                    "dtype",
                    models.CharField(help_text="The numbers that it computes in; kept are float64.", max_length=20),
                ),
                (
                    "peak_memory",
                    models.PositiveBigIntegerField(
                        default=0, help_text="Most bytes of memory of a process that scored; 0 if unknown."
                    ),
                ),
                (
                    "peak_gpu_memory",
                    models.PositiveBigIntegerField(default=0, help_text="The same on a GPU; 0 if none was used."),
                ),
                (
                    "n_infinite",
                    models.PositiveIntegerField(
                        default=0, help_text="Scores that were infinite; they are kept as NaN, and so are missing."
                    ),
                ),
                ("seconds", models.FloatField(default=0.0, help_text="Time spent scoring, summed over chunks.")),
                ("started_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [models.Index(fields=["input_digest"], name="run_by_input")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("signature", "input_digest"), name="run_once_per_signature_and_input"
                    ),
                    models.CheckConstraint(condition=models.Q(("chunk_size__gt", 0)), name="run_chunk_size_positive"),
                ],
            },
        ),
        migrations.CreateModel(
            name="ScoreChunk",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("index", models.PositiveIntegerField()),
                (
                    "values",
                    models.BinaryField(help_text="(rows,) little-endian float64; NaN where the metric is undefined."),
                ),
                (
                    "statistics",
                    models.BinaryField(
                        help_text="(rows, statistics) little-endian float64 of a metric that decomposes.", null=True
                    ),
                ),
                (
                    "run",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="chunks", to="studies.run"
                    ),
                ),
            ],
            options={
                "ordering": ["run", "index"],
            },
        ),
        migrations.CreateModel(
            name="ScoringInput",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "level",
                    models.CharField(
                        help_text="segment: rows are candidates; set: rows are caption sets.", max_length=10
                    ),
                ),
                ("references", models.CharField(help_text="The printed reference rule.", max_length=100)),
                (
                    "digest",
                    models.CharField(
                        help_text="SHA-256 of keys, captions and references, in row order.", max_length=64
                    ),
                ),
                ("n_rows", models.PositiveIntegerField()),
                ("row_ids", models.BinaryField(help_text="Primary keys of the rows as little-endian int64.")),
                ("created_at", models.DateTimeField()),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="scoring_inputs", to="studies.dataset"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="ScoringRequest",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "protocol",
                    models.CharField(
                        blank=True, help_text="Empty: those of all studies of the dataset.", max_length=500
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Waiting"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("cancelled", "Cancelled"),
                            ("finished", "Finished"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("n_done", models.PositiveIntegerField(default=0, help_text="Chunks that are scored.")),
                (
                    "n_total",
                    models.PositiveIntegerField(default=0, help_text="Chunks in all; 0 until they are counted."),
                ),
                ("message", models.TextField(blank=True, help_text="Why it failed as a whole.")),
                ("requested_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(blank=True, null=True)),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "requested_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.CreateModel(
            name="RequestedMetric",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("metric", models.CharField(max_length=100)),
                ("params", models.JSONField(blank=True, default=dict)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("queued", "Waiting"),
                            ("running", "Running"),
                            ("paused", "Paused"),
                            ("cancelled", "Cancelled"),
                            ("finished", "Finished"),
                            ("failed", "Failed"),
                        ],
                        default="queued",
                        max_length=10,
                    ),
                ),
                ("n_done", models.PositiveIntegerField(default=0)),
                ("n_total", models.PositiveIntegerField(default=0)),
                (
                    "n_missing",
                    models.PositiveIntegerField(
                        default=0, help_text="Rows without a score (NaN), over all its inputs."
                    ),
                ),
                (
                    "n_infinite",
                    models.PositiveIntegerField(default=0, help_text="How many of them for an infinite score."),
                ),
                ("signature", models.CharField(blank=True, max_length=500)),
                ("message", models.TextField(blank=True, help_text="Why it failed.")),
                (
                    "n_begun",
                    models.PositiveSmallIntegerField(
                        default=0, help_text="How often a worker began to work for it and ended before it was done."
                    ),
                ),
                (
                    "request",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="metrics", to="studies.scoringrequest"
                    ),
                ),
            ],
            options={
                "ordering": ["request", "metric"],
            },
        ),
        migrations.AddField(
            model_name="assignment",
            name="slot",
            field=models.ForeignKey(
                blank=True,
                help_text="Empty for tasks that every rater gets: training, qualification, checks.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="assignments",
                to="studies.slot",
            ),
        ),
        migrations.CreateModel(
            name="Study",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.SlugField(max_length=100, unique=True)),
                ("title", models.CharField(max_length=200)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("pairwise", "Pairwise choice"),
                            ("rating", "Rating"),
                            ("set_rating", "Rating of caption sets"),
                            ("turing", "Person or machine"),
                            ("best_worst", "Best and worst of several"),
                            ("caption", "Writing captions"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("draft", "Draft"), ("open", "Open"), ("closed", "Closed")],
                        default="draft",
                        max_length=10,
                    ),
                ),
                (
                    "protocol",
                    models.CharField(
                        help_text="The protocol that `correlate` uses unless told otherwise.", max_length=500
                    ),
                ),
                (
                    "join_token",
                    models.CharField(default=studies.models.study.make_join_token, max_length=40, unique=True),
                ),
                (
                    "seed",
                    models.CharField(
                        default=studies.models.study.make_seed,
                        editable=False,
                        help_text="Secret while the study is open: order, sides and checks are drawn from it.",
                        max_length=64,
                    ),
                ),
                ("created_at", models.DateTimeField()),
                (
                    "started_at",
                    models.DateTimeField(blank=True, help_text="From here on its items cannot change.", null=True),
                ),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="studies", to="studies.dataset"
                    ),
                ),
                (
                    "owner",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="studies",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "pilot_of",
                    models.ForeignKey(
                        blank=True,
                        help_text="The study that this one tries out; its judgments are never counted there.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="pilots",
                        to="studies.study",
                    ),
                ),
                (
                    "simulation_of",
                    models.ForeignKey(
                        blank=True,
                        help_text="The study that was simulated: all judgments of this one are simulated.",
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="trials",
                        to="studies.study",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "studies",
                "ordering": ["name"],
            },
        ),
        migrations.CreateModel(
            name="StoppingLook",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveSmallIntegerField(help_text="Which of the planned looks, from 1.")),
                ("rule", models.JSONField(help_text="The fields of studies.design.design.StoppingRule, as they were.")),
                ("n_judgments", models.PositiveIntegerField(help_text="Judgments that counted.")),
                ("fraction", models.FloatField(help_text="Of all judgments that were planned.")),
                (
                    "spent",
                    models.FloatField(help_text="Error that may have been spent up to this look, of both directions."),
                ),
                ("level", models.FloatField(help_text="Two-sided level of a single test at this look.")),
                ("findings", models.JSONField(help_text="The estimates, with standard errors and repeated intervals.")),
                ("says_stop", models.BooleanField()),
                ("reason", models.TextField(help_text="Why, in words.")),
                ("taken_at", models.DateTimeField()),
                (
                    "taken_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="looks", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["study", "number"],
            },
        ),
        migrations.AddField(
            model_name="slot",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="slots", to="studies.study"
            ),
        ),
        migrations.CreateModel(
            name="Simulation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "panel",
                    models.CharField(
                        choices=[
                            ("link", "Study link, nobody is known"),
                            ("prolific", "Prolific"),
                            ("generic", "Panel with an id in the address and a code at the end"),
                            ("in_house", "Personal links"),
                            ("amt", "External question of Mechanical Turk's model"),
                        ],
                        max_length=10,
                    ),
                ),
                ("n_raters", models.PositiveIntegerField()),
                ("seed", models.PositiveIntegerField(default=0)),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("running", "Running"),
                            ("done", "Done"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("problem", models.TextField(blank=True, help_text="Why it failed, in words that say what to do.")),
                ("report", models.JSONField(blank=True, help_text="What a researcher would get and pay.", null=True)),
                (
                    "answers",
                    models.JSONField(
                        blank=True,
                        default=list,
                        help_text="[item, rater, value, answer, milliseconds] of each simulated judgment.",
                    ),
                ),
                ("made_at", models.DateTimeField()),
                ("finished_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="simulations", to="studies.study"
                    ),
                ),
                (
                    "trial",
                    models.ForeignKey(
                        blank=True,
                        help_text="The closed study that was made of the simulated judgments, to try the analysis on.",
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="studies.study",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
            },
        ),
        migrations.AddField(
            model_name="scoringrequest",
            name="judging",
            field=models.ForeignKey(
                blank=True,
                help_text="Whose judgments metrics learn from that learn from some; empty: those of the study itself.",
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="studies.study",
            ),
        ),
        migrations.AddField(
            model_name="scoringrequest",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="scoring_requests", to="studies.study"
            ),
        ),
        migrations.CreateModel(
            name="RaterEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("refused", "Something was refused"),
                            ("reopened", "Came back"),
                            ("second_device", "Came back without the cookie of the first visit"),
                            ("arrival_refused", "Somebody else came with their id, and was refused"),
                            ("late", "An answer came after its time"),
                            ("corrected", "An answer was corrected"),
                            ("left", "Left"),
                            ("withdrew", "Withdrew"),
                        ],
                        max_length=15,
                    ),
                ),
                ("details", models.JSONField(default=dict)),
                ("at", models.DateTimeField()),
                (
                    "rater",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="events",
                        to="studies.rater",
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="events", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="rater",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="raters", to="studies.study"
            ),
        ),
        migrations.CreateModel(
            name="Preregistration",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("content", models.TextField(help_text="All that is declared, as canonical JSON.")),
                ("digest", models.CharField(help_text="SHA-256 of the content.", max_length=64)),
                ("frozen_at", models.DateTimeField()),
                (
                    "frozen_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="preregistrations", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["study", "number"],
            },
        ),
        migrations.CreateModel(
            name="Invitation",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("identity_hash", models.CharField(max_length=64)),
                ("token", studies.models.encrypted.EncryptedTextField(default=studies.models.study.make_join_token)),
                (
                    "token_hash",
                    studies.models.encrypted.LookupHashField(
                        editable=False, max_length=64, of=("token",), purpose="invitation", unique=True
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="invitations", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="frozenreport",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="studies.study"
            ),
        ),
        migrations.CreateModel(
            name="AuditEntry",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("study_name", models.CharField(max_length=100)),
                (
                    "actor_name",
                    models.CharField(blank=True, help_text="Empty for a command without a user.", max_length=150),
                ),
                (
                    "interface",
                    models.CharField(choices=[("page", "Page"), ("api", "API"), ("command", "Command")], max_length=10),
                ),
                ("action", models.CharField(help_text="A member of AuditAction.", max_length=30)),
                ("details", models.JSONField(blank=True, default=dict)),
                ("at", models.DateTimeField()),
                (
                    "actor",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="audit_entries",
                        to="studies.study",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "audit entries",
                "ordering": ["-pk"],
            },
        ),
        migrations.AddField(
            model_name="assignment",
            name="study",
            field=models.ForeignKey(
                help_text="The task's, to find the leases of one study.",
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="studies.study",
            ),
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(help_text="What it is for.", max_length=100)),
                (
                    "role",
                    models.CharField(
                        choices=[("editor", "Editor"), ("analyst", "Analyst"), ("viewer", "Viewer")], max_length=10
                    ),
                ),
                ("digest", models.CharField(help_text="SHA-256 of the token.", max_length=64, unique=True)),
                ("hint", models.CharField(help_text="Its last characters, to tell tokens apart.", max_length=8)),
                ("made_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(help_text="From then on it is refused.")),
                ("revoked_at", models.DateTimeField(blank=True, null=True)),
                ("last_used_at", models.DateTimeField(blank=True, null=True)),
                (
                    "made_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tokens", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="AddressLease",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "network_hash",
                    models.CharField(
                        help_text="Keyed hash of an IPv4 address or of an IPv6 /64 network.", max_length=64
                    ),
                ),
                ("number", models.PositiveSmallIntegerField(help_text="Below ACCORDANCE_NEWCOMERS_PER_ADDRESS.")),
                (
                    "assignment",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="studies.assignment"
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="studies.study"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="StudyMember",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                (
                    "role",
                    models.CharField(
                        choices=[("editor", "Editor"), ("analyst", "Analyst"), ("viewer", "Viewer")], max_length=10
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="memberships", to="studies.study"
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="study",
            name="members",
            field=models.ManyToManyField(
                related_name="shared_studies", through="studies.StudyMember", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.CreateModel(
            name="StudyMetric",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("metric", models.CharField(max_length=100)),
                (
                    "is_enabled",
                    models.BooleanField(default=True, help_text="Off: left out of scoring, results and explorer."),
                ),
                ("params", models.JSONField(blank=True, default=dict, help_text="What its next run is built with.")),
                (
                    "signature",
                    models.CharField(
                        blank=True, help_text="The scores that results use; empty: the newest ones.", max_length=500
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="metric_choices", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["study", "metric"],
            },
        ),
        migrations.CreateModel(
            name="StudyOffer",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("offered_at", models.DateTimeField()),
                ("expires_at", models.DateTimeField(help_text="From then on it cannot be accepted.")),
                (
                    "offered_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "offered_to",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
                    ),
                ),
                (
                    "study",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="offer", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="StudyVersion",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.PositiveIntegerField()),
                ("design", models.JSONField(help_text="The fields of studies.design.design.StudyDesign.")),
                ("created_at", models.DateTimeField()),
                (
                    "created_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="versions", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["study", "number"],
            },
        ),
        migrations.CreateModel(
            name="Consent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("given_at", models.DateTimeField()),
                (
                    "rater",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="consents", to="studies.rater"
                    ),
                ),
                (
                    "version",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="studies.studyversion"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="assignment",
            name="version",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="studies.studyversion"
            ),
        ),
        migrations.CreateModel(
            name="Submission",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("identity_hash", models.CharField(max_length=64)),
                (
                    "panel",
                    models.CharField(
                        choices=[
                            ("link", "Study link, nobody is known"),
                            ("prolific", "Prolific"),
                            ("generic", "Panel with an id in the address and a code at the end"),
                            ("in_house", "Personal links"),
                            ("amt", "External question of Mechanical Turk's model"),
                        ],
                        max_length=10,
                    ),
                ),
                ("session_id", studies.models.encrypted.EncryptedTextField(help_text="The panel's id of this visit.")),
                (
                    "session_hash",
                    studies.models.encrypted.LookupHashField(
                        editable=False, max_length=64, of=("panel", "session_id"), purpose="session"
                    ),
                ),
                (
                    "parameters",
                    studies.models.encrypted.EncryptedJSONField(
                        default=dict, help_text="What the panel sent with it, except who it is."
                    ),
                ),
                (
                    "outcome",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("finished", "Finished"),
                            ("no_tasks", "No task was left"),
                            ("cut_short", "Tasks ran out before the end"),
                            ("left", "Left before the end"),
                            ("not_qualified", "Did not qualify"),
                            ("declined", "Did not agree to take part"),
                            ("withdrawn", "Withdrew"),
                        ],
                        max_length=15,
                    ),
                ),
                ("code", models.CharField(blank=True, help_text="The completion code that was shown.", max_length=100)),
                ("started_at", models.DateTimeField()),
                ("ended_at", models.DateTimeField(blank=True, null=True)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="submissions", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.CreateModel(
            name="System",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("name", models.CharField(max_length=100)),
                ("is_human", models.BooleanField(default=False)),
                (
                    "dataset",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="systems", to="studies.dataset"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddField(
            model_name="captionset",
            name="system",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="caption_sets", to="studies.system"
            ),
        ),
        migrations.AddField(
            model_name="candidate",
            name="system",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="candidates", to="studies.system"
            ),
        ),
        migrations.CreateModel(
            name="Tally",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("kind", models.CharField(max_length=20)),
                (
                    "who_hash",
                    models.CharField(
                        help_text="Keyed hash of the address and what else tells it apart.", max_length=64
                    ),
                ),
                ("began_at", models.DateTimeField(help_text="The start of the span.")),
                ("count", models.PositiveIntegerField(default=0)),
            ],
            options={
                "verbose_name_plural": "tallies",
                "indexes": [models.Index(fields=["began_at"], name="tallies_by_span")],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("kind", "who_hash", "began_at"), name="tally_once_per_kind_who_and_span"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Task",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("position", models.PositiveIntegerField()),
                (
                    "role",
                    models.CharField(
                        choices=[
                            ("main", "Main task"),
                            ("training", "Training with feedback"),
                            ("qualification", "Qualification"),
                            ("gold", "Check with a known answer"),
                            ("attention", "Check that asks for one answer"),
                        ],
                        default="main",
                        max_length=15,
                    ),
                ),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="tasks", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["study", "position"],
            },
        ),
        migrations.AddField(
            model_name="slot",
            name="task",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="slots", to="studies.task"
            ),
        ),
        migrations.AddField(
            model_name="item",
            name="task",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="items", to="studies.task"
            ),
        ),
        migrations.AddField(
            model_name="assignment",
            name="task",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="assignments", to="studies.task"
            ),
        ),
        migrations.CreateModel(
            name="Withdrawal",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("receipt", models.CharField(max_length=40, unique=True)),
                ("n_judgments_erased", models.PositiveIntegerField()),
                ("n_judgments_kept", models.PositiveIntegerField()),
                ("withdrawn_at", models.DateTimeField()),
                (
                    "earned",
                    models.DecimalField(
                        decimal_places=2,
                        default=0,
                        help_text="What the panel pays by itself for sessions that were done.",
                        max_digits=8,
                    ),
                ),
                (
                    "owed",
                    models.DecimalField(
                        decimal_places=2,
                        default=0,
                        help_text="What is owed beside that to who shows the receipt.",
                        max_digits=8,
                    ),
                ),
                ("currency", models.CharField(blank=True, max_length=3)),
                ("paid_at", models.DateTimeField(blank=True, help_text="When what is owed was paid.", null=True)),
                (
                    "study",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="withdrawals", to="studies.study"
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
            },
        ),
        migrations.AddConstraint(
            model_name="image",
            constraint=models.UniqueConstraint(fields=("dataset", "key"), name="image_key_once_per_dataset"),
        ),
        migrations.AddConstraint(
            model_name="qualificationattempt",
            constraint=models.UniqueConstraint(fields=("rater", "number"), name="attempt_number_once_per_rater"),
        ),
        migrations.AddConstraint(
            model_name="payment",
            constraint=models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="payment_is_positive"),
        ),
        migrations.AddConstraint(
            model_name="judgment",
            constraint=models.UniqueConstraint(fields=("item", "rater"), name="rater_judges_item_once"),
        ),
        migrations.AddConstraint(
            model_name="exclusion",
            constraint=models.UniqueConstraint(
                condition=models.Q(("lifted_at__isnull", True)),
                fields=("rater",),
                name="rater_has_one_exclusion_in_force",
            ),
        ),
        migrations.AddConstraint(
            model_name="reference",
            constraint=models.UniqueConstraint(fields=("image", "position"), name="reference_position_once_per_image"),
        ),
        migrations.AddConstraint(
            model_name="referenceset",
            constraint=models.UniqueConstraint(fields=("dataset", "name"), name="reference_set_name_once_per_dataset"),
        ),
        migrations.AddConstraint(
            model_name="referencechoice",
            constraint=models.UniqueConstraint(
                fields=("reference_set", "candidate", "position"), name="reference_choice_position_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="scorechunk",
            constraint=models.UniqueConstraint(fields=("run", "index"), name="score_chunk_once_per_run"),
        ),
        migrations.AddConstraint(
            model_name="scoringinput",
            constraint=models.UniqueConstraint(
                fields=("dataset", "level", "references", "digest"), name="scoring_input_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="requestedmetric",
            constraint=models.UniqueConstraint(fields=("request", "metric"), name="metric_once_per_request"),
        ),
        migrations.AddConstraint(
            model_name="stoppinglook",
            constraint=models.UniqueConstraint(fields=("study", "number"), name="look_taken_once_per_study"),
        ),
        migrations.AddConstraint(
            model_name="stoppinglook",
            constraint=models.CheckConstraint(
                condition=models.Q(("fraction__gt", 0), ("fraction__lte", 1)), name="look_fraction_within_plan"
            ),
        ),
        migrations.AddConstraint(
            model_name="simulation",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["waiting", "running"])),
                fields=("study",),
                name="one_simulation_under_way_per_study",
            ),
        ),
        migrations.AddConstraint(
            model_name="simulation",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("report__isnull", False), ("state", "done")),
                    models.Q(models.Q(("state", "done"), _negated=True), ("report__isnull", True)),
                    _connector="OR",
                ),
                name="simulation_has_report_iff_done",
            ),
        ),
        migrations.AddConstraint(
            model_name="scoringrequest",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ("queued", "running", "paused"))),
                fields=("study",),
                name="one_run_under_way_per_study",
            ),
        ),
        migrations.AddIndex(
            model_name="raterevent",
            index=models.Index(fields=["study", "kind"], name="events_by_kind"),
        ),
        migrations.AddIndex(
            model_name="rater",
            index=models.Index(
                condition=models.Q(("identity_hash", ""), _negated=True),
                fields=["identity_hash"],
                name="raters_by_identity",
            ),
        ),
        migrations.AddConstraint(
            model_name="rater",
            constraint=models.UniqueConstraint(fields=("study", "pseudonym"), name="pseudonym_once_per_study"),
        ),
        migrations.AddConstraint(
            model_name="rater",
            constraint=models.UniqueConstraint(
                condition=models.Q(("identity_hash", ""), _negated=True),
                fields=("study", "identity_hash"),
                name="identity_once_per_study",
            ),
        ),
        migrations.AddConstraint(
            model_name="rater",
            constraint=models.UniqueConstraint(
                condition=models.Q(("join_nonce", ""), _negated=True),
                fields=("study", "join_nonce"),
                name="join_nonce_once_per_study",
            ),
        ),
        migrations.AddConstraint(
            model_name="rater",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at__isnull", True), ("outcome", "")),
                    models.Q(models.Q(("outcome", ""), _negated=True), ("finished_at__isnull", False)),
                    _connector="OR",
                ),
                name="rater_outcome_iff_finished",
            ),
        ),
        migrations.AddConstraint(
            model_name="preregistration",
            constraint=models.UniqueConstraint(
                fields=("study", "number"), name="preregistration_number_once_per_study"
            ),
        ),
        migrations.AddConstraint(
            model_name="invitation",
            constraint=models.UniqueConstraint(
                fields=("study", "identity_hash"), name="invitation_once_per_identity_and_study"
            ),
        ),
        migrations.AddConstraint(
            model_name="frozenreport",
            constraint=models.UniqueConstraint(fields=("study", "number"), name="report_number_once_per_study"),
        ),
        migrations.AddConstraint(
            model_name="frozenreport",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("stale_reason", ""), ("stale_since__isnull", True)),
                    models.Q(("stale_since__isnull", False), models.Q(("stale_reason", ""), _negated=True)),
                    _connector="OR",
                ),
                name="report_is_stale_for_a_reason",
            ),
        ),
        migrations.AddIndex(
            model_name="auditentry",
            index=models.Index(fields=["study", "-id"], name="audit_by_study"),
        ),
        migrations.AddConstraint(
            model_name="addresslease",
            constraint=models.UniqueConstraint(
                fields=("study", "network_hash", "number"), name="lease_number_once_per_network"
            ),
        ),
        migrations.AddConstraint(
            model_name="studymember",
            constraint=models.UniqueConstraint(fields=("study", "user"), name="member_once_per_study"),
        ),
        migrations.AddConstraint(
            model_name="study",
            constraint=models.CheckConstraint(
                condition=models.Q(("state", "draft"), ("started_at__isnull", False), _connector="OR"),
                name="study_has_started_unless_draft",
            ),
        ),
        migrations.AddConstraint(
            model_name="studymetric",
            constraint=models.UniqueConstraint(fields=("study", "metric"), name="choice_once_per_study_and_metric"),
        ),
        migrations.AddConstraint(
            model_name="studyversion",
            constraint=models.UniqueConstraint(fields=("study", "number"), name="version_number_once_per_study"),
        ),
        migrations.AddConstraint(
            model_name="consent",
            constraint=models.UniqueConstraint(fields=("rater", "version"), name="consent_once_per_version"),
        ),
        migrations.AddIndex(
            model_name="submission",
            index=models.Index(fields=["identity_hash"], name="submissions_by_identity"),
        ),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.UniqueConstraint(fields=("study", "session_hash"), name="panel_session_once_per_study"),
        ),
        migrations.AddConstraint(
            model_name="system",
            constraint=models.UniqueConstraint(fields=("dataset", "name"), name="system_name_once_per_dataset"),
        ),
        migrations.AddConstraint(
            model_name="captionset",
            constraint=models.UniqueConstraint(fields=("image", "system"), name="caption_set_once_per_image_system"),
        ),
        migrations.AddConstraint(
            model_name="candidate",
            constraint=models.UniqueConstraint(fields=("dataset", "key"), name="candidate_key_once_per_dataset"),
        ),
        migrations.AddIndex(
            model_name="task",
            index=models.Index(fields=["study", "role", "position"], name="tasks_by_role"),
        ),
        migrations.AddConstraint(
            model_name="task",
            constraint=models.UniqueConstraint(fields=("study", "position"), name="task_position_once_per_study"),
        ),
        migrations.AddIndex(
            model_name="slot",
            index=models.Index(
                condition=models.Q(("is_held", False)), fields=["study", "number", "turn"], name="free_slots_in_order"
            ),
        ),
        migrations.AddConstraint(
            model_name="slot",
            constraint=models.UniqueConstraint(fields=("task", "number"), name="slot_number_once_per_task"),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.UniqueConstraint(fields=("task", "position"), name="item_position_once_per_task"),
        ),
        migrations.AddConstraint(
            model_name="item",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("candidate__isnull", False), ("caption_set__isnull", True)),
                    models.Q(("candidate__isnull", True), ("other_candidate__isnull", True)),
                    _connector="OR",
                ),
                name="item_is_candidate_pair_set_or_image",
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(("state", "leased")), fields=["study", "expires_at"], name="leases_by_expiry"
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["leased", "submitted"])),
                fields=("slot",),
                name="slot_has_one_live_assignment",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["leased", "submitted"])),
                fields=("task", "rater"),
                name="rater_has_task_once",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("state__in", ("submitted", "replaced", "retaken")), ("submitted_at__isnull", False)),
                    models.Q(
                        models.Q(("state__in", ("submitted", "replaced", "retaken")), _negated=True),
                        ("submitted_at__isnull", True),
                    ),
                    _connector="OR",
                ),
                name="assignment_submitted_iff_time_known",
            ),
        ),
    ]
