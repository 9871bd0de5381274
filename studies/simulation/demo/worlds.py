"""The part of the demo whose truth is known: generated worlds, judged by truth, and the same captions for visitors."""

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from django.contrib.auth.base_user import AbstractBaseUser

from studies.access.audit import COMMAND_LINE
from studies.collection.lifecycle import open_study
from studies.datasets.cloning import clone_study
from studies.datasets.importing.options import ImportOptions
from studies.datasets.importing.published.shapeworld import read_shapeworld
from studies.datasets.importing.writing import write_dataset
from studies.models import Dataset, Study
from studies.simulation.demo.designs import CONSENT, OPEN_SLOTS, THANKS
from studies.simulation.demo.loading import DemoNameTaken

NAME: Final = "demo-worlds"
TITLE: Final = "Worlds with known truth"
_SPEC: Final = "spatial-twoshapes"
_N_WORLDS: Final = 8
_N_REFERENCES: Final = 5


def load_worlds_demo(*, owner: AbstractBaseUser, now: datetime) -> list[Study]:
    """Return the study judged by computed truth and the one open to visitors, creating them if they do not exist.

    The owner is set in any case. Worlds, references and the captions of six systems are generated.

    Raises:
        DemoNameTaken: A dataset or study with such a name does not belong to the demo.
    """
    names = (NAME, f"{NAME}-open")
    made = Study.objects.filter(dataset__name=NAME, name__in=names).exclude(dataset__world_profile="")
    if made.count() < len(names):
        _check_free(names)
        with TemporaryDirectory(prefix="accordance-worlds-") as folder:
            _generate(Path(folder))
            options = ImportOptions(Path(folder), study=NAME, system=("systems/*.txt",))
            record = read_shapeworld(options)
        study = replace(record.studies[0], title=f"{TITLE} (computed)")
        write_dataset(replace(record, title="Demo worlds", studies=(study,)), now=now, owner=owner, actor=COMMAND_LINE)
        opened = clone_study(
            Study.objects.get(name=NAME),
            name=names[1],
            title=f"{TITLE} (open)",
            now=now,
            actor=COMMAND_LINE,
            owner=owner,
            changes={"consent": CONSENT, "thanks": THANKS, "raters_per_task": OPEN_SLOTS},
        )
        open_study(opened, now=now)
    made.update(owner=owner)
    return list(made.select_related("dataset").order_by("pk"))


def _generate(folder: Path) -> None:
    from captioning.probes.systems import make_systems, write_systems
    from captioning.worlds.specs import find_spec

    spec = find_spec(_SPEC)
    made = make_systems(spec, n_worlds=_N_WORLDS, n_references=_N_REFERENCES)
    write_systems(folder, made, profile=spec.profile)


def _check_free(names: tuple[str, ...]) -> None:
    taken = [f"dataset {name}" for name in Dataset.objects.filter(name=NAME).values_list("name", flat=True)]
    taken += [f"study {name}" for name in Study.objects.filter(name__in=names).values_list("name", flat=True)]
    if taken:
        raise DemoNameTaken(
            f"{', '.join(taken)}: not part of the demo, but with a name that the demo uses; use another database"
        )
