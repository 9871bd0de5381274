"""Items as shown to raters, without a database."""

from studies.collection.shown_tasks import ShownItem


def make_items(*pks, captions=("One.", "Two.")):
    return tuple(
        ShownItem(pk=pk, name=str(pk), image=None, image_name="", anchor="", captions=captions, is_swapped=False)
        for pk in pks
    )
