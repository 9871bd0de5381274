"""Signatures, which identify a score by metric, parameters and version."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

SignatureValue: TypeAlias = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Signature:
    """Prints like `cider-d|n:4|sigma:6|tok:ptb|df:references|v:1`; equal signatures imply equal scores.

    Attributes:
        metric: The metric's id.
        fields: The parameters, in the order in which they are printed.
        version: The metric's version.
    """

    metric: str
    fields: tuple[tuple[str, str], ...]
    version: str

    @classmethod
    def make(cls, metric: str, *, fields: Mapping[str, SignatureValue], version: str) -> "Signature":
        """Return a signature with every value in its shortest exact form.

        Raises:
            ValueError: A key, a value or the version contains `|` or `:`, or a key is `v`, which would make the printed
                signature ambiguous.
        """
        printed = tuple((key, format_value(value)) for key, value in fields.items())
        if "v" in fields:
            raise ValueError(f"signature field of {metric!r} must not be named 'v', which is the version's")
        for key, value in (*printed, ("v", version)):
            if set("|:") & set(key + value):
                raise ValueError(f"signature field of {metric!r} must not hold '|' or ':', got {key!r}: {value!r}")
        return cls(metric=metric, fields=printed, version=version)

    def name_corpus(self, digest: str) -> "Signature":
        """Return the signature with a field `corpus` that identifies the corpus that the metric learned from."""
        fields = {key: value for key, value in self.fields if key != "corpus"} | {"corpus": digest}
        return Signature.make(self.metric, fields=fields, version=self.version)

    def name_judgments(self, digest: str, *, cross_fitted: bool) -> "Signature":
        """Return the signature with the judgments that were learned from and whether the metric was cross-fitted."""
        named = {"judgments": digest, "apart": "cross-fitted" if cross_fitted else "other-images"}
        fields = {key: value for key, value in self.fields if key not in named} | named
        return Signature.make(self.metric, fields=fields, version=self.version)

    def __str__(self) -> str:
        fields = (f"{key}:{value}" for key, value in (*self.fields, ("v", self.version)))
        return "|".join((self.metric, *fields))


def format_value(value: SignatureValue) -> str:
    """Return a value as a signature prints it: booleans as `yes` or `no`, whole numbers without a decimal point."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
