"""Plants values in all fields marked as secret, and finds those that occur in responses or files."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import get_args, get_type_hints

import pyarrow.parquet as pq
from django.apps import apps
from django.db import models

from studies.design.secret_fields import is_secret, name_secrets
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.enums import RaterOutcome
from studies.models import Study, StudyVersion
from tests.factories.studies import NOW


class Planted(dict):
    """Path of a secret field -> the text that stands in it, of letters and digits that no escaping changes."""

    def make(self, path: str) -> str:
        self[path] = f"planted{len(self):03d}x"
        return self[path]

    def find(self, content: bytes) -> set[str]:
        """Return the paths of the values in a content; archives and Parquet files are opened."""
        text = "\n".join(_read(content))
        return {path for path, value in self.items() if value in text}


def plant_design(study: Study) -> Planted:
    """Make two versions of the study's design, with other secrets each."""
    planted = Planted()
    for above in ("design.before.", "design."):
        newest = load_newest_version(study)
        design = _fill(StudyDesign.from_json(newest.design), planted, above=above)
        StudyVersion.objects.create(study=study, number=newest.number + 1, design=design.to_json(), created_at=NOW)
    return planted


def list_secret_models() -> list[type[models.Model]]:
    """Return the models that say which of their fields are secret."""
    return [model for model in apps.get_models() if getattr(model, "secret_fields", ())]


def plant_models(planted: Planted) -> None:
    """Write a value into every secret field of every model, of which each has one row."""
    for model in list_secret_models():
        row = model.objects.get()
        for name in model.secret_fields:
            setattr(row, name, _make(model._meta.get_field(name), planted, f"{model.__name__}.{name}"))
        row.save()


def _make(field: models.Field, planted: Planted, path: str):
    value = planted.make(path)
    if isinstance(field, models.JSONField):
        return {"parameter": value}
    if isinstance(field, models.BinaryField):
        return value.encode()
    assert isinstance(field, models.CharField | models.TextField), f"{path}: say here what is planted in such a field"
    return value


def _fill(value, planted: Planted, *, above: str):
    given, hints = {}, get_type_hints(type(value))
    for field in fields(value):
        path, inner = f"{above}{field.name}", getattr(value, field.name)
        parts = [one for one in (hints[field.name], *get_args(hints[field.name])) if is_dataclass(one)]
        if is_secret(field):
            given[field.name] = _plant(hints[field.name], planted, path)
        elif is_dataclass(inner) or (parts and name_secrets(parts[0])):
            given[field.name] = _fill(parts[0]() if inner is None else inner, planted, above=f"{path}.")
    return replace(value, **given)


def _plant(hint, planted: Planted, path: str):
    if hint is str:
        return f"https://{planted.make(path)}.example/"
    assert hint == Mapping[RaterOutcome, str], f"{path}: say here what is planted in such a field"
    return {outcome: planted.make(f"{path}.{outcome}") for outcome in RaterOutcome}


def _read(content: bytes):
    if content.startswith(b"PK\x03\x04"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                yield name
                yield from _read(archive.read(name))
    elif content.startswith(b"PAR1"):
        yield str(pq.read_table(io.BytesIO(content)).to_pylist())
    else:
        yield content.decode(errors="replace")
