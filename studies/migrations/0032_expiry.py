from datetime import timedelta
from typing import Any, Final

from django.db import migrations, models
from django.utils import timezone

# Of what had no end: from the day of the migration, so that who uses it has time to make another.
_DAYS: Final = 90


def give_ends(apps: Any, _schema_editor: Any) -> None:
    """Give an end to what has none."""
    end = timezone.now() + timedelta(days=_DAYS)
    for name in ("ApiToken", "ReportLink"):
        apps.get_model("studies", name).objects.filter(expires_at=None).update(expires_at=end)


class Migration(migrations.Migration):
    dependencies = [("studies", "0031_first_leases")]

    operations = [
        migrations.AddField("reportlink", "expires_at", models.DateTimeField(null=True)),
        migrations.RunPython(give_ends, migrations.RunPython.noop),
        migrations.AlterField(
            "reportlink", "expires_at", models.DateTimeField(help_text="From then on it leads nowhere.")
        ),
        migrations.AlterField("apitoken", "expires_at", models.DateTimeField(help_text="From then on it is refused.")),
    ]
