"""Addresses of the API's first version."""

from django.urls import path

from studies.api.routes import analysis, designs, home, judgments, people, reports, runs, studies

app_name = "api"
_STUDY = "studies/<slug:name>/"
urlpatterns = [
    path("", home.show_home, name="home"),
    path("schema/", home.Schema.as_view(), name="schema"),
    path("metrics/", analysis.MetricList.as_view(), name="metrics"),
    path("metrics/<str:metric>/", analysis.MetricDetail.as_view(), name="metric"),
    path("imports/", studies.ImportList.as_view(), name="imports"),
    path("studies/", studies.StudyList.as_view(), name="studies"),
    path(_STUDY, studies.StudyDetail.as_view(), name="study"),
    path(f"{_STUDY}versions/", designs.VersionList.as_view(), name="versions"),
    path(f"{_STUDY}open/", studies.OpenStudy.as_view(), name="open"),
    path(f"{_STUDY}close/", studies.CloseStudy.as_view(), name="close"),
    path(f"{_STUDY}items/", judgments.ItemList.as_view(), name="items"),
    path(f"{_STUDY}raters/", judgments.RaterList.as_view(), name="raters"),
    path(f"{_STUDY}judgments/", judgments.JudgmentList.as_view(), name="judgments"),
    path(f"{_STUDY}judgments.csv", judgments.JudgmentFile.as_view(), name="judgments_csv"),
    path(f"{_STUDY}exclusions/", judgments.ExclusionList.as_view(), name="exclusions"),
    path(f"{_STUDY}exclusions/<str:rater>/", judgments.ExclusionDetail.as_view(), name="exclusion"),
    path(f"{_STUDY}members/", people.MemberList.as_view(), name="members"),
    path(f"{_STUDY}members/<str:username>/", people.MemberDetail.as_view(), name="member"),
    path(f"{_STUDY}owner/", people.Owner.as_view(), name="owner"),
    path(f"{_STUDY}tokens/", people.TokenList.as_view(), name="tokens"),
    path(f"{_STUDY}tokens/<int:pk>/", people.TokenDetail.as_view(), name="token"),
    path(f"{_STUDY}history/", people.HistoryList.as_view(), name="history"),
    path(f"{_STUDY}history.csv", people.HistoryFile.as_view(), name="history_csv"),
    path(f"{_STUDY}scores/", runs.ScoredList.as_view(), name="scores"),
    path(f"{_STUDY}runs/", runs.RunList.as_view(), name="runs"),
    path(f"{_STUDY}runs/<int:pk>/", runs.RunDetail.as_view(), name="run"),
    path(f"{_STUDY}runs/<int:pk>/<str:change>/", runs.RunChange.as_view(), name="run_change"),
    path(f"{_STUDY}correlate/", analysis.Correlate.as_view(), name="correlate"),
    path(f"{_STUDY}compare/", analysis.Compare.as_view(), name="compare"),
    path(f"{_STUDY}agreement/", analysis.Agreement.as_view(), name="agreement"),
    path(f"{_STUDY}reports/", reports.ReportList.as_view(), name="reports"),
    path(f"{_STUDY}reports/<int:number>/", reports.ReportDetail.as_view(), name="report"),
    path(f"{_STUDY}reports/<int:number>.<str:file_format>", reports.ReportFile.as_view(), name="report_file"),
    path(f"{_STUDY}scatter.<str:file_format>", analysis.Scatter.as_view(), name="scatter"),
]
