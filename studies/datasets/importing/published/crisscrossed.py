"""Crisscrossed Captions: how well a caption of COCO fits the same image or another one, from 0 to 5.

Source: Z. Parekh et al. (2021), Crisscrossed Captions: Extended Intramodal and Intermodal Semantic Similarity Judgments
for MS-COCO, EACL, arXiv 2004.15020. The files `sits_val.csv` and `sits_test.csv` name captions by id.
"""

from collections.abc import Sequence
from typing import Any, Final

from studies.datasets.importing.files.json_files import check_object, read_json
from studies.datasets.importing.files.table_files import Record, Table, read_records
from studies.datasets.importing.published.caption_files import read_annotation_object, shorten_image
from studies.datasets.importing.values import read_key
from studies.shared.errors import ImportFailed, SourceLocation, Unquoted
from studies.shared.files import SourceFile

_COLUMNS: Final = ("item", "image", "system", "candidate", "category", "value")
_SCORES: Final = ("agg_score", "score", "rating")


def load_crisscrossed(files: Sequence[SourceFile], reference_files: Sequence[SourceFile]) -> Table:
    """Return a row for each rating, with the text of the caption and the sampling method as its category.

    The texts are in Karpathy's `dataset_coco.json` (`sentid`), or in COCO's annotations (`id`), which have the same
    numbers.
    """
    texts: dict[str, str] = {}
    for file in reference_files:
        data = check_object(read_json(file), SourceLocation(file.name), fields=())
        texts |= read_annotation_object(data, file.name).by_id
    names = ", ".join(file.name for file in reference_files)
    records = []
    for file in files:
        table = read_records(file)
        score = next((name for name in _SCORES if name in table.columns), None)
        if score is None or not {"caption", "image"} <= set(table.columns):
            rule = "must have the columns caption, image, agg_score and sampling_method"
            raise ImportFailed(file.name, rule, got=Unquoted(", ".join(table.columns)))
        records += [_read_row(record, texts, score=score, names=names) for record in table.records]
    return Table(", ".join(file.name for file in files), _COLUMNS, records)


def _read_row(record: Record, texts: dict[str, str], *, score: str, names: str) -> Record:
    caption = read_key(record.values["caption"], record.location.at("caption"), longest=200)
    image = read_key(record.values["image"], record.location.at("image"), longest=200)
    number = caption.rpartition(":")[2]
    if number not in texts:
        raise ImportFailed(record.location.at("caption"), f"must end with the id of a caption in {names}", got=caption)
    method = record.values.get("sampling_method") or ""
    item = ":".join(filter(None, (number, shorten_image(image), str(method))))
    values: tuple[Any, ...] = (item, image, "human", texts[number], method, record.values[score])
    return Record(record.location, dict(zip(_COLUMNS, values, strict=True)))
