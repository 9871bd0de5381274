"""Who works on a study, and the tokens of programs."""

from typing import Any

from django import forms

from studies.access.terms import read_token_term
from studies.enums import MemberRole
from studies.forms.fields.term import make_days_field


class MemberForm(forms.Form):
    """A person by the name of the account, and what they may do."""

    username = forms.CharField(label="Name of the account", max_length=150)
    role = forms.ChoiceField(label="Role", choices=MemberRole.choices, initial=MemberRole.VIEWER)


class RoleForm(forms.Form):
    """Another role for a member."""

    role = forms.ChoiceField(label="Role", choices=MemberRole.choices)


class OwnerForm(forms.Form):
    """The next owner."""

    username = forms.CharField(label="Name of the account", max_length=150)


class TokenForm(forms.Form):
    """What a token is for, what it allows, and for how long."""

    name = forms.CharField(label="What it is for", max_length=100)
    role = forms.ChoiceField(label="Allows what this role does", choices=MemberRole.choices, initial=MemberRole.ANALYST)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["days"] = make_days_field(read_token_term())
