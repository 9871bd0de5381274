"""Fields and addresses of the correlation explorer, and downloads of analyses."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode

from django import forms, template
from django.forms.boundfield import BoundField
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from studies.analysis.systems.files import PARTS
from studies.publishing.report_systems import PARTS as REPORT_PARTS

register = template.Library()

_FORMAT_TITLES: Final = {"md": "Markdown", "tex": "LaTeX"}


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
    addresses = {each: reverse("studies:explore_part", args=[study, part, each]) for each in formats.split(",")}
    return _list_links(addresses, query, what)


@register.simple_tag
def system_links(study: str, part: str, place: int, what: str) -> SafeString:
    """Return a link for each format of a part of the ranking of systems, with such labels."""
    addresses = {each: reverse("studies:systems_part", args=[study, part, each]) for each in PARTS[part]}
    return _list_links(addresses, f"place={place}", what)


@register.simple_tag
def report_links(base: str, part: str, place: int | None, what: str) -> SafeString:
    """Return a link for each format of a part of the ranking of systems in a report, with such labels."""
    name = part if place is None else f"{part}-{place}"
    return _list_links({each: f"{base}{name}.{each}" for each in REPORT_PARTS[part]}, "", what)


def _list_links(addresses: Mapping[str, str], query: str, what: str) -> SafeString:
    query = f"{query}&download=1" if query else "download=1"
    titles = {each: _FORMAT_TITLES.get(each, each.upper()) for each in addresses}
    links = [(address, query, f"{titles[each]}, {what}", titles[each]) for each, address in addresses.items()]
    return format_html("{}", format_html_join(" ", '<a href="{}?{}" aria-label="{}">{}</a>', links))
