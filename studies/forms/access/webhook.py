"""The form for a webhook, of an account or of a member of a team."""

from django import forms

from studies.webhooks.policy import LONGEST


class WebhookForm(forms.Form):
    """Where messages go; whether the operator allows it is checked when it is stored."""

    url = forms.CharField(
        label="URL",
        max_length=LONGEST,
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
        help_text="It begins with https://. Each message is a POST request with JSON.",
    )
