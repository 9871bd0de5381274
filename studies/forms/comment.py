"""The form for a comment."""

from django import forms

from studies.collaboration.comments import LONGEST


class CommentForm(forms.Form):
    """The text of a comment."""

    text = forms.CharField(
        label="Your comment",
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
        help_text="Plain text. All members of the study can read it; raters and readers of share links cannot.",
    )
