"""Forms for the members of a study and API tokens."""

from typing import Any

from django import forms

from studies.access.terms import read_token_term
from studies.enums import MemberRole
from studies.forms.fields.term import make_days_field


class MemberForm(forms.Form):
    """The user name and the role of a member."""

    username = forms.CharField(label="Username", max_length=150)
    role = forms.ChoiceField(label="Role", choices=MemberRole.choices, initial=MemberRole.VIEWER)


class RoleForm(forms.Form):
    """A new role for a member."""

    role = forms.ChoiceField(label="Role", choices=MemberRole.choices)


class OwnerForm(forms.Form):
    """The new owner."""

    username = forms.CharField(label="Username", max_length=150)


class TokenForm(forms.Form):
    """The purpose of a token, its role and its validity."""

    name = forms.CharField(label="Name of the token", max_length=100)
    role = forms.ChoiceField(label="Permissions of role", choices=MemberRole.choices, initial=MemberRole.ANALYST)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["days"] = make_days_field(read_token_term())
