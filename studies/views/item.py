"""The page of one item: image, captions, references, judgments and comments."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from studies.analysis.items import add_judgments, count_values, load_items
from studies.forms.comment import CommentForm
from studies.models import Item, Study
from studies.views.commented import describe_comments
from studies.views.fetch import fetch_study


@login_required
@require_safe
def show_item(request: HttpRequest, name: str, pk: int) -> HttpResponse:
    study = fetch_study(request, name)
    return show_item_page(request, study, fetch_item(study, pk))


def fetch_item(study: Study, pk: int) -> Item:
    """Return an item of the study; 404 if there is none with this primary key."""
    return get_object_or_404(Item.objects.select_related("task__study"), pk=pk, task__study=study)


def show_item_page(
    request: HttpRequest, study: Study, item: Item, *, comment_form: CommentForm | None = None, status: int = 200
) -> HttpResponse:
    """Show an item; after a refused comment with its form."""
    (judged,) = add_judgments(load_items([item.pk]))
    context = {
        "study": study,
        "judged": judged,
        "counts": count_values(item),
        "references": judged.item.image.references.order_by("position"),
        **describe_comments(request, study, item, form=comment_form),
    }
    return render(request, "studies/item.html", context, status=status)
