import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import OuterRef, Subquery


def fill_study(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each assignment the study of its task."""
    of_task = apps.get_model("studies", "Task").objects.filter(pk=OuterRef("task")).values("study")[:1]
    apps.get_model("studies", "Assignment").objects.update(study=Subquery(of_task))


class Migration(migrations.Migration):
    dependencies = [("studies", "0021_judgments_of_another_study")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="study",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="studies.study"
            ),
        ),
        migrations.RunPython(fill_study, migrations.RunPython.noop),
    ]
