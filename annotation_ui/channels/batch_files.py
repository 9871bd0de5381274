"""The files of a batch: the table of tasks, the template page of a task, and the table of results.

The page has neither a form tag nor a submit button: Turkle and Mechanical Turk add both.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from typing import Final
from urllib.parse import quote

from django import forms
from django.template.defaultfilters import linebreaks_filter
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from annotation_ui.kinds import KINDS
from annotation_ui.kinds.base import ItemForm, TaskForm
from correlation.csv_lines import write_csv
from studies.collection.assignment import Answer
from studies.collection.batches.tasks import RowRefused, digest_layout, lay_out_tasks
from studies.collection.shown_tasks import ShownItem, load_shown_items
from studies.datasets.thumbnails import make_thumbnail
from studies.design.study_design import StudyDesign
from studies.design.versions import load_newest_version
from studies.models import Assignment, Image, Study

COLUMNS: Final = ("study", "task", "layout", "questions")
_STYLE: Final = (
    "<style>.accordance{max-width:44rem;margin:0 auto;padding:1rem;font:1rem/1.5 sans-serif;color:#1a1a1a;"
    "background:#fff}.accordance fieldset{margin:1rem 0;padding:1rem;border:1px solid #767676}.accordance label{"
    "display:block;padding:.4rem 0}.accordance img{max-width:100%}.accordance blockquote{margin:.5rem 0;"
    "font-size:1.125rem}.accordance textarea{width:100%}</style>"
)


def write_batch(study: Study, *, images_url: str = "") -> Iterator[str]:
    """Yield the lines of a CSV file with one row per main task.

    Args:
        study: Any study.
        images_url: The address of a folder with the images under their keys; empty to embed small images in the rows.
    """
    design = StudyDesign.from_json(load_newest_version(study).design)
    rows = (
        (
            study.name,
            assignment.task.position,
            digest_layout(assignment),
            _write_questions(_build(study, assignment, design), images_url),
        )
        for assignment in lay_out_tasks(study)
    )
    # No cell is a formula: a study's name, a number, a digest, and HTML that begins with a tag. They are returned with
    # the results, so they must not be changed.
    return write_csv(COLUMNS, rows, guards=False)


def write_page(study: Study) -> str:
    """Return the page for all tasks, in which `${questions}` and `${task}` are replaced with the columns of a row."""
    design = StudyDesign.from_json(load_newest_version(study).design)
    told = [design.information, design.consent, design.instructions]
    parts = format_html_join("", "<section>{}</section>", ((linebreaks_filter(text),) for text in told if text))
    heading = _escape_dollars(format_html("<h1>{}</h1>{}<h2>{}</h2>", study.title, parts, design.question))
    return f'{_STYLE}\n<div class="accordance">\n{heading}\n${{questions}}\n</div>\n'


def read_fields(study: Study, assignment: Assignment, fields: Mapping[str, str]) -> tuple[Answer, ...]:
    """Return the answers in the fields `q1`, `q2`, ... of a row, validated with the form of the study's kind.

    Raises:
        RowRefused: The form is not valid, or there are other fields.
    """
    design = StudyDesign.from_json(load_newest_version(study).design)
    names = list(_build(study, assignment, design).fields)
    asked = {f"q{number}": name for number, name in enumerate(names, start=1)}
    unknown = sorted(name for name, value in fields.items() if value and name not in asked)
    if unknown:
        raise RowRefused("the page of this task has no field " + ", ".join(unknown))
    data = {name: fields.get(short, "") for short, name in asked.items()}
    form = _build(study, assignment, design, data=data)
    if not form.is_valid():
        short_names = {name: short for short, name in asked.items()}
        wrong = [f"{short_names[name]}: {' '.join(found)}" for name, found in form.errors.items()]
        raise RowRefused("; ".join(wrong))
    return form.read_answers()


def _build(
    study: Study, assignment: Assignment, design: StudyDesign, *, data: Mapping[str, str] | None = None
) -> TaskForm:
    return KINDS[study.kind](load_shown_items(assignment, seed=study.seed), design=design, data=data)


def _write_questions(form: TaskForm, images_url: str) -> str:
    """Return the HTML of one task in one line, without dollar signs, which would be read as columns."""
    items = [
        _write_item(shown, name, images_url, repeats=before is not None and before.image == shown.image)
        for shown, name, before in zip(form.items, form.name_items(), [None, *form.items[:-1]], strict=True)
    ]
    fields = [
        _write_field(f"q{number}", str(field.label or name), field)
        for number, (name, field) in enumerate(form.fields.items(), start=1)
    ]
    if isinstance(form, ItemForm):
        parts = [part for pair in zip(items, fields, strict=True) for part in pair]
    else:
        parts = items + fields
    return _escape_dollars("".join(parts))


def _write_item(shown: ShownItem, name: str, images_url: str, *, repeats: bool) -> SafeString:
    picture: SafeString | str = ""
    if shown.image is not None and not repeats:
        image = Image.objects.get(pk=shown.image)
        source = f"{images_url.rstrip('/')}/{quote(image.key)}" if images_url else _embed(image)
        picture = format_html('<p><img src="{}" alt=""></p>', source)
    anchor = format_html("<p><em>{}</em></p>", shown.anchor) if shown.anchor else ""
    captions = format_html_join("", "<blockquote>{}</blockquote>", ((caption,) for caption in shown.captions))
    return format_html("{}<h3>{}</h3>{}{}", picture, name, anchor, captions)


def _write_field(name: str, label: str, field: forms.Field) -> SafeString:
    if isinstance(field, forms.ChoiceField):
        inputs = format_html_join(
            "",
            '<label><input type="radio" name="{}" value="{}" required> {}</label>',
            ((name, value, words) for value, words in field.choices),
        )
    elif isinstance(field, forms.FloatField):
        inputs = format_html(
            '<input type="number" name="{}" min="{}" max="{}" step="{}" aria-label="{}" required>',
            name,
            field.min_value,
            field.max_value,
            field.step_size,
            label,
        )
    else:
        inputs = format_html('<textarea name="{}" rows="3" aria-label="{}" required></textarea>', name, label)
    return format_html("<fieldset><legend>{}</legend>{}</fieldset>", label, inputs)


def _escape_dollars(html: str) -> str:
    return str(html).replace("$", "&#36;")


def _embed(image: Image) -> str:
    return "data:image/jpeg;base64," + b64encode(make_thumbnail(image)).decode()
