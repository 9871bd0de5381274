from collections.abc import Mapping
from typing import Any

from django.db import migrations

ACTIONS = {
    "rehearsed": "simulated",
    "registered": "preregistered",
    "forgotten": "erased",
    "forgotten_again": "erased_again",
}
FACTS = {"registration": "preregistration", "departures": "deviations"}
REPORT = {"n_places": "n_slots"}
KINDS = {"rehearse": "simulate", "desk-counts": "monitoring-counts", "desk-snapshot": "monitoring-snapshot"}
LANES = {"rehearsals": "simulations"}
PAYLOAD = {"rehearsal": "simulation", "door": "interface"}
MODELS = {"place": "slot", "registration": "preregistration", "rehearsal": "simulation"}


def rename_stored_words(apps: Any, _: Any) -> None:
    """Put the new words where values and JSON had the old ones, so that what was stored is found."""
    entries, jobs = apps.get_model("studies", "AuditEntry").objects, apps.get_model("jobs", "Job").objects
    for old, new in ACTIONS.items():
        entries.filter(action=old).update(action=new)
    for old, new in KINDS.items():
        jobs.filter(kind=old).update(kind=new)
    for old, new in LANES.items():
        jobs.filter(lane=old).update(lane=new)
    _rename_keys(apps.get_model("studies", "FrozenReport"), "facts", FACTS)
    _rename_keys(apps.get_model("studies", "Simulation"), "report", REPORT)
    _rename_keys(apps.get_model("jobs", "Job"), "payload", PAYLOAD)
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="studies")
    for old, new in MODELS.items():
        for permission in permissions.filter(codename__endswith=f"_{old}"):
            permission.codename = f"{permission.codename.removesuffix(old)}{new}"
            permission.name = permission.name.replace(old, new)
            permission.save(update_fields=["codename", "name"])


def _rename_keys(model: Any, field: str, names: Mapping[str, str]) -> None:
    for row in model.objects.exclude(**{f"{field}__isnull": True}).only(field).iterator(chunk_size=100):
        stored = getattr(row, field)
        if isinstance(stored, dict) and names.keys() & stored.keys():
            setattr(row, field, {names.get(key, key): value for key, value in stored.items()})
            row.save(update_fields=[field])


class Migration(migrations.Migration):
    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("jobs", "0001_jobs"),
        ("studies", "0037_field_terms"),
    ]

    operations = [migrations.RunPython(rename_stored_words, migrations.RunPython.noop)]
