"""Who works on a study, and the tokens of programs."""

from datetime import datetime, timedelta
from typing import Final

from django import forms

from studies.enums import MemberRole

_DAYS: Final = (("30", "30 days"), ("90", "90 days"), ("365", "a year"), ("", "until it is revoked"))


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
    days = forms.ChoiceField(label="Good for", choices=_DAYS, initial="90", required=False)

    def find_end(self, *, now: datetime) -> datetime | None:
        """Return when the token expires; None for never."""
        days = self.cleaned_data["days"]
        return now + timedelta(days=int(days)) if days else None
