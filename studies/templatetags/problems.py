"""Words for pages about what a study lacks."""

from django import template

from studies.shared.problems import Lack, Problem, lacks_judgments

register = template.Library()
register.filter(lacks_judgments)


@register.filter
def for_page(problem: str) -> str:
    """Return the problem in words for a page, where nobody types commands, if it is a lack of judgments or scores.

    Other problems are returned as they are.
    """
    lack = problem.lack if isinstance(problem, Problem) else None
    if lack == Lack.JUDGMENTS:
        return "No judgments yet."
    return "No metric has been run yet." if lack == Lack.SCORES else problem
