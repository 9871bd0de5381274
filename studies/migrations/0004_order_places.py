"""Fill what the raters' side added to rows of earlier versions; apart from the changes of tables, as PostgreSQL wants."""

from django.apps.registry import Apps
from django.db import migrations, models


def end_finished_raters(apps: Apps, _schema_editor: object) -> None:
    """Say of raters who were done before outcomes were kept that they finished."""
    apps.get_model("studies", "Rater").objects.filter(finished_at__isnull=False).update(outcome="finished")


def order_places(apps: Apps, _schema_editor: object) -> None:
    """Give the places of earlier versions their study, a turn, and whether they are held."""
    places = apps.get_model("studies", "Place").objects
    task = apps.get_model("studies", "Task").objects.filter(pk=models.OuterRef("task"))
    live = apps.get_model("studies", "Assignment").objects.filter(
        place=models.OuterRef("pk"), state__in=["leased", "submitted"]
    )
    places.update(study=models.Subquery(task.values("study")[:1]), turn=models.F("pk"), is_held=models.Exists(live))


class Migration(migrations.Migration):
    dependencies = [("studies", "0003_raters_side")]

    operations = [
        migrations.RunPython(end_finished_raters, migrations.RunPython.noop),
        migrations.RunPython(order_places, migrations.RunPython.noop),
    ]
