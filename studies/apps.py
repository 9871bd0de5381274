from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate


class StudiesConfig(AppConfig):
    name = "studies"
    verbose_name = "Studies"

    def ready(self) -> None:
        # Importing these modules registers checks and connects receivers.
        import studies.access.accounts.checks
        import studies.access.accounts.receivers
        import studies.checks  # noqa: F401
        from studies.access.account_events import connect

        connect()
        pre_migrate.connect(_drop_triggers, sender=self)
        post_migrate.connect(_install_triggers, sender=self)


def _drop_triggers(*, using: str, **_: Any) -> None:
    from studies.collection.triggers.immutability import drop_triggers

    drop_triggers(using)


def _install_triggers(*, using: str, **_: Any) -> None:
    from studies.collection.triggers.immutability import install_triggers

    install_triggers(using)
