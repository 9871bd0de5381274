"""The data that are judged and scored: images, references, systems, candidates, caption sets."""

from django.db import models


class Dataset(models.Model):
    """Images with references, and the candidates written for them by systems."""

    name = models.SlugField(max_length=100, unique=True)
    title = models.CharField(max_length=200)
    source = models.TextField(blank=True, help_text="Source: paper, files, licence.")
    source_digest = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the source files.")
    created_at = models.DateTimeField()
    n_bytes = models.PositiveBigIntegerField(default=0, help_text="Size of the uploaded files.")
    world_profile = models.CharField(
        max_length=10, blank=True, help_text="The rules of truth (S or H), if the worlds of the images are known."
    )

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class Image(models.Model):
    """One image; the file may be missing, since some published data sets have none."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="images")
    key = models.CharField(max_length=200)
    file = models.FileField(upload_to="images/", blank=True)
    world = models.JSONField(
        null=True,
        blank=True,
        help_text="The scene, if it is known completely: a record of ShapeWorld's world_model.json.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["dataset", "key"], name="image_key_once_per_dataset")]

    def __str__(self) -> str:
        return self.key


class Reference(models.Model):
    """A human caption used as ground truth."""

    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="references")
    position = models.PositiveSmallIntegerField()
    text = models.TextField()

    class Meta:
        ordering = ["image", "position"]
        constraints = [models.UniqueConstraint(fields=["image", "position"], name="reference_position_once_per_image")]

    def __str__(self) -> str:
        return self.text


class System(models.Model):
    """The author of candidates: a model, or people."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="systems")
    name = models.CharField(max_length=100)
    is_human = models.BooleanField(default=False)
    captioner = models.JSONField(
        null=True,
        blank=True,
        help_text="The captioner that wrote its candidates here, with version, decoding and digest.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["dataset", "name"], name="system_name_once_per_dataset")]

    def __str__(self) -> str:
        return self.name


class CaptionSet(models.Model):
    """The candidates of one system for one image, judged as a whole."""

    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="caption_sets")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="caption_sets")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["image", "system"], name="caption_set_once_per_image_system")]

    def __str__(self) -> str:
        return f"{self.system_id} on {self.image_id}"


class Candidate(models.Model):
    """One caption to be judged or scored."""

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="candidates")
    image = models.ForeignKey(Image, on_delete=models.CASCADE, related_name="candidates")
    system = models.ForeignKey(System, on_delete=models.CASCADE, related_name="candidates")
    caption_set = models.ForeignKey(
        CaptionSet, on_delete=models.CASCADE, related_name="candidates", null=True, blank=True
    )
    key = models.CharField(max_length=250)
    text = models.TextField()
    author = models.ForeignKey(
        "studies.Rater",
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
        help_text="The rater who wrote it in a study of this installation; raters never judge their own captions.",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["dataset", "key"], name="candidate_key_once_per_dataset")]

    def __str__(self) -> str:
        return self.text


class ReferenceSet(models.Model):
    """A named choice of references for each candidate, as published with some labels.

    A set in several parts covers different candidates by each. A part is scored by itself, so that a metric that counts
    documents (CIDEr) counts those of the part, as published evaluations did that scored one list after the other.
    """

    dataset = models.ForeignKey(Dataset, on_delete=models.CASCADE, related_name="reference_sets")
    name = models.SlugField(max_length=50)
    part = models.SlugField(max_length=40, blank=True, help_text="Empty where the set has one part.")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["dataset", "name", "part"], name="reference_set_part_once_per_dataset")
        ]

    def __str__(self) -> str:
        return f"{self.name}-{self.part}" if self.part else self.name


class ReferenceChoice(models.Model):
    """One reference of a candidate in a reference set.

    A candidate with several alternatives is scored with each of them, and its score is their mean.
    """

    reference_set = models.ForeignKey(ReferenceSet, on_delete=models.CASCADE, related_name="choices")
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="+")
    reference = models.ForeignKey(Reference, on_delete=models.CASCADE, related_name="+")
    alternative = models.PositiveSmallIntegerField(default=0)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ["reference_set", "candidate", "alternative", "position"]
        constraints = [
            models.UniqueConstraint(
                fields=["reference_set", "candidate", "alternative", "position"], name="reference_choice_position_once"
            )
        ]
