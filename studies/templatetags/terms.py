"""Explains statistical terms on pages: a button that opens the definition, by mouse, keyboard and touch."""

from collections.abc import Iterable
from itertools import count
from typing import Any

from django import template
from django.urls import reverse_lazy

from studies.analysis.terms import TERMS, find_measure

register = template.Library()
_NUMBERS = "_numbers_of_terms"
_PAGE = reverse_lazy("studies:docs_page", args=["statistics"])


@register.inclusion_tag("studies/term.html", takes_context=True)
def term(context: Any, name: str, shown: str = "") -> dict[str, Any]:
    """Write a term, or the words `shown` in its place, followed by the button with its definition.

    For a coefficient without a definition there is no button.
    """
    return _describe(context, name if name in TERMS else find_measure(name), shown or name)


@register.inclusion_tag("studies/terms.html", takes_context=True)
def terms(context: Any, names: str, more: Iterable[Any] = ()) -> dict[str, Any]:
    """List terms in one line: those of the measures or headings in `more`, then `names`, which spaces separate."""
    measures = (find_measure(getattr(each, "coefficient", str(each))) for each in more)
    chosen = dict.fromkeys((*filter(None, measures), *names.split()))
    return {"terms": [_describe(context, each, TERMS[each].title) for each in chosen]}


def _describe(context: Any, name: str, shown: str) -> dict[str, Any]:
    # Buttons and their texts are joined by ids, which are unique on a page.
    numbers = context.render_context.dicts[0].setdefault(_NUMBERS, count(1))
    found = TERMS.get(name)
    return {"term": found, "shown": shown, "id": f"term-{name}-{next(numbers)}", "page": _PAGE}
