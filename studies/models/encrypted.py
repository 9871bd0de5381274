"""Fields for what names a person: encrypted in the database, and looked up by a keyed hash in a column beside it."""

import json
from typing import Any, Final

from django.core.exceptions import FieldError, ValidationError
from django.db import models

from studies.identity_keys import UnknownIdentityKey, decrypt, encrypt, make_lookup_hash

_DUMPED: Final = "encrypted:"
"""Stands before what `dumpdata` writes."""


class EncryptedTextField(models.TextField):
    """Text that the database holds encrypted. No query can compare it: equal texts are encrypted differently."""

    def get_prep_value(self, value: Any) -> Any:
        return None if value is None else encrypt(self.write(value))

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        return None if value is None else self.read(decrypt(value))

    def write(self, value: Any) -> str:
        """Return the text that is encrypted."""
        return str(value)

    def read(self, text: str) -> Any:
        """Return the value of a text that was encrypted."""
        return text

    def get_lookup(self, lookup_name: str) -> Any:
        if lookup_name != "isnull":
            raise FieldError(f"{self.name} is encrypted and cannot be looked up by {lookup_name}: use its keyed hash")
        return super().get_lookup(lookup_name)

    def value_to_string(self, obj: models.Model) -> str:
        # `dumpdata` must not write what the database does not hold.
        return f"{_DUMPED}{self.get_prep_value(self.value_from_object(obj))}"

    def to_python(self, value: Any) -> Any:
        """Return the value; what `dumpdata` wrote is decrypted, so that `loaddata` does not encrypt it once more."""
        if not isinstance(value, str) or not value.startswith(_DUMPED):
            return value
        try:
            return self.read(decrypt(value.removeprefix(_DUMPED)))
        except UnknownIdentityKey as error:
            raise ValidationError(f"{self.name}: {error}") from error


class EncryptedJSONField(EncryptedTextField):
    """What JSON can say, encrypted as text."""

    def write(self, value: Any) -> str:
        return json.dumps(value)

    def read(self, text: str) -> Any:
        return json.loads(text)


class LookupHashField(models.CharField):
    """The keyed hash of other fields of the row, made whenever the row is saved.

    Args:
        purpose: Keeps hashes of different things apart, also where their texts are the same.
        of: The fields that are hashed.
    """

    def __init__(self, *, purpose: str = "", of: tuple[str, ...] = (), **options: Any) -> None:
        self.purpose, self.of = purpose, tuple(of)
        super().__init__(**{"max_length": 64, "editable": False, **options})

    def deconstruct(self) -> Any:
        name, path, arguments, options = super().deconstruct()
        return name, path, arguments, {**options, "purpose": self.purpose, "of": self.of}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        made = make_lookup_hash(self.purpose, *(str(getattr(model_instance, name)) for name in self.of))
        setattr(model_instance, self.attname, made)
        return made
