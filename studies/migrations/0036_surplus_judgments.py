from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0035_background_on_jobs")]

    operations = [
        migrations.AddField(
            model_name="judgment",
            name="surplus_since",
            field=models.DateTimeField(
                blank=True,
                help_text="When it came back and others had filled its task; such a judgment does not count.",
                null=True,
            ),
        ),
    ]
