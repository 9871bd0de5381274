"""Making an account of one's own."""

import hmac
from typing import Any

from django import forms
from django.conf import settings
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User

OPEN, INVITED = "open", "invited"


def is_sign_up_offered() -> bool:
    """Return whether researchers may make accounts here (`ACCORDANCE_SIGN_UP`)."""
    return settings.ACCORDANCE_SIGN_UP == OPEN or _needs_word()


def _needs_word() -> bool:
    # Without a word an invitation would be open to all.
    return settings.ACCORDANCE_SIGN_UP == INVITED and bool(settings.ACCORDANCE_SIGN_UP_WORD)


class SignUpForm(UserCreationForm):
    """A name, an e-mail address and a password; where accounts are for the invited, also the word they were told."""

    email = forms.EmailField(label="E-mail address")
    word = forms.CharField(label="Invitation word", widget=forms.PasswordInput)

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "email")

    field_order = ("word", "username", "email", "password1", "password2")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # An account with a password that nobody knows is made by operators, not here.
        self.fields.pop("usable_password", None)
        if not _needs_word():
            del self.fields["word"]

    def clean_word(self) -> str:
        word: str = self.cleaned_data["word"]
        if not hmac.compare_digest(word.encode(), settings.ACCORDANCE_SIGN_UP_WORD.encode()):
            raise forms.ValidationError("This is not the word of the invitation.", code="wrong_word")
        return word
