"""An operation of migrations that creates many models in the time of one."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState


class CreateTogether(Operation):
    """Creates models that may refer to one another.

    One by one, each would make Django render every related model again, which takes most of the time of a migration;
    so would each constraint and each index that is not among the options of its model.
    """

    def __init__(self, models_to_create: list[migrations.CreateModel]) -> None:
        self.models_to_create = models_to_create

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        # Rendered anew, once, when they are next asked for.
        vars(state).pop("apps", None)
        for each in self.models_to_create:
            each.state_forwards(app_label, state)

    def database_forwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for each in self.models_to_create:
            each.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: BaseDatabaseSchemaEditor, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        for each in reversed(self.models_to_create):
            each.database_backwards(app_label, schema_editor, from_state, to_state)
