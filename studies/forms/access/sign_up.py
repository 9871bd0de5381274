"""The form for creating an account."""

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
    # Without a word, invitations would be open to everybody.
    return settings.ACCORDANCE_SIGN_UP == INVITED and bool(settings.ACCORDANCE_SIGN_UP_WORD)


class SignUpForm(UserCreationForm):
    """User name, e-mail address and password; if accounts are by invitation, also the secret word."""

    email = forms.EmailField(label="E-mail address")
    word = forms.CharField(label="Invitation code", widget=forms.PasswordInput)

    class Meta(UserCreationForm.Meta):
        model = User
        fields = ("username", "email")

    field_order = ("word", "username", "email", "password1", "password2")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Only operators may create accounts without a usable password.
        self.fields.pop("usable_password", None)
        if not _needs_word():
            del self.fields["word"]

    def clean_word(self) -> str:
        word: str = self.cleaned_data["word"]
        if not hmac.compare_digest(word.encode(), settings.ACCORDANCE_SIGN_UP_WORD.encode()):
            raise forms.ValidationError("The invitation code is wrong.", code="wrong_word")
        return word
