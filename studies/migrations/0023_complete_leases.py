import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0022_leases_by_study")]

    operations = [
        migrations.AlterField(
            model_name="assignment",
            name="study",
            field=models.ForeignKey(
                help_text="The task's, to find the leases of one study.",
                on_delete=django.db.models.deletion.PROTECT,
                related_name="+",
                to="studies.study",
            ),
        ),
        migrations.RemoveIndex(model_name="assignment", name="leases_by_expiry"),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(
                condition=models.Q(("state", "leased")), fields=["study", "expires_at"], name="leases_by_expiry"
            ),
        ),
    ]
