"""The lookup made for each request of a rater, in one query: study, newest design, rater and consent."""

from dataclasses import dataclass
from typing import Any, Final

from django.db.models import CharField, Exists, FilteredRelation, Model, OuterRef, Q, QuerySet

from studies.models import Consent, Rater, Study, StudyVersion
from studies.shared.prepared_queries import Prepared, QueryParameter


@dataclass(frozen=True, slots=True)
class FoundVisit:
    """A study found by its link, and its visitor found by pseudonym.

    Attributes:
        study: The study.
        version: The newest version of its design; None if there is none.
        rater: The visitor; None if the study has no rater with this pseudonym.
        has_agreed: Whether the rater agreed to this version itself; its text may also have been agreed to before.
    """

    study: Study
    version: StudyVersion | None
    rater: Rater | None
    has_agreed: bool


def find_visit(join_token: str, *, pseudonym: str = "") -> FoundVisit | None:
    """Return the study of a link and its visitor; None if there is no study with this link."""
    # PostgreSQL rejects text with a null character, even in comparisons.
    if "\0" in join_token or "\0" in pseudonym:
        return None
    row = _VISIT.find(token=join_token, pseudonym=pseudonym)
    if row is None:
        return None
    models, start = [], 0
    for model in (Study, StudyVersion, Rater):
        names = _list_fields(model)
        models.append(_load(model, names, row[start : start + len(names)]))
        start += len(names)
    study, version, rater = models
    for one in (version, rater):
        if one is not None:
            one.study = study
    return FoundVisit(study, version, rater, has_agreed=row[-1])


def _build() -> QuerySet[Any]:
    agreed = Consent.objects.filter(rater=OuterRef("visitor__pk"), version=OuterRef("versions__pk"))
    is_visitor = Q(raters__pseudonym=QueryParameter("pseudonym", CharField()))
    fields = [
        through + name
        for model, through in ((Study, ""), (StudyVersion, "versions__"), (Rater, "visitor__"))
        for name in _list_fields(model)
    ]
    return (
        Study.objects.filter(join_token=QueryParameter("token", CharField()))
        .annotate(visitor=FilteredRelation("raters", condition=is_visitor))
        .annotate(agreed=Exists(agreed))
        .order_by("-versions__number")
        .values_list(*fields, "agreed")[:1]
    )


def _list_fields(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def _load(model: type[Model], names: list[str], values: tuple[Any, ...]) -> Any:
    return None if values[0] is None else model.from_db("default", names, values)


_VISIT: Final = Prepared(_build)
