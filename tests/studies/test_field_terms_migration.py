"""The migrations that rename models, fields and stored words: what an installation had is all there after them."""

from tests.studies.management.commands.processes import call, run
from tests.studies.test_encrypting_migration import environment  # noqa: F401

BEFORE = """
from datetime import UTC, datetime
from django.db import connection
from django.db.migrations.loader import MigrationLoader
apps = MigrationLoader(connection).project_state([("studies", "0036_surplus_judgments"), *[
    node for node in MigrationLoader(connection).graph.leaf_nodes() if node[0] == "jobs"]]).apps
def make(model, **fields):
    return apps.get_model(model).objects.create(**fields)
now = datetime(2026, 1, 1, tzinfo=UTC)
study = make("studies.Study", dataset=make("studies.Dataset", name="d", created_at=now), name="s", created_at=now,
             join_token="a")
trial = make("studies.Study", dataset=study.dataset, name="t", created_at=now, rehearsal_of=study, join_token="b")
task = make("studies.Task", study=study, position=1)
place = make("studies.Place", study=study, task=task, number=1, turn=1, is_held=True)
rater = make("studies.Rater", study=study, pseudonym="p", joined_at=now)
version = make("studies.StudyVersion", study=study, number=1, design={}, created_at=now)
make("studies.Assignment", study=study, task=task, place=place, rater=rater, version=version, shown=[], leased_at=now,
     expires_at=now)
make("studies.Exclusion", rater=rater, reason="r", decided_at=now, n_places=3)
make("studies.Registration", study=study, number=1, content="{}", digest="a", frozen_at=now)
make("studies.Rehearsal", study=study, panel="link", n_raters=2, speed=1.0, state="done", report={"n_places": 8},
     trial=trial, made_at=now)
make("studies.FrozenReport", study=study, number=1, made_at=now, facts={"registration": None, "departures": ["x"]})
for action in ("rehearsed", "registered", "forgotten", "opened"):
    make("studies.AuditEntry", study=study, study_name="s", door="page", action=action, at=now)
make("jobs.Job", kind="rehearse", lane="rehearsals", payload={"rehearsal": 1}, requested_at=now, not_before=now)
with connection.cursor() as cursor:
    name, on = "studies_assignment_holds_place_1_update", "AFTER UPDATE OF state ON studies_assignment FOR EACH ROW"
    if connection.vendor == "postgresql":
        cursor.execute(f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE studies_place "
                       "SET is_held = false WHERE id = OLD.place_id; RETURN NULL; END $$")
        cursor.execute(f"CREATE TRIGGER {name} {on} EXECUTE FUNCTION {name}()")
    else:
        cursor.execute(f"CREATE TRIGGER {name} {on} BEGIN UPDATE studies_place SET is_held = 0 "
                       "WHERE id = OLD.place_id; END")
"""
AFTER = """
from django.db import DatabaseError, transaction
from jobs.models import Job
from studies.models import *
held = Assignment.objects.get()
print(held.slot.number, held.slot.is_held, Study.objects.get(name="s").slots.count())
Assignment.objects.update(state="expired")
print(Slot.objects.get().is_held, Exclusion.objects.get().n_slots)
print(Study.objects.get(name="t").simulation_of.name, *Simulation.objects.values_list("report", "trial__name"))
print(sorted(FrozenReport.objects.get().facts.items()))
print(*AuditEntry.objects.order_by("pk").values_list("interface", "action"))
print(*Job.objects.values_list("kind", "lane", "payload"))
try:
    with transaction.atomic():
        Preregistration.objects.update(digest="b")
except DatabaseError as error:
    print("a preregistration cannot be changed" in str(error))
"""


def test_all_is_there_under_its_new_name(environment) -> None:  # noqa: F811
    run("migrate", "studies", "0036_surplus_judgments", "--verbosity", "0", environment=environment)
    run("migrate", "jobs", "--verbosity", "0", environment=environment)
    call(BEFORE, environment=environment)

    run("migrate", "--verbosity", "0", environment=environment)

    assert call(AFTER, environment=environment) == [
        "1 True 1",
        "False 3",
        "s ({'n_slots': 8}, 't')",
        "[('deviations', ['x']), ('preregistration', None)]",
        "('page', 'simulated') ('page', 'preregistered') ('page', 'erased') ('page', 'opened')",
        "('simulate', 'simulations', {'simulation': 1})",
        "True",
    ]
