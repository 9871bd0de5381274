"""Tests of a field with suggestions, which also accepts other values."""

from django import forms

from studies.forms.fields.suggesting import SuggestedInput


class _Form(forms.Form):
    coefficient = forms.CharField(widget=SuggestedInput, max_length=9)


def test_suggestions_stand_in_a_list_of_the_field():
    form = _Form({"coefficient": "own <1>"})
    form.fields["coefficient"].widget.suggestions = [("kendall-c", "Kendall τ-c"), ("accuracy", "accuracy")]

    shown = str(form["coefficient"])

    assert form.is_valid()
    assert '<input type="text" name="coefficient" value="own &lt;1&gt;" maxlength="9"' in shown
    assert 'list="coefficient-suggestions"' in shown
    assert '<datalist id="coefficient-suggestions"><option value="kendall-c">Kendall τ-c</option>' in shown
    assert '<option value="accuracy"></option></datalist>' in shown


def test_forms_share_no_suggestions():
    _Form().fields["coefficient"].widget.suggestions = [("kendall-c", "Kendall τ-c")]

    assert "<option" not in str(_Form()["coefficient"])
