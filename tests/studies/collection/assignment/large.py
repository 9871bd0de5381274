"""A study of many tasks, created with few statements.

`python -m tests.studies.collection.assignment.large N_TASKS RATERS_PER_TASK` makes one in the database of
`DATABASE_URL` and prints the token of its link.
"""

import sys

import django
from django.core.management import call_command

if __name__ == "__main__":
    django.setup()

from studies.collection.lifecycle import open_study
from studies.enums import TaskKind
from studies.models import Candidate, Image, Item, StudyVersion, System, Task
from tests.factories.open_studies import DESIGNS, TEXTS
from tests.factories.studies import NOW, make_design, make_study


def make_large_study(name="large", *, n_tasks=4000, raters_per_task=11, is_open=True, **design):
    """Make a study of pairs, one a task, on 100 images."""
    study = make_study(name, kind=TaskKind.PAIRWISE, n_tasks=0)
    whole = make_design(**{**TEXTS, **DESIGNS[TaskKind.PAIRWISE], "raters_per_task": raters_per_task, **design})
    StudyVersion.objects.create(study=study, number=2, design=whole.to_json(), created_at=NOW)
    dataset = study.dataset
    systems = [System.objects.create(dataset=dataset, name=f"{name}-{side}") for side in ("first", "second")]
    images = Image.objects.bulk_create(Image(dataset=dataset, key=f"image-{number}") for number in range(100))
    tasks = Task.objects.bulk_create(Task(study=study, position=position) for position in range(n_tasks))
    pairs = [
        Candidate.objects.bulk_create(
            Candidate(
                dataset=dataset,
                image=images[number % 100],
                system=system,
                key=f"{system.name}-{number}",
                text=f"Caption {number} by {system.name}.",
            )
            for number in range(n_tasks)
        )
        for system in systems
    ]
    Item.objects.bulk_create(
        Item(task=task, position=0, key=f"item-{task.position}", image=one.image, candidate=one, other_candidate=other)
        for task, one, other in zip(tasks, *pairs, strict=True)
    )
    if is_open:
        open_study(study, now=NOW)
    return study


if __name__ == "__main__":
    call_command("migrate", verbosity=0)
    sys.stdout.write(make_large_study(n_tasks=int(sys.argv[1]), raters_per_task=int(sys.argv[2])).join_token + "\n")
