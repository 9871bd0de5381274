from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

OLD_TRIGGERS = (
    ("studies_assignment", "studies_assignment_holds_place_1_update"),
    ("studies_assignment", "studies_assignment_holds_place_2_update"),
    ("studies_assignment", "studies_assignment_holds_place_insert"),
    ("studies_assignment", "studies_assignment_holds_place_delete"),
    ("studies_registration", "studies_registration_refuses_update"),
    ("studies_registration", "studies_registration_refuses_delete"),
)


def drop_old_triggers(_: Any, editor: Any) -> None:
    """Delete the triggers that name what is renamed here; those under the new names come after every migration."""
    is_postgresql = editor.connection.vendor == "postgresql"
    for table, name in OLD_TRIGGERS:
        editor.execute(f"DROP TRIGGER IF EXISTS {name}{f' ON {table}' if is_postgresql else ''}")
        if is_postgresql:
            editor.execute(f"DROP FUNCTION IF EXISTS {name}()")


class Migration(migrations.Migration):
    dependencies = [("studies", "0036_surplus_judgments")]

    operations = [
        migrations.RunPython(drop_old_triggers, migrations.RunPython.noop),
        migrations.RemoveConstraint(model_name="place", name="place_number_once_per_task"),
        migrations.RemoveConstraint(model_name="assignment", name="place_has_one_live_assignment"),
        migrations.RemoveConstraint(model_name="registration", name="registration_number_once_per_study"),
        migrations.RemoveConstraint(model_name="rehearsal", name="one_rehearsal_under_way_per_study"),
        migrations.RemoveConstraint(model_name="rehearsal", name="rehearsal_has_report_iff_done"),
        migrations.RenameModel("Place", "Slot"),
        migrations.RenameModel("Registration", "Preregistration"),
        migrations.RenameModel("Rehearsal", "Simulation"),
        migrations.RenameField("assignment", "place", "slot"),
        migrations.RenameField("auditentry", "door", "interface"),
        migrations.RenameField("exclusion", "n_places", "n_slots"),
        migrations.RenameField("study", "rehearsal_of", "simulation_of"),
        migrations.RenameIndex("slot", old_name="free_places_in_order", new_name="free_slots_in_order"),
        migrations.AddConstraint(
            "slot", models.UniqueConstraint(fields=("task", "number"), name="slot_number_once_per_task")
        ),
        migrations.AddConstraint(
            "assignment",
            models.UniqueConstraint(
                condition=Q(("state__in", ["leased", "submitted"])),
                fields=("slot",),
                name="slot_has_one_live_assignment",
            ),
        ),
        migrations.AddConstraint(
            "preregistration",
            models.UniqueConstraint(fields=("study", "number"), name="preregistration_number_once_per_study"),
        ),
        migrations.AddConstraint(
            "simulation",
            models.UniqueConstraint(
                condition=Q(("state__in", ["waiting", "running"])),
                fields=("study",),
                name="one_simulation_under_way_per_study",
            ),
        ),
        migrations.AddConstraint(
            "simulation",
            models.CheckConstraint(
                condition=Q(
                    Q(("report__isnull", False), ("state", "done")),
                    Q(Q(("state", "done"), _negated=True), ("report__isnull", True)),
                    _connector="OR",
                ),
                name="simulation_has_report_iff_done",
            ),
        ),
        # Texts and names by which rows are reached: no column changes.
        migrations.AlterField(
            "slot",
            "study",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="slots", to="studies.study"),
        ),
        migrations.AlterField(
            "slot",
            "task",
            models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="slots", to="studies.task"),
        ),
        migrations.AlterField(
            "slot",
            "turn",
            models.PositiveIntegerField(help_text="Order, drawn at random, among slots with the same number."),
        ),
        migrations.AlterField(
            "exclusion",
            "n_slots",
            models.PositiveIntegerField(
                blank=True, help_text="Slots that went back to other raters; empty if none were to.", null=True
            ),
        ),
        migrations.AlterField(
            "preregistration",
            "study",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="preregistrations", to="studies.study"
            ),
        ),
        migrations.AlterField(
            "simulation",
            "study",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="simulations", to="studies.study"
            ),
        ),
        migrations.AlterField(
            "study",
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
    ]
