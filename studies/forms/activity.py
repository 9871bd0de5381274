"""The form that marks changes as read."""

from django import forms


class ReadForm(forms.Form):
    """The last change that was read, by its primary key: it and all older ones are marked."""

    up_to = forms.IntegerField(min_value=0, max_value=2**63 - 1, widget=forms.HiddenInput)
