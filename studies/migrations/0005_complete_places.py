import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0004_order_places")]

    operations = [
        migrations.AlterField(
            model_name="place",
            name="study",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="places", to="studies.study"
            ),
        ),
        migrations.AlterField(
            model_name="place",
            name="turn",
            field=models.PositiveIntegerField(help_text="Order, drawn at random, among places with the same number."),
        ),
        migrations.AddConstraint(
            model_name="rater",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("finished_at__isnull", True), ("outcome", "")),
                    models.Q(models.Q(("outcome", ""), _negated=True), ("finished_at__isnull", False)),
                    _connector="OR",
                ),
                name="rater_outcome_iff_finished",
            ),
        ),
    ]
