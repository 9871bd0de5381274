"""The judgments of a study in columns, as input of the correlation engine."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from correlation.errors import CorrelationInputError
from correlation.protocols.inputs import JudgedPairs, RatedItems
from correlation.protocols.named import Protocol
from correlation.tables import JudgmentTable
from studies.enums import TaskKind, TaskRole
from studies.models import Item, Judgment, Reference, Study
from studies.shared.counted import IS_OF_EXCLUDED, IS_SURPLUS, select_counted, select_given
from studies.shared.problems import lack_judgments
from studies.shared.text import normalize_caption

Ids = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class StudyJudgments:
    """The judgments of a study, and the rows that each item refers to.

    Attributes:
        table: Judgments by item. Images, systems and raters are ordered by name, which does not depend on the database,
                so that random draws are reproducible.
        scored: `(n_items, 1)`, or `(n_items, 2)` for pairs: primary keys of the candidates or caption sets whose
            scores belong to each item.
        in_references: `(n_items,)` whether a rated candidate is one of its image's references; None if not requested.
        has_placeholders: Whether raters are positions (the second vote of a pair) instead of people.
        n_excluded: The number of raters with judgments who are excluded.
        n_surplus: The number of surplus judgments left out, because other raters have filled their tasks.
        is_computed: Whether the judgments are computed instead of made by people.
    """

    table: JudgmentTable
    scored: Ids
    in_references: npt.NDArray[np.bool_] | None
    has_placeholders: bool
    n_excluded: int
    n_surplus: int = 0
    is_computed: bool = False

    def make_data(self, scores: npt.NDArray[np.float64], protocol: Protocol) -> RatedItems | JudgedPairs:
        """Return the input of `evaluate_protocol` from scores `(n_draws, n_items, 1 or 2)`."""
        if protocol.is_pairwise:
            return JudgedPairs.build(self.table, scores=scores)
        return RatedItems.build(self.table, scores=scores[:, :, 0], in_references=self.in_references)


def check_judged(study: Study) -> None:
    """Raise CorrelationInputError if the study has no judgments, or collects captions."""
    if study.kind == TaskKind.CAPTION:
        raise CorrelationInputError(
            f"study {study.name} collects captions, which have no values: turn them into candidates on the page of its "
            f"dataset or with `manage.py collect_captions {study.name} --system NAME`, and have the candidates judged"
        )
    if not Judgment.objects.filter(item__task__study=study).exists():
        raise CorrelationInputError(lack_judgments(study.name))


def load_judgments(study: Study, protocol: Protocol, *, with_excluded: bool = False) -> StudyJudgments:
    """Read the judgments of a study, with the columns that a protocol needs.

    Judgments of main tasks are read, except surplus ones and, by default, those of excluded raters.
    """
    if study.kind == TaskKind.SET_RATING:
        scored, system = ("caption_set_id",), "caption_set__system__name"
    elif study.kind == TaskKind.PAIRWISE:
        scored, system = ("candidate_id", "other_candidate_id"), "candidate__system__name"
    else:
        scored, system = ("candidate_id",), "candidate__system__name"
    items = Item.objects.filter(task__study=study, task__role=TaskRole.MAIN).order_by("pk")
    fields = ("pk", "image__key", "image_id", system, "category", "candidate__text", *scored)
    rows = list(items.values_list(*fields))
    pks, images, image_ids, systems, categories, texts, *owners = (
        zip(*rows, strict=True) if rows else ((),) * len(fields)
    )
    columns = ("item_id", "rater__pseudonym", "rater__is_placeholder", "value")
    given = select_given(study).filter(value__isnull=False)
    counted = select_counted(study, with_excluded=with_excluded).filter(value__isnull=False)
    judged = list(counted.order_by("pk").values_list(*columns))
    item, rater, placeholder, value = zip(*judged, strict=True) if judged else ((),) * len(columns)
    category_of = dict(zip(pks, categories, strict=True))
    table = JudgmentTable.build(
        items=np.asarray(pks, dtype=np.int64),
        image=np.asarray(images, dtype=np.str_),
        system=np.asarray(systems, dtype=np.str_),
        category=np.asarray(categories, dtype=np.str_),
        item=np.asarray(item, dtype=np.int64),
        rater=np.asarray(rater, dtype=np.str_),
        value=np.asarray(value, dtype=np.float64),
        criterion=np.asarray([category_of[pk] for pk in item], dtype=np.str_) if protocol.criteria else None,
    )
    return StudyJudgments(
        table=table,
        scored=np.asarray(owners, dtype=np.int64).T.reshape(len(rows), len(scored)),
        in_references=_find_own_references(study, image_ids, texts) if protocol.drop_candidates_in_references else None,
        has_placeholders=any(placeholder),
        n_excluded=0 if with_excluded else given.filter(IS_OF_EXCLUDED).values("rater").distinct().count(),
        n_surplus=given.filter(IS_SURPLUS).count(),
        is_computed=study.is_computed,
    )


def _find_own_references(study: Study, images: tuple[int, ...], texts: tuple[str | None, ...]) -> npt.NDArray[np.bool_]:
    references = Reference.objects.filter(image__dataset=study.dataset_id).order_by()
    own = {(image, normalize_caption(text)) for image, text in references.values_list("image_id", "text")}
    return np.asarray(
        [(image, normalize_caption(text or "")) in own for image, text in zip(images, texts, strict=True)],
        dtype=np.bool_,
    )
