"""Fields for personal data: encrypted in the database, and looked up by a keyed hash in another column."""

import json
from typing import Any, Final

from django.core.exceptions import FieldError, ValidationError
from django.db import models

from studies.identity_keys import UnknownIdentityKey, decrypt, encrypt, make_lookup_hash

_DUMPED: Final = "encrypted:"
"""The prefix of values in the output of `dumpdata`."""


class EncryptedTextField(models.TextField):
    """Text that is stored encrypted. Queries cannot compare it, since equal texts are encrypted differently."""

    def get_prep_value(self, value: Any) -> Any:
        return None if value is None else encrypt(self.write(value))

    def from_db_value(self, value: str | None, *_: Any) -> Any:
        return None if value is None else self.read(decrypt(value))

    def write(self, value: Any) -> str:
        """Return the text to encrypt."""
        return str(value)

    def read(self, text: str) -> Any:
        """Return the value of a decrypted text."""
        return text

    def get_lookup(self, lookup_name: str) -> Any:
        if lookup_name != "isnull":
            raise FieldError(f"{self.name} is encrypted and cannot be queried by {lookup_name}: use its keyed hash")
        return super().get_lookup(lookup_name)

    def value_to_string(self, obj: models.Model) -> str:
        # `dumpdata` must write the encrypted value.
        return f"{_DUMPED}{self.get_prep_value(self.value_from_object(obj))}"

    def to_python(self, value: Any) -> Any:
        """Return the value; output of `dumpdata` is decrypted, so that `loaddata` does not encrypt it twice."""
        if not isinstance(value, str) or not value.startswith(_DUMPED):
            return value
        try:
            return self.read(decrypt(value.removeprefix(_DUMPED)))
        except UnknownIdentityKey as error:
            raise ValidationError(f"{self.name}: {error}") from error


class EncryptedJSONField(EncryptedTextField):
    """A JSON value, encrypted as text."""

    def write(self, value: Any) -> str:
        return json.dumps(value)

    def read(self, text: str) -> Any:
        return json.loads(text)


class LookupHashField(models.CharField):
    """The keyed hash of other fields of the row, computed whenever the row is saved.

    Args:
        purpose: Separates hashes of different things with equal texts.
        of: The fields to hash.
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
