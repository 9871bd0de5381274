from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("studies", "0033_offers")]

    operations = [
        migrations.AddField(
            model_name="exclusion",
            name="ended_part",
            field=models.BooleanField(
                default=False, help_text="The rater was at work until then; without it, the part had ended before."
            ),
        ),
    ]
