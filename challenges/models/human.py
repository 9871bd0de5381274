"""Human studies of the entries of a phase."""

from django.db import models
from django.db.models import Q

from challenges.enums import HumanCriterion
from challenges.models.phase import Phase
from challenges.models.submission import Submission
from studies.enums import StudyState
from studies.models import Study


class HumanStudy(models.Model):
    """A study in which people judge entries of a phase, on a sample of its images that is the same for all of them."""

    phase = models.ForeignKey(Phase, on_delete=models.CASCADE, related_name="human_studies")
    study = models.OneToOneField(Study, on_delete=models.CASCADE, related_name="human_study")
    criterion = models.CharField(max_length=4, choices=HumanCriterion)
    images = models.JSONField(help_text="The keys of the sampled images, in the order in which they were drawn.")
    seed = models.PositiveIntegerField(help_text="Of the sample.")
    created_at = models.DateTimeField()
    shown_at = models.DateTimeField(
        null=True, blank=True, help_text="When the hosts showed its results; those of a closed study are shown anyway."
    )

    class Meta:
        ordering = ["phase", "criterion", "-pk"]
        verbose_name_plural = "human studies"
        constraints = [
            models.CheckConstraint(
                name="human_study_has_a_known_criterion", condition=Q(criterion__in=HumanCriterion.values)
            )
        ]

    def __str__(self) -> str:
        return f"{self.criterion} ({self.study_id})"

    @property
    def is_shown(self) -> bool:
        """Whether everybody who sees the leaderboard sees the results."""
        return self.study.state == StudyState.CLOSED or self.shown_at is not None


class HumanEntry(models.Model):
    """A submission that is judged in a human study, and the name of its system there, which no rater sees."""

    human_study = models.ForeignKey(HumanStudy, on_delete=models.CASCADE, related_name="entries")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="human_entries")
    system = models.CharField(max_length=100)

    class Meta:
        ordering = ["human_study", "pk"]
        verbose_name_plural = "human entries"
        constraints = [
            models.UniqueConstraint(fields=["human_study", "submission"], name="submission_once_per_human_study"),
            models.UniqueConstraint(fields=["human_study", "system"], name="system_once_per_human_study"),
        ]

    def __str__(self) -> str:
        return self.system
