from typing import Any

from django.db import migrations, models


def delete_unfinished(apps: Any, _: Any) -> None:
    """Checks that are under way or failed are jobs now; who wants them asks again."""
    apps.get_model("studies", "ConformanceReport").objects.exclude(state="finished").delete()


class Migration(migrations.Migration):
    dependencies = [("studies", "0034_ended_part")]

    operations = [
        migrations.DeleteModel(name="ReportRequest"),
        migrations.RunPython(delete_unfinished, migrations.RunPython.noop),
        migrations.RemoveField(model_name="conformancereport", name="heartbeat"),
        migrations.RemoveField(model_name="conformancereport", name="lease"),
        migrations.RemoveField(model_name="conformancereport", name="message"),
        migrations.RemoveField(model_name="conformancereport", name="n_lost"),
        migrations.RemoveField(model_name="conformancereport", name="requested_at"),
        migrations.RemoveField(model_name="conformancereport", name="state"),
        migrations.AlterField(
            model_name="conformancereport",
            name="finished_at",
            field=models.DateTimeField(),
        ),
        migrations.AlterField(
            model_name="conformancereport",
            name="results",
            field=models.JSONField(help_text="[check, clause, message] each; no message: passed."),
        ),
    ]
