"""The tables of `studies`. Triggers are made after every migration (`studies/apps.py`)."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import studies.models.encrypted
import studies.models.study
from jobs.create_together import CreateTogether


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateTogether(
            [
                migrations.CreateModel(
                    name="Dataset",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.SlugField(max_length=100, unique=True)),
                        ("title", models.CharField(max_length=200)),
                        (
                            "source",
                            models.TextField(blank=True, help_text="Source: paper, files, licence."),
                        ),
                        (
                            "source_digest",
                            models.CharField(blank=True, help_text="SHA-256 of the source files.", max_length=64),
                        ),
                        ("created_at", models.DateTimeField()),
                        (
                            "n_bytes",
                            models.PositiveBigIntegerField(default=0, help_text="Size of the uploaded files."),
                        ),
                        (
                            "world_profile",
                            models.CharField(
                                blank=True,
                                help_text="The rules of truth (S or H), if the worlds of the images are known.",
                                max_length=10,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["name"],
                    },
                ),
                migrations.CreateModel(
                    name="Identity",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                    name="ConformanceReport",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("metric", models.CharField(max_length=100)),
                        ("version", models.CharField(max_length=100)),
                        (
                            "digest",
                            models.CharField(help_text="SHA-256 of the package's or file's sources.", max_length=64),
                        ),
                        ("results", models.JSONField(help_text="[check, clause, message] each; no message: passed.")),
                        (
                            "signature",
                            models.CharField(
                                blank=True, help_text="Signature of the metric with default parameters.", max_length=500
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
                    name="Image",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("key", models.CharField(max_length=200)),
                        ("file", models.FileField(blank=True, upload_to="images/")),
                        (
                            "world",
                            models.JSONField(
                                blank=True,
                                help_text="The scene, if it is known completely: a record of ShapeWorld's world_model.json.",
                                null=True,
                            ),
                        ),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="images", to="studies.dataset"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("dataset", "key"), name="image_key_once_per_dataset")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Reference",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField()),
                        ("text", models.TextField()),
                        (
                            "image",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="references",
                                to="studies.image",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["image", "position"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("image", "position"), name="reference_position_once_per_image"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReferenceSet",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.SlugField()),
                        (
                            "part",
                            models.SlugField(blank=True, help_text="Empty where the set has one part.", max_length=40),
                        ),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reference_sets",
                                to="studies.dataset",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("dataset", "name", "part"), name="reference_set_part_once_per_dataset"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Run",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("metric", models.CharField(max_length=100)),
                        ("signature", models.CharField(max_length=500)),
                        ("input_digest", models.CharField(max_length=64)),
                        ("n_rows", models.PositiveIntegerField()),
                        ("chunk_size", models.PositiveIntegerField()),
                        ("higher_is_better", models.BooleanField()),
                        (
                            "plugin",
                            models.CharField(
                                help_text="The installed package that scored, with its version.", max_length=200
                            ),
                        ),
                        ("versions", models.JSONField(help_text="Library versions that a score may depend on.")),
                        ("device", models.CharField(max_length=50)),
                        (
                            "dtype",
                            models.CharField(
                                help_text="Number type of the computation; float64 is stored.", max_length=20
                            ),
                        ),
                        (
                            "peak_memory",
                            models.PositiveBigIntegerField(
                                default=0, help_text="Peak memory of a scoring process, in bytes; 0 if unknown."
                            ),
                        ),
                        (
                            "peak_gpu_memory",
                            models.PositiveBigIntegerField(
                                default=0, help_text="Peak GPU memory, in bytes; 0 if none was used."
                            ),
                        ),
                        (
                            "n_infinite",
                            models.PositiveIntegerField(
                                default=0,
                                help_text="Infinite scores; they are stored as NaN and treated as missing.",
                            ),
                        ),
                        (
                            "seconds",
                            models.FloatField(default=0.0, help_text="Time spent scoring, summed over chunks."),
                        ),
                        ("started_at", models.DateTimeField()),
                        ("finished_at", models.DateTimeField(blank=True, null=True)),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("signature", "input_digest"), name="run_once_per_signature_and_input"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("chunk_size__gt", 0)), name="run_chunk_size_positive"
                            ),
                        ],
                        "indexes": [models.Index(fields=["input_digest"], name="run_by_input")],
                    },
                ),
                migrations.CreateModel(
                    name="ScoreChunk",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("index", models.PositiveIntegerField()),
                        (
                            "values",
                            models.BinaryField(
                                help_text="(rows,) little-endian float64; NaN where the metric is undefined."
                            ),
                        ),
                        (
                            "statistics",
                            models.BinaryField(
                                help_text="(rows, statistics) little-endian float64 of a metric that decomposes.",
                                null=True,
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
                        "constraints": [
                            models.UniqueConstraint(fields=("run", "index"), name="score_chunk_once_per_run")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ScoringInput",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "level",
                            models.CharField(
                                help_text="segment: rows are candidates; set: rows are caption sets.", max_length=10
                            ),
                        ),
                        (
                            "references",
                            models.CharField(help_text="The reference rule, as printed in signatures.", max_length=100),
                        ),
                        (
                            "digest",
                            models.CharField(
                                help_text="SHA-256 of keys, captions and references, in row order.", max_length=64
                            ),
                        ),
                        ("n_rows", models.PositiveIntegerField()),
                        ("row_ids", models.BinaryField(help_text="Primary keys of the rows as little-endian int64.")),
                        (
                            "own_captions",
                            models.JSONField(
                                default=dict,
                                help_text="The fields of studies.shared.own_captions.OwnCaptions; empty if not counted.",
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="scoring_inputs",
                                to="studies.dataset",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("dataset", "level", "references", "digest"), name="scoring_input_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="System",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=100)),
                        ("is_human", models.BooleanField(default=False)),
                        (
                            "captioner",
                            models.JSONField(
                                blank=True,
                                help_text="The captioner that wrote its candidates here, with version, decoding and digest.",
                                null=True,
                            ),
                        ),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="systems",
                                to="studies.dataset",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("dataset", "name"), name="system_name_once_per_dataset")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="CaptionSet",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "image",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="caption_sets",
                                to="studies.image",
                            ),
                        ),
                        (
                            "system",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="caption_sets",
                                to="studies.system",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("image", "system"), name="caption_set_once_per_image_system"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Tally",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=20)),
                        (
                            "who_hash",
                            models.CharField(
                                help_text="Keyed hash of the address and further identifying values.", max_length=64
                            ),
                        ),
                        ("began_at", models.DateTimeField(help_text="The start of the span.")),
                        ("count", models.PositiveIntegerField(default=0)),
                    ],
                    options={
                        "verbose_name_plural": "tallies",
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("kind", "who_hash", "began_at"), name="tally_once_per_kind_who_and_span"
                            )
                        ],
                        "indexes": [models.Index(fields=["began_at"], name="tallies_by_span")],
                    },
                ),
                migrations.CreateModel(
                    name="Rater",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                                help_text="A placeholder for a position in published data (second vote, ...), not a person.",
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
                                    ("no_tasks", "No tasks left"),
                                    ("cut_short", "Tasks ran out"),
                                    ("left", "Left early"),
                                    ("not_qualified", "Did not qualify"),
                                    ("declined", "Declined"),
                                    ("withdrawn", "Withdrew"),
                                ],
                                max_length=15,
                            ),
                        ),
                        (
                            "language",
                            models.CharField(
                                blank=True, help_text="Language of the pages last shown to this rater.", max_length=10
                            ),
                        ),
                        (
                            "join_nonce",
                            models.CharField(
                                blank=True,
                                help_text="Nonce of the consent form: if it is submitted twice, only one rater is created.",
                                max_length=40,
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="raters", to="studies.study"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "pseudonym"), name="pseudonym_once_per_study"),
                            models.UniqueConstraint(
                                condition=models.Q(("identity_hash", ""), _negated=True),
                                fields=("study", "identity_hash"),
                                name="identity_once_per_study",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("join_nonce", ""), _negated=True),
                                fields=("study", "join_nonce"),
                                name="join_nonce_once_per_study",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("finished_at__isnull", True), ("outcome", "")),
                                    models.Q(models.Q(("outcome", ""), _negated=True), ("finished_at__isnull", False)),
                                    _connector="OR",
                                ),
                                name="rater_outcome_iff_finished",
                            ),
                        ],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("identity_hash", ""), _negated=True),
                                fields=["identity_hash"],
                                name="raters_by_identity",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Candidate",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="candidates",
                                to="studies.dataset",
                            ),
                        ),
                        (
                            "image",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="candidates",
                                to="studies.image",
                            ),
                        ),
                        (
                            "author",
                            models.ForeignKey(
                                blank=True,
                                help_text="The rater who wrote it in a study of this installation; raters never judge their own captions.",
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="studies.rater",
                            ),
                        ),
                        (
                            "system",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="candidates",
                                to="studies.system",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("dataset", "key"), name="candidate_key_once_per_dataset")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="QualificationAttempt",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        "constraints": [
                            models.UniqueConstraint(fields=("rater", "number"), name="attempt_number_once_per_rater")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Payment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("amount__gt", 0)), name="payment_is_positive")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Exclusion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "rule",
                            models.CharField(
                                blank=True,
                                help_text="The declared criterion that was met; empty for a manual decision.",
                                max_length=50,
                            ),
                        ),
                        ("reason", models.TextField()),
                        ("decided_at", models.DateTimeField()),
                        ("lifted_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "n_slots",
                            models.PositiveIntegerField(
                                blank=True,
                                help_text="Slots returned to other raters; empty if none.",
                                null=True,
                            ),
                        ),
                        (
                            "ended_part",
                            models.BooleanField(
                                default=False,
                                help_text="End of the rater's participation; empty if it had already ended.",
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="exclusions",
                                to="studies.rater",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("lifted_at__isnull", True)),
                                fields=("rater",),
                                name="rater_has_one_exclusion_in_force",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReferenceChoice",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("alternative", models.PositiveSmallIntegerField(default=0)),
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="choices",
                                to="studies.referenceset",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["reference_set", "candidate", "alternative", "position"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("reference_set", "candidate", "alternative", "position"),
                                name="reference_choice_position_once",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="FrozenReport",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        (
                            "title",
                            models.CharField(
                                blank=True,
                                help_text="The title that readers see; if it is empty, that of the study.",
                                max_length=200,
                            ),
                        ),
                        (
                            "content",
                            models.TextField(
                                help_text="The full report as JSON, from which tables and figures are created."
                            ),
                        ),
                        ("digest", models.CharField(help_text="SHA-256 of the content.", max_length=64)),
                        (
                            "data_digest",
                            models.CharField(
                                blank=True,
                                help_text="SHA-256 of the judgments and scores behind it.",
                                max_length=64,
                            ),
                        ),
                        (
                            "facts",
                            models.JSONField(
                                blank=True,
                                default=dict,
                                help_text="How the judgments were collected, at that time: the basis of the methods text.",
                            ),
                        ),
                        (
                            "column",
                            models.JSONField(
                                blank=True,
                                default=dict,
                                help_text="Its column in the benchmark matrix of the front page, made from the content.",
                            ),
                        ),
                        ("made_at", models.DateTimeField()),
                        (
                            "is_public",
                            models.BooleanField(
                                default=False,
                                help_text="Whether visitors without an account see the report, if they see its study.",
                            ),
                        ),
                        (
                            "stale_since",
                            models.DateTimeField(
                                blank=True, help_text="When judgments behind it were first removed.", null=True
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
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="reports", to="studies.study"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["study", "number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "number"), name="report_number_once_per_study"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("stale_reason", ""), ("stale_since__isnull", True)),
                                    models.Q(
                                        ("stale_since__isnull", False), models.Q(("stale_reason", ""), _negated=True)
                                    ),
                                    _connector="OR",
                                ),
                                name="report_is_stale_for_a_reason",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ReportLink",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "digest",
                            models.CharField(
                                help_text="SHA-256 of the token in the address.", max_length=64, unique=True
                            ),
                        ),
                        (
                            "hint",
                            models.CharField(
                                help_text="The token's last characters, to tell links apart.", max_length=8
                            ),
                        ),
                        ("made_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField(help_text="The link stops working then.")),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                        ("n_views", models.PositiveIntegerField(default=0)),
                        (
                            "made_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "report",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="links",
                                to="studies.frozenreport",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveSmallIntegerField()),
                        (
                            "key",
                            models.CharField(help_text="The source record of an imported item.", max_length=250),
                        ),
                        ("category", models.CharField(blank=True, max_length=50)),
                        (
                            "expected",
                            models.JSONField(
                                blank=True,
                                help_text="The correct values, for an item of training, qualification or a check.",
                                null=True,
                            ),
                        ),
                        (
                            "feedback",
                            models.TextField(
                                blank=True, help_text="Explanation shown after a training item is answered."
                            ),
                        ),
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
                        (
                            "anchor",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="studies.reference",
                            ),
                        ),
                        (
                            "task",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="items", to="studies.task"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["task", "position"],
                        "constraints": [
                            models.UniqueConstraint(fields=("task", "position"), name="item_position_once_per_task"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("candidate__isnull", False), ("caption_set__isnull", True)),
                                    models.Q(("candidate__isnull", True), ("other_candidate__isnull", True)),
                                    _connector="OR",
                                ),
                                name="item_is_candidate_pair_set_or_image",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Judgment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("value", models.FloatField(blank=True, null=True)),
                        (
                            "answer",
                            models.JSONField(
                                blank=True,
                                default=dict,
                                help_text="The submitted answer, in the format of the task kind.",
                            ),
                        ),
                        ("elapsed_ms", models.PositiveIntegerField(blank=True, null=True)),
                        ("created_at", models.DateTimeField()),
                        (
                            "surplus_since",
                            models.DateTimeField(
                                blank=True,
                                help_text="When it arrived although other raters had filled the task; such a judgment is not counted.",
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
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="judgments",
                                to="studies.rater",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("item", "rater"), name="rater_judges_item_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="JudgmentRevision",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("value", models.FloatField(blank=True, null=True)),
                        ("answer", models.JSONField(blank=True, default=dict)),
                        ("elapsed_ms", models.PositiveIntegerField(blank=True, null=True)),
                        ("created_at", models.DateTimeField(help_text="When the answer was first given.")),
                        ("replaced_at", models.DateTimeField()),
                        (
                            "judgment",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="revisions",
                                to="studies.judgment",
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "protocol",
                            models.CharField(
                                blank=True, help_text="If empty, those of all studies of the dataset.", max_length=500
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
                        ("n_done", models.PositiveIntegerField(default=0, help_text="Chunks already scored.")),
                        (
                            "n_total",
                            models.PositiveIntegerField(
                                default=0, help_text="Total number of chunks; 0 until they are counted."
                            ),
                        ),
                        ("message", models.TextField(blank=True, help_text="Why the run failed as a whole.")),
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
                        (
                            "judging",
                            models.ForeignKey(
                                blank=True,
                                help_text="The study whose judgments metrics are fitted on; if empty, the study itself.",
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="studies.study",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="scoring_requests",
                                to="studies.study",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state__in", ("queued", "running", "paused"))),
                                fields=("study",),
                                name="one_run_under_way_per_study",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RequestedMetric",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                                default=0, help_text="Missing scores (NaN), over all its inputs."
                            ),
                        ),
                        (
                            "n_infinite",
                            models.PositiveIntegerField(default=0, help_text="How many of them had an infinite score."),
                        ),
                        ("signature", models.CharField(blank=True, max_length=500)),
                        ("message", models.TextField(blank=True, help_text="Why it failed.")),
                        (
                            "n_begun",
                            models.PositiveSmallIntegerField(
                                default=0,
                                help_text="How often in a row a worker began to work for it and ended before it was done.",
                            ),
                        ),
                        (
                            "seconds",
                            models.FloatField(default=0.0, help_text="Time spent fitting and scoring in this run."),
                        ),
                        (
                            "estimated_seconds",
                            models.FloatField(
                                blank=True,
                                help_text="The time estimated when the run was requested; empty if unknown.",
                                null=True,
                            ),
                        ),
                        (
                            "is_busy",
                            models.BooleanField(
                                default=False, help_text="Whether the newest attempt is working for it."
                            ),
                        ),
                        (
                            "request",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="metrics",
                                to="studies.scoringrequest",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["request", "metric"],
                        "constraints": [
                            models.UniqueConstraint(fields=("request", "metric"), name="metric_once_per_request")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Study",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.SlugField(max_length=100, unique=True)),
                        ("title", models.CharField(max_length=200)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("pairwise", "Pairwise choice"),
                                    ("rating", "Rating"),
                                    ("set_rating", "Caption set rating"),
                                    ("turing", "Person or machine"),
                                    ("best_worst", "Best-worst scaling"),
                                    ("caption", "Caption writing"),
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
                                help_text="Secret while the study is open; it determines order, sides and checks.",
                                max_length=64,
                            ),
                        ),
                        (
                            "is_simulated",
                            models.BooleanField(
                                default=False, help_text="Whether all judgments are of simulated raters."
                            ),
                        ),
                        (
                            "is_computed",
                            models.BooleanField(
                                default=False,
                                help_text="Whether all judgments are computed, as the truth of captions of known worlds.",
                            ),
                        ),
                        (
                            "is_public",
                            models.BooleanField(
                                default=False,
                                help_text="Whether visitors without an account see the study, once it has started.",
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                        (
                            "started_at",
                            models.DateTimeField(
                                blank=True, help_text="Items cannot be changed from then on.", null=True
                            ),
                        ),
                        (
                            "archived_at",
                            models.DateTimeField(
                                blank=True, help_text="Left out of lists of studies from then on.", null=True
                            ),
                        ),
                        (
                            "dataset",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="studies",
                                to="studies.dataset",
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
                                help_text="The study that this one is a pilot of; its judgments are never included there.",
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
                                help_text="The study that was simulated; all judgments of this study are simulated.",
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="trials",
                                to="studies.study",
                            ),
                        ),
                        (
                            "members",
                            models.ManyToManyField(
                                related_name="shared_studies",
                                through="studies.StudyMember",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "studies",
                        "ordering": ["name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("state", "draft"), ("started_at__isnull", False), _connector="OR"),
                                name="study_has_started_unless_draft",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("simulation_of__isnull", True), ("is_simulated", True), _connector="OR"
                                ),
                                name="simulation_is_marked",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StoppingLook",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField(help_text="Number of the planned look, from 1.")),
                        (
                            "rule",
                            models.JSONField(
                                help_text="The fields of studies.design.study_design.StoppingRule, as they were."
                            ),
                        ),
                        ("n_judgments", models.PositiveIntegerField(help_text="Number of judgments used.")),
                        ("fraction", models.FloatField(help_text="Fraction of the planned judgments.")),
                        (
                            "spent",
                            models.FloatField(help_text="Cumulative two-sided error spent up to this look."),
                        ),
                        (
                            "level",
                            models.FloatField(help_text="Two-sided significance level of a single test at this look."),
                        ),
                        (
                            "findings",
                            models.JSONField(help_text="The estimates, with standard errors and repeated intervals."),
                        ),
                        ("says_stop", models.BooleanField()),
                        ("reason", models.TextField(help_text="The reason, in words.")),
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
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "number"), name="look_taken_once_per_study"),
                            models.CheckConstraint(
                                condition=models.Q(("fraction__gt", 0), ("fraction__lte", 1)),
                                name="look_fraction_within_plan",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Simulation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "panel",
                            models.CharField(
                                choices=[
                                    ("link", "Study link (anonymous)"),
                                    ("prolific", "Prolific"),
                                    ("generic", "Generic panel (id in the URL, completion code)"),
                                    ("in_house", "Personal links"),
                                    ("amt", "Mechanical Turk model (ExternalQuestion)"),
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
                        (
                            "problem",
                            models.TextField(blank=True, help_text="Why it failed, and what to do."),
                        ),
                        (
                            "report",
                            models.JSONField(blank=True, help_text="The outcome and the cost.", null=True),
                        ),
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="simulations",
                                to="studies.study",
                            ),
                        ),
                        (
                            "trial",
                            models.ForeignKey(
                                blank=True,
                                help_text="The closed study created from the simulated judgments, to try the analysis.",
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="studies.study",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state__in", ["waiting", "running"])),
                                fields=("study",),
                                name="one_simulation_under_way_per_study",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("report__isnull", False), ("state", "done")),
                                    models.Q(models.Q(("state", "done"), _negated=True), ("report__isnull", True)),
                                    _connector="OR",
                                ),
                                name="simulation_has_report_iff_done",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RaterEvent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("refused", "Request refused"),
                                    ("reopened", "Resumed"),
                                    ("second_device", "Resumed without the cookie of the first visit"),
                                    ("arrival_refused", "Second arrival with the same id refused"),
                                    ("late", "Late answer"),
                                    ("corrected", "Answer corrected"),
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
                        "indexes": [models.Index(fields=["study", "kind"], name="events_by_kind")],
                    },
                ),
                migrations.CreateModel(
                    name="Preregistration",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        ("content", models.TextField(help_text="The full declaration, as canonical JSON.")),
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
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="preregistrations",
                                to="studies.study",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["study", "number"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "number"), name="preregistration_number_once_per_study"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Invitation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("identity_hash", models.CharField(max_length=64)),
                        (
                            "token",
                            studies.models.encrypted.EncryptedTextField(default=studies.models.study.make_join_token),
                        ),
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
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to="studies.study",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "identity_hash"), name="invitation_once_per_identity_and_study"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AuditEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("study_name", models.CharField(max_length=100)),
                        (
                            "actor_name",
                            models.CharField(
                                blank=True, help_text="Empty for a command run without a user.", max_length=150
                            ),
                        ),
                        (
                            "interface",
                            models.CharField(
                                choices=[("page", "Page"), ("api", "API"), ("command", "Command"), ("site", "Site")],
                                max_length=10,
                            ),
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
                        "indexes": [models.Index(fields=["study", "-id"], name="audit_by_study")],
                    },
                ),
                migrations.CreateModel(
                    name="ApiToken",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(help_text="What it is for.", max_length=100)),
                        (
                            "role",
                            models.CharField(
                                choices=[("editor", "Editor"), ("analyst", "Analyst"), ("viewer", "Viewer")],
                                max_length=10,
                            ),
                        ),
                        ("digest", models.CharField(help_text="SHA-256 of the token.", max_length=64, unique=True)),
                        (
                            "hint",
                            models.CharField(help_text="Its last characters, to tell tokens apart.", max_length=8),
                        ),
                        ("made_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField(help_text="Refused from then on.")),
                        ("revoked_at", models.DateTimeField(blank=True, null=True)),
                        ("last_used_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "made_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
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
                    name="StudyMember",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[("editor", "Editor"), ("analyst", "Analyst"), ("viewer", "Viewer")],
                                max_length=10,
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to="studies.study",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "user"), name="member_once_per_study")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StudyMetric",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("metric", models.CharField(max_length=100)),
                        (
                            "is_enabled",
                            models.BooleanField(
                                default=True, help_text="If false, not used in scoring, results and the explorer."
                            ),
                        ),
                        (
                            "params",
                            models.JSONField(blank=True, default=dict, help_text="Parameters of its next run."),
                        ),
                        (
                            "signature",
                            models.CharField(
                                blank=True,
                                help_text="The scores that results use; empty: the newest ones.",
                                max_length=500,
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="metric_choices",
                                to="studies.study",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["study", "metric"],
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "metric"), name="choice_once_per_study_and_metric")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StudyOffer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("offered_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField(help_text="Cannot be accepted from then on.")),
                        (
                            "offered_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "offered_to",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
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
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                        (
                            "design",
                            models.JSONField(help_text="The fields of studies.design.study_design.StudyDesign."),
                        ),
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
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "number"), name="version_number_once_per_study")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DesignDraft",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("step", models.CharField(max_length=20)),
                        (
                            "revision",
                            models.CharField(
                                help_text="Changes with every save; two tabs know different ones.", max_length=32
                            ),
                        ),
                        (
                            "based_on",
                            models.PositiveIntegerField(help_text="The version of the design that was being changed."),
                        ),
                        (
                            "typed",
                            models.JSONField(
                                default=dict,
                                help_text="Name of a field in the form -> its text or tick.",
                            ),
                        ),
                        ("saved_at", models.DateTimeField()),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="design_drafts",
                                to="studies.study",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "user", "step"), name="one_draft_per_person_and_step"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Consent",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("rater", "version"), name="consent_once_per_version")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Submission",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("identity_hash", models.CharField(max_length=64)),
                        (
                            "panel",
                            models.CharField(
                                choices=[
                                    ("link", "Study link (anonymous)"),
                                    ("prolific", "Prolific"),
                                    ("generic", "Generic panel (id in the URL, completion code)"),
                                    ("in_house", "Personal links"),
                                    ("amt", "Mechanical Turk model (ExternalQuestion)"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "session_id",
                            studies.models.encrypted.EncryptedTextField(help_text="The panel's id of this visit."),
                        ),
                        (
                            "session_hash",
                            studies.models.encrypted.LookupHashField(
                                editable=False, max_length=64, of=("panel", "session_id"), purpose="session"
                            ),
                        ),
                        (
                            "parameters",
                            studies.models.encrypted.EncryptedJSONField(
                                default=dict, help_text="What the panel sent with it, except the participant id."
                            ),
                        ),
                        (
                            "outcome",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("finished", "Finished"),
                                    ("no_tasks", "No tasks left"),
                                    ("cut_short", "Tasks ran out"),
                                    ("left", "Left early"),
                                    ("not_qualified", "Did not qualify"),
                                    ("declined", "Declined"),
                                    ("withdrawn", "Withdrew"),
                                ],
                                max_length=15,
                            ),
                        ),
                        (
                            "code",
                            models.CharField(
                                blank=True, help_text="The completion code that was shown.", max_length=100
                            ),
                        ),
                        ("started_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="submissions",
                                to="studies.study",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "session_hash"), name="panel_session_once_per_study"
                            )
                        ],
                        "indexes": [models.Index(fields=["identity_hash"], name="submissions_by_identity")],
                    },
                ),
                migrations.CreateModel(
                    name="Task",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("position", models.PositiveIntegerField()),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("main", "Main task"),
                                    ("training", "Training with feedback"),
                                    ("qualification", "Qualification"),
                                    ("gold", "Gold check"),
                                    ("attention", "Attention check"),
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
                        "constraints": [
                            models.UniqueConstraint(fields=("study", "position"), name="task_position_once_per_study")
                        ],
                        "indexes": [models.Index(fields=["study", "role", "position"], name="tasks_by_role")],
                    },
                ),
                migrations.CreateModel(
                    name="Slot",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        (
                            "turn",
                            models.PositiveIntegerField(help_text="Random order among slots with the same number."),
                        ),
                        (
                            "is_held",
                            models.BooleanField(
                                default=False,
                                help_text="Whether a live assignment holds it; saved with the assignment, to find free ones fast.",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="slots", to="studies.study"
                            ),
                        ),
                        (
                            "task",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="slots", to="studies.task"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["task", "number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("task", "number"), name="slot_number_once_per_task")
                        ],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("is_held", False)),
                                fields=["study", "number", "turn"],
                                name="free_slots_in_order",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Assignment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
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
                                    ("retaken", "Retaken"),
                                    ("replaced", "Replaced"),
                                ],
                                default="leased",
                                max_length=10,
                            ),
                        ),
                        (
                            "shown",
                            models.JSONField(
                                help_text="The order in which items and their captions are shown to this rater."
                            ),
                        ),
                        ("leased_at", models.DateTimeField()),
                        ("expires_at", models.DateTimeField()),
                        ("submitted_at", models.DateTimeField(blank=True, null=True)),
                        (
                            "rater",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="assignments",
                                to="studies.rater",
                            ),
                        ),
                        (
                            "slot",
                            models.ForeignKey(
                                blank=True,
                                help_text="Empty for tasks given to every rater: training, qualification, checks.",
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="assignments",
                                to="studies.slot",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                help_text="Copied from the task, to find the leases of one study.",
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="studies.study",
                            ),
                        ),
                        (
                            "version",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="studies.studyversion"
                            ),
                        ),
                        (
                            "task",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="assignments",
                                to="studies.task",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("state__in", ["leased", "submitted"])),
                                fields=("slot",),
                                name="slot_has_one_live_assignment",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("state__in", ["leased", "submitted"])),
                                fields=("task", "rater"),
                                name="rater_has_task_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("state__in", ("submitted", "replaced", "retaken")),
                                        ("submitted_at__isnull", False),
                                    ),
                                    models.Q(
                                        models.Q(("state__in", ("submitted", "replaced", "retaken")), _negated=True),
                                        ("submitted_at__isnull", True),
                                    ),
                                    _connector="OR",
                                ),
                                name="assignment_submitted_iff_time_known",
                            ),
                        ],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("state", "leased")),
                                fields=["study", "expires_at"],
                                name="leases_by_expiry",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="AddressLease",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "network_hash",
                            models.CharField(
                                help_text="Keyed hash of an IPv4 address or of an IPv6 /64 network.", max_length=64
                            ),
                        ),
                        (
                            "number",
                            models.PositiveSmallIntegerField(help_text="Below ACCORDANCE_NEWCOMERS_PER_ADDRESS."),
                        ),
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
                    options={
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("study", "network_hash", "number"), name="lease_number_once_per_network"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Withdrawal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("receipt", models.CharField(max_length=40, unique=True)),
                        ("n_judgments_erased", models.PositiveIntegerField()),
                        ("n_judgments_kept", models.PositiveIntegerField()),
                        ("withdrawn_at", models.DateTimeField()),
                        (
                            "earned",
                            models.DecimalField(
                                decimal_places=2,
                                default=0,
                                help_text="Amount that the panel pays for finished sessions.",
                                max_digits=8,
                            ),
                        ),
                        (
                            "owed",
                            models.DecimalField(
                                decimal_places=2,
                                default=0,
                                help_text="Additional amount owed to the holder of the receipt.",
                                max_digits=8,
                            ),
                        ),
                        ("currency", models.CharField(blank=True, max_length=3)),
                        (
                            "paid_at",
                            models.DateTimeField(blank=True, help_text="When the amount owed was paid.", null=True),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="withdrawals",
                                to="studies.study",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                    },
                ),
                migrations.CreateModel(
                    name="AccountWebhook",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("url", models.CharField(max_length=500)),
                        (
                            "site",
                            models.CharField(
                                help_text="The address of this site as its owner sees it, for links.", max_length=300
                            ),
                        ),
                        (
                            "encrypted_secret",
                            models.TextField(
                                editable=False, help_text="What signs the messages, encrypted by SECRET_KEY."
                            ),
                        ),
                        ("made_at", models.DateTimeField()),
                        (
                            "last_tried_at",
                            models.DateTimeField(blank=True, help_text="When a message was sent last.", null=True),
                        ),
                        ("last_outcome", models.CharField(blank=True, max_length=200)),
                        (
                            "is_delivered",
                            models.BooleanField(default=False, help_text="Whether the last message arrived."),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="webhook",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "abstract": False,
                    },
                ),
                migrations.CreateModel(
                    name="NotificationSettings",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("wants_mail", models.BooleanField(default=False)),
                        (
                            "read_up_to",
                            models.BigIntegerField(
                                default=0, help_text="The last entry of the history that it has marked as read."
                            ),
                        ),
                        (
                            "site",
                            models.CharField(
                                help_text="The address of this site as its owner sees it, for links.", max_length=300
                            ),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notifications",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "notification settings",
                        "ordering": ["pk"],
                    },
                ),
                migrations.CreateModel(
                    name="Comment",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("text", models.TextField()),
                        ("made_at", models.DateTimeField()),
                        (
                            "author",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "item",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="comments",
                                to="studies.item",
                            ),
                        ),
                        (
                            "report",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="comments",
                                to="studies.frozenreport",
                            ),
                        ),
                        (
                            "study",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="comments", to="studies.study"
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("item__isnull", False), ("report__isnull", True)),
                                    models.Q(("item__isnull", True), ("report__isnull", False)),
                                    _connector="OR",
                                ),
                                name="comment_is_on_one_item_or_report",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="comment_has_a_text"
                            ),
                        ],
                    },
                ),
            ]
        ),
    ]
