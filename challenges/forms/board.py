"""The form of a leaderboard's figure."""

from django import forms
from django.http import QueryDict

from challenges.board.diversity import Axes
from challenges.board.ranking import Column
from challenges.board.shown import name_column


class AxesForm(forms.Form):
    """The selector of the two metrics of a figure, bound to those shown: the requested ones, else the first."""

    accuracy = forms.ChoiceField()
    diversity = forms.ChoiceField()

    def __init__(self, data: QueryDict, *, axes: Axes) -> None:
        self.chosen: dict[str, Column] = {}
        choices = {}
        for field, columns in (("accuracy", axes.accuracy), ("diversity", axes.diversity)):
            named = {name_column(each): each for each in columns}
            self.chosen[field] = named.get(data.get(field, ""), columns[0])
            choices[field] = [(name, name) for name in named]
        super().__init__({field: name_column(column) for field, column in self.chosen.items()})
        for field, names in choices.items():
            self.fields[field].choices = names
