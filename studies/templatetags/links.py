"""Links that preserve the other parameters of the query."""

from django import template
from django.template import RequestContext

register = template.Library()


@register.simple_tag(takes_context=True)
def page_link(context: RequestContext, parameter: str, number: int) -> str:
    """Return this page's query with another page number of one of its lists."""
    query = context["request"].GET.copy()
    query[parameter] = str(number)
    return f"?{query.urlencode()}"
