"""Encrypts what names raters, with the keys of the settings, and stores the keyed hashes anew."""

import json

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

import studies.models.encrypted
import studies.models.study
from studies.identity_keys import encrypt, make_lookup_hash

_LEADING_ACROSS = ("studies_rater", "studies_submission", "studies_invitation")


def encrypt_rows(_apps: StateApps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Read what stands there in plain, past the fields, which would take it for encrypted."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT id, panel, participant_id, identity_hash FROM studies_identity")
        for pk, panel, person, before in cursor.fetchall():
            after = make_lookup_hash("identity", panel, person)
            changed = [encrypt(person), after, pk]
            cursor.execute("UPDATE studies_identity SET participant_id = %s, identity_hash = %s WHERE id = %s", changed)
            for table in _LEADING_ACROSS:
                # One of the three names above.
                cursor.execute(
                    f"UPDATE {table} SET identity_hash = %s WHERE identity_hash = %s",  # noqa: S608
                    [after, before],
                )
        cursor.execute("SELECT id, panel, session_id, parameters FROM studies_submission")
        for pk, panel, session, parameters in cursor.fetchall():
            changed = [encrypt(session), make_lookup_hash("session", panel, session), encrypt(_write(parameters)), pk]
            cursor.execute(
                "UPDATE studies_submission SET session_id = %s, session_hash = %s, parameters = %s WHERE id = %s",
                changed,
            )
        cursor.execute("SELECT id, token FROM studies_invitation")
        for pk, token in cursor.fetchall():
            changed = [encrypt(token), make_lookup_hash("invitation", token), pk]
            cursor.execute("UPDATE studies_invitation SET token = %s, token_hash = %s WHERE id = %s", changed)
        if schema_editor.connection.vendor == "postgresql":
            # It alters no table whose foreign keys are yet to be checked.
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _write(parameters: str) -> str:
    # As PostgreSQL and SQLite print what was JSON.
    return json.dumps(json.loads(parameters))


class Migration(migrations.Migration):
    dependencies = [("studies", "0026_infinite_scores")]

    operations = [
        migrations.AlterField(
            model_name="identity",
            name="participant_id",
            field=studies.models.encrypted.EncryptedTextField(),
        ),
        migrations.RemoveConstraint(model_name="submission", name="panel_session_once_per_study"),
        migrations.AlterField(
            model_name="submission",
            name="session_id",
            field=studies.models.encrypted.EncryptedTextField(help_text="The panel's id of this visit."),
        ),
        migrations.AlterField(
            model_name="submission",
            name="parameters",
            field=studies.models.encrypted.EncryptedJSONField(
                default=dict, help_text="What the panel sent with it, except who it is."
            ),
        ),
        migrations.AddField(
            model_name="submission",
            name="session_hash",
            field=studies.models.encrypted.LookupHashField(
                default="", editable=False, max_length=64, of=("panel", "session_id"), purpose="session"
            ),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="invitation",
            name="token",
            field=studies.models.encrypted.EncryptedTextField(default=studies.models.study.make_join_token),
        ),
        migrations.AddField(
            model_name="invitation",
            name="token_hash",
            field=models.CharField(default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.RunPython(encrypt_rows, elidable=True),
        migrations.AddConstraint(
            model_name="submission",
            constraint=models.UniqueConstraint(fields=["study", "session_hash"], name="panel_session_once_per_study"),
        ),
        migrations.AlterField(
            model_name="invitation",
            name="token_hash",
            field=studies.models.encrypted.LookupHashField(
                editable=False, max_length=64, of=("token",), purpose="invitation", unique=True
            ),
        ),
    ]
