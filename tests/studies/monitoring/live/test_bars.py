from studies.monitoring.live.bars import draw_bars


def test_labels_longer_than_their_bars_end_with_an_ellipsis():
    chart = draw_bars([1, 2, 3, 4], ["1 bad", "2", "3", "4 It describes the image with small mistakes"], text="")

    assert [bar.label for bar in chart.bars] == ["1 bad", "2", "3", "4 It describes the im…"]
    assert [bar.short_label for bar in chart.bars] == ["1 bad", "2", "3", "4 It descri…"]
