import pytest

from correlation.errors import UnknownNameError
from correlation.reports.records import print_csv
from tests.correlation.reports.example import REPORT

DESIGN = (
    "ci:percentile|resampled:images+raters|n:1000|confidence:0.95 / "
    "test:perm-both|n:1000|correction:holm|alpha:0.05 / seed:7"
)
MADE = f"flickr8k-expert@1|rows:all,{DESIGN}"
VALUES = f"""\
kind,metric,level,coefficient,category,value,low,high,n,n_missing,letters,is_above_ceiling,p_value,reason,\
caution,signature,protocol,design
metric,spice_u,item,kendall-c,,0.5125,0.49,0.535,16992,3,a,True,,,,spice-u|v:1,{MADE}
metric,cider|d,item,kendall-c,,-0.0625,-0.125,-1e-05,16995,0,b,False,,,,cider-d|v:1,{MADE}
metric,length,item,kendall-c,,,,,0,16995,,False,,the score is 1 throughout,,,{MADE}
ceiling,mean-pairwise,item,kendall-c,,0.5,0.45,0.55,16992,0,,False,,,,,{MADE}
ceiling,mean-pairwise,item,kendall-b,,0.736,,,16992,0,,False,,,,,{MADE}
"""
DIFFERENCES = f"""\
level,coefficient,category,first,second,difference,low,high,p_value,p_adjusted,n,n_missing,protocol,design
item,kendall-c,,spice_u,cider|d,0.575,,,0.000999,0.002997,16990,5,{MADE}
"""


@pytest.mark.parametrize(("part", "expected"), [("values", VALUES), ("differences", DIFFERENCES)])
def test_csv_is_printed_as_written_by_hand(part, expected):
    assert print_csv(REPORT, part) == expected


def test_unknown_part_is_said():
    with pytest.raises(UnknownNameError, match="unknown part of a report 'rows'; known are: values, differences"):
        print_csv(REPORT, "rows")
