"""Shows why something was refused: in the form that was sent, or at the top of the next page."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.text import capfirst


@contextmanager
def refusals_in(form: forms.Form, *kinds: type[Exception], capital: bool = False) -> Iterator[None]:
    """Add the message of an exception of these kinds to the form, as a sentence; what follows in the block is left out.

    Args:
        form: The form, shown again with the message.
        kinds: The expected exceptions.
        capital: Whether the message begins with a word, to which it gives a capital, and not with a name.
    """
    with _told(partial(form.add_error, None), kinds, capital=capital):
        yield


@contextmanager
def refusals_to(request: HttpRequest, *kinds: type[Exception], capital: bool = False) -> Iterator[None]:
    """Do the same with a message at the top of the next page."""
    with _told(partial(messages.error, request), kinds, capital=capital):
        yield


@contextmanager
def _told(tell: Callable[[str], None], kinds: tuple[type[Exception], ...], *, capital: bool) -> Iterator[None]:
    try:
        yield
    except kinds as refusal:
        tell(f"{capfirst(str(refusal)) if capital else refusal}.")
