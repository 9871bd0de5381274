"""The query of a file of the ranking of systems."""

from django import forms

from correlation.figures.forest_rows import LAYOUTS


class RankingFileForm(forms.Form):
    """Which of the study's figures, in which size, and whether as a file or for the page."""

    place = forms.IntegerField(required=False, min_value=0)
    size = forms.ChoiceField(choices=[(name, name) for name in LAYOUTS], required=False)
    download = forms.BooleanField(required=False)
