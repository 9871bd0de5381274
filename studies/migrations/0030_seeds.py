import secrets

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

import studies.models.study


def draw_seeds(apps: Apps, _schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Give each study a seed of its own: the field's default was drawn once for all."""
    rows = apps.get_model("studies", "Study").objects
    for pk in list(rows.values_list("pk", flat=True)):
        rows.filter(pk=pk).update(seed=secrets.token_hex(16))


class Migration(migrations.Migration):
    dependencies = [("studies", "0029_refused_arrivals")]

    operations = [
        migrations.AddField(
            model_name="study",
            name="seed",
            field=models.CharField(
                default=studies.models.study.make_seed,
                editable=False,
                help_text="Secret while the study is open: order, sides and checks are drawn from it.",
                max_length=64,
            ),
        ),
        migrations.RunPython(draw_seeds, migrations.RunPython.noop),
    ]
