"""Shows why something was refused: in the form that was sent, or at the top of the next page."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.text import capfirst


def refusals_in(form: forms.Form, *kinds: type[Exception], capital: bool = False) -> AbstractContextManager[None]:
    """Add the message of an exception of these kinds, as a sentence, to the form.

    The exception goes no further, and what follows it in the block is not run: keep the block short.

    Args:
        form: The form, which is shown again.
        kinds: The expected exceptions.
        capital: Whether to capitalise the message; not where it begins with a name.
    """
    return _show_refusals(partial(form.add_error, None), kinds, capital=capital)


def refusals_to(request: HttpRequest, *kinds: type[Exception], capital: bool = False) -> AbstractContextManager[None]:
    """Do the same as `refusals_in`, with a message at the top of the next page."""
    return _show_refusals(partial(messages.error, request), kinds, capital=capital)


@contextmanager
def _show_refusals(show: Callable[[str], None], kinds: tuple[type[Exception], ...], *, capital: bool) -> Iterator[None]:
    try:
        yield
    except kinds as refusal:
        show(f"{capfirst(str(refusal)) if capital else refusal}.")
