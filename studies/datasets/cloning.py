"""Cloning of studies: the same tasks and captions under a new name, either all or as a pilot with some tasks."""

import tomllib
from collections.abc import Mapping
from datetime import datetime
from random import Random
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from studies.access.audit import Actor, record_change
from studies.datasets.names import check_free_name
from studies.datasets.quotas import check_new_study
from studies.design.changes import change_design
from studies.design.design_files import read_fields
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import AuditAction, TaskRole
from studies.models import Item, Study, StudyVersion, Task
from studies.shared.errors import SourceLocation

_AT_ONCE: Final = 2000


@transaction.atomic
def clone_study(
    study: Study,
    *,
    name: str,
    title: str,
    now: datetime,
    actor: Actor,
    owner: Any | None,
    changes: Mapping[str, Any] | None = None,
    n_tasks: int = 0,
    rng: Random | None = None,
) -> Study:
    """Create a draft with the same tasks as a study and its newest design as the first version.

    Args:
        study: The study to clone; its raters and judgments are not copied.
        name: The name of the new study.
        title: The title of the new study.
        actor: The account for the audit log of the new study.
        owner: The owner of the new study.
        changes: Changes of the design, made as a second version.
        n_tasks: For a pilot: the number of main tasks to draw with `rng`, besides all other tasks; 0 for all. A pilot
                is a separate study, so its judgments are never counted in the original study.
        rng: Needed for a pilot.

    Raises:
        ImportFailed: The name is taken, a changed field is invalid, or the owner has reached the limit of studies.
        ValueError: A pilot is requested with more tasks than the study has, or without `rng`.
    """
    check_free_name(name)
    check_new_study(owner, actor=actor, dataset=study.dataset)
    design = load_newest_version(study).design
    clone = Study.objects.create(
        dataset=study.dataset,
        name=name,
        title=title,
        kind=study.kind,
        protocol=study.protocol,
        owner=owner,
        pilot_of=study if n_tasks else None,
        created_at=now,
    )
    StudyVersion.objects.create(study=clone, number=1, design=design, created_at=now, created_by=owner)
    _copy_tasks(study, clone, chosen=_choose_tasks(study, n_tasks=n_tasks, rng=rng))
    details = {"from": study.name, "is_pilot": bool(n_tasks)}
    record_change(clone, actor=actor, action=AuditAction.CLONED, now=now, details=details)
    if changes:
        change_design(clone, changes=changes, now=now, actor=actor, user=owner)
    return clone


def name_copy(title: str) -> str:
    """Return the title of a clone for which none is given."""
    return f"{title[:190]} (2)"


def read_setting(field: str, text: str) -> dict[str, Any]:
    """Return a field of a design and its new value, written as in a design file; strings need no quotes.

    Raises:
        ImportFailed: There is no such field, or the value is of another type.
    """
    part, _, inner = field.partition(".")
    try:
        value = tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        value = text
    if not inner:
        return read_fields({part: value}, SourceLocation("the setting"))
    checked = read_fields({part: {inner: value}}, SourceLocation("the setting"))
    return {part: {inner: checked[part][inner]}}


def read_settings(changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return fields of a design as input of `apply_setting`; a part such as `pay` may be incomplete.

    Raises:
        ImportFailed: There is no such field, or a value is of another type.
    """
    checked = read_fields(changes, SourceLocation("the changes"))
    return {
        name: {inner: value[inner] for inner in changes[name]}
        if isinstance(value, Mapping) and isinstance(changes[name], Mapping)
        else value
        for name, value in checked.items()
    }


def apply_setting(design: StudyDesign, setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes made by a setting; in a part such as `pay`, fields not given keep their values."""
    known = design.to_json()
    return {
        name: {**(known[name] or {}), **value} if isinstance(value, Mapping) else value
        for name, value in setting.items()
    }


def _choose_tasks(study: Study, *, n_tasks: int, rng: Random | None) -> set[int]:
    main = list(Task.objects.filter(study=study, role=TaskRole.MAIN).order_by("position").values_list("pk", flat=True))
    if n_tasks:
        if rng is None or n_tasks > len(main):
            raise ValueError(f"`n_tasks` must be at most the number of main tasks, {len(main)}, got {n_tasks}")
        main = rng.sample(main, n_tasks)
    others = Task.objects.filter(study=study).exclude(role=TaskRole.MAIN).values_list("pk", flat=True)
    return {*main, *others}


def _copy_tasks(study: Study, clone: Study, *, chosen: set[int]) -> None:
    known = [task for task in Task.objects.filter(study=study).order_by("position") if task.pk in chosen]
    copies = [Task(study=clone, position=position, role=task.role) for position, task in enumerate(known)]
    Task.objects.bulk_create(copies, batch_size=_AT_ONCE)
    new = {task.pk: copy for task, copy in zip(known, copies, strict=True)}
    items = []
    for item in Item.objects.filter(task__study=study).order_by(F("task__position"), "position").iterator():
        if item.task_id in new:
            item.task = new[item.task_id]
            item.pk = None
            item._state.adding = True
            items.append(item)
    Item.objects.bulk_create(items, batch_size=_AT_ONCE)
