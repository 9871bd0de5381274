"""The forms of the pages of metrics: the filter of the list, and a caption to be scored."""

from collections.abc import Iterable
from typing import Any

from django import forms

from metrics_plugins.api import FitsOn, Input, Level, MetricInfo
from studies.scoring.plugins.installed import InstalledMetric


class MetricFilterForm(forms.Form):
    """A search term and properties of metrics; invalid values are ignored."""

    q = forms.CharField(label="Search", required=False, max_length=100)
    level = forms.ChoiceField(
        label="Level", required=False, choices=[("", "any"), *((each.value, each.value) for each in Level)]
    )
    reads = forms.ChoiceField(
        label="Inputs", required=False, choices=[("", "anything"), *((each.value, each.value) for each in Input)]
    )
    group = forms.ChoiceField(label="Family or package", required=False)

    def __init__(self, *args: Any, metrics: Iterable[InstalledMetric], **rest: Any) -> None:
        super().__init__(*args, **rest)
        groups = dict.fromkeys(metric.group for metric in metrics)
        self.fields["group"].choices = [("", "all"), *((name, name) for name in groups)]

    @property
    def chosen(self) -> dict[str, str]:
        """The requested filters, without invalid values."""
        self.is_valid()
        return {name: self.cleaned_data.get(name, "") for name in self.fields}


class TryMetricForm(forms.Form):
    """What a person types to see a metric's score: a caption, or a set of captions, and references, one per line."""

    MOST_REFERENCES = 5
    MOST_CAPTIONS = 10
    LONGEST = 300

    # Room for lines that are blank or too long, which are explained.
    _MOST_CHARACTERS = 2 * MOST_CAPTIONS * LONGEST

    captions = forms.CharField(label="Caption", max_length=_MOST_CHARACTERS, widget=forms.Textarea(attrs={"rows": 2}))
    references = forms.CharField(
        label="References", max_length=_MOST_CHARACTERS, widget=forms.Textarea(attrs={"rows": 5})
    )

    def __init__(self, *args: Any, info: MetricInfo, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.is_of_sets = Input.CAPTION_SET in info.inputs
        captions = self.fields["captions"]
        if self.is_of_sets:
            captions.label = "Captions of one image"
            captions.help_text = f"2 to {self.MOST_CAPTIONS}, one per line"
            captions.widget.attrs["rows"] = 5
        if Input.REFERENCES in info.inputs or info.fits_on is FitsOn.REFERENCES:
            self.fields["references"].help_text = f"Captions by people, 1 to {self.MOST_REFERENCES}, one per line"
        else:
            del self.fields["references"]

    def clean_captions(self) -> tuple[str, ...]:
        least, most = (2, self.MOST_CAPTIONS) if self.is_of_sets else (1, 1)
        return self._read_lines("captions", least=least, most=most)

    def clean_references(self) -> tuple[str, ...]:
        return self._read_lines("references", least=1, most=self.MOST_REFERENCES)

    def _read_lines(self, name: str, *, least: int, most: int) -> tuple[str, ...]:
        lines = tuple(line for line in map(str.strip, self.cleaned_data[name].splitlines()) if line)
        if not least <= len(lines) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise forms.ValidationError(f"Enter {wanted} {'line' if most == 1 else 'lines'}, not {len(lines)}.")
        longest = max(map(len, lines))
        if longest > self.LONGEST:
            raise forms.ValidationError(f"A line may have at most {self.LONGEST} characters, not {longest}.")
        return lines
