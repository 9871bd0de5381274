"""Requested simulations and their results."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from studies.enums import PanelKind, WorkState
from studies.models.study import Study


class Simulation(models.Model):
    """A run of simulated raters through a copy of a study; their judgments are stored here and not in the study."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="simulations")
    panel = models.CharField(max_length=10, choices=PanelKind)
    n_raters = models.PositiveIntegerField()
    seed = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=10, choices=WorkState, default=WorkState.WAITING)
    problem = models.TextField(blank=True, help_text="Why it failed, and what to do.")
    report = models.JSONField(null=True, blank=True, help_text="The outcome and the cost.")
    answers = models.JSONField(
        default=list, blank=True, help_text="[item, rater, value, answer, milliseconds] of each simulated judgment."
    )
    trial = models.ForeignKey(
        Study,
        on_delete=models.SET_NULL,
        related_name="+",
        null=True,
        blank=True,
        help_text="The closed study created from the simulated judgments, to try the analysis.",
    )
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    made_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["study"],
                condition=Q(state__in=[WorkState.WAITING, WorkState.RUNNING]),
                name="one_simulation_under_way_per_study",
            ),
            models.CheckConstraint(
                name="simulation_has_report_iff_done",
                condition=Q(state=WorkState.DONE, report__isnull=False)
                | (~Q(state=WorkState.DONE) & Q(report__isnull=True)),
            ),
        ]

    def __str__(self) -> str:
        return f"simulation {self.pk} of study {self.study_id}"
