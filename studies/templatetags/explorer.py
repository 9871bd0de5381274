"""Fields, addresses and downloads of the correlation explorer."""

from urllib.parse import parse_qsl, urlencode

from django import forms, template
from django.forms.boundfield import BoundField
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

FORMAT_TITLES = {"md": "Markdown", "tex": "LaTeX"}


@register.simple_tag
def form_field(form: forms.Form, name: str) -> BoundField | None:
    """Return the field of this name, None if the form does not have it."""
    return form[name] if name in form.fields else None


@register.simple_tag
def with_value(query: str, name: str, value: str) -> str:
    """Return a query with another value of one parameter."""
    kept = [(key, each) for key, each in parse_qsl(query) if key != name]
    return urlencode([*kept, (name, value)])


@register.simple_tag
def download_links(study: str, part: str, query: str, formats: str, what: str) -> SafeString:
    """Return a link for each format; its label for screen readers includes the file."""
    links = [
        (
            reverse("studies:explore_part", args=[study, part, file_format]),
            f"{query}&download=1" if query else "download=1",
            f"{FORMAT_TITLES.get(file_format, file_format.upper())}, {what}",
            FORMAT_TITLES.get(file_format, file_format.upper()),
        )
        for file_format in formats.split(",")
    ]
    joined = format_html_join(" ", '<a href="{}?{}" aria-label="{}">{}</a>', links)
    return format_html("{}", joined)
