"""URLs of the first version of the API."""

from django.urls import path

from studies.api.views import home, images, judgments, monitoring, simulations, studies
from studies.api.views import uploads as making
from studies.api.views.access import offers, people
from studies.api.views.analysis import correlations, disagreements, explorer
from studies.api.views.design import choices, designs, plans
from studies.api.views.publishing import exports, report_parts, reports
from studies.api.views.scoring import metrics, runs

app_name = "api"
_STUDY = "studies/<slug:name>/"
urlpatterns = [
    path("", home.show_home, name="home"),
    path("schema/", home.Schema.as_view(), name="schema"),
    path("metrics/", metrics.MetricList.as_view(), name="metrics"),
    path("metrics/<str:metric>/", metrics.MetricDetail.as_view(), name="metric"),
    path("metrics/<str:metric>/checks/", metrics.MetricChecks.as_view(), name="metric_checks"),
    path("refused-plugins/", metrics.RefusedList.as_view(), name="refused_plugins"),
    path("presets/", choices.PresetList.as_view(), name="presets"),
    path("protocols/", choices.ProtocolList.as_view(), name="protocols"),
    path("imports/", studies.ImportList.as_view(), name="imports"),
    path("uploads/", making.UploadList.as_view(), name="uploads"),
    path("uploads/look/", making.UploadLook.as_view(), name="upload_look"),
    path("uploads/judgments/", making.JudgmentUpload.as_view(), name="upload_judgments"),
    path("uploads/<str:token>/", making.UploadDetail.as_view(), name="upload"),
    path("uploads/<str:token>/make/", making.UploadMake.as_view(), name="upload_make"),
    path("offers/", offers.OfferList.as_view(), name="offers"),
    path("offers/<int:pk>/accept/", offers.AcceptedOffer.as_view(), name="offer_accept"),
    path("offers/<int:pk>/decline/", offers.DeclinedOffer.as_view(), name="offer_decline"),
    path("studies/", studies.StudyList.as_view(), name="studies"),
    path(_STUDY, studies.StudyDetail.as_view(), name="study"),
    path(f"{_STUDY}versions/", designs.VersionList.as_view(), name="versions"),
    path(f"{_STUDY}clone/", making.Clone.as_view(), name="clone"),
    path(f"{_STUDY}missing/", studies.Missing.as_view(), name="missing"),
    path(f"{_STUDY}open/", studies.OpenStudy.as_view(), name="open"),
    path(f"{_STUDY}close/", studies.CloseStudy.as_view(), name="close"),
    path(f"{_STUDY}preregistrations/", plans.PreregistrationList.as_view(), name="preregistrations"),
    path(
        f"{_STUDY}preregistrations/<int:number>.json", plans.PreregistrationFile.as_view(), name="preregistration_file"
    ),
    path(f"{_STUDY}deviations/", plans.DeviationList.as_view(), name="deviations"),
    path(f"{_STUDY}plan/", plans.Planner.as_view(), name="plan"),
    path(f"{_STUDY}items/", judgments.ItemList.as_view(), name="items"),
    path(f"{_STUDY}images/<int:pk>.jpg", images.Thumbnail.as_view(), name="image"),
    path(f"{_STUDY}raters/", judgments.RaterList.as_view(), name="raters"),
    path(f"{_STUDY}judgments/", judgments.JudgmentList.as_view(), name="judgments"),
    path(f"{_STUDY}judgments.csv", judgments.JudgmentFile.as_view(), name="judgments_csv"),
    path(f"{_STUDY}exclusions/", judgments.ExclusionList.as_view(), name="exclusions"),
    path(f"{_STUDY}exclusions/<str:rater>/", judgments.ExclusionDetail.as_view(), name="exclusion"),
    path(f"{_STUDY}members/", people.MemberList.as_view(), name="members"),
    path(f"{_STUDY}members/<str:username>/", people.MemberDetail.as_view(), name="member"),
    path(f"{_STUDY}offer/", offers.Offer.as_view(), name="offer"),
    path(f"{_STUDY}tokens/", people.TokenList.as_view(), name="tokens"),
    path(f"{_STUDY}tokens/<int:pk>/", people.TokenDetail.as_view(), name="token"),
    path(f"{_STUDY}history/", people.HistoryList.as_view(), name="history"),
    path(f"{_STUDY}history.csv", people.HistoryFile.as_view(), name="history_csv"),
    path(f"{_STUDY}metrics/", metrics.StudyMetricList.as_view(), name="study_metrics"),
    path(f"{_STUDY}metrics/<str:metric>/", metrics.StudyMetricDetail.as_view(), name="study_metric"),
    path(f"{_STUDY}simulations/", simulations.SimulationList.as_view(), name="simulations"),
    path(f"{_STUDY}simulations/<int:pk>/", simulations.SimulationDetail.as_view(), name="simulation"),
    path(f"{_STUDY}simulations/<int:pk>/study/", simulations.SimulationStudy.as_view(), name="simulation_study"),
    path(f"{_STUDY}scores/", runs.ScoredList.as_view(), name="scores"),
    path(f"{_STUDY}runs/", runs.RunList.as_view(), name="runs"),
    path(f"{_STUDY}runs/<int:pk>/", runs.RunDetail.as_view(), name="run"),
    path(f"{_STUDY}runs/<int:pk>/<str:change>/", runs.RunChange.as_view(), name="run_change"),
    path(f"{_STUDY}correlate/", correlations.Correlate.as_view(), name="correlate"),
    path(f"{_STUDY}compare/", correlations.Compare.as_view(), name="compare"),
    path(f"{_STUDY}agreement/", correlations.StudyAgreement.as_view(), name="agreement"),
    path(f"{_STUDY}reports/", reports.ReportList.as_view(), name="reports"),
    path(f"{_STUDY}reports/<int:number>/", reports.ReportDetail.as_view(), name="report"),
    path(f"{_STUDY}reports/<int:number>.<str:file_format>", reports.ReportFile.as_view(), name="report_file"),
    path(f"{_STUDY}reports/<int:number>/bundle.zip", report_parts.ReportBundle.as_view(), name="report_bundle"),
    path(f"{_STUDY}reports/<int:number>/links/", report_parts.LinkList.as_view(), name="links"),
    path(f"{_STUDY}reports/<int:number>/links/<int:pk>/", report_parts.LinkDetail.as_view(), name="link"),
    path(
        f"{_STUDY}reports/<int:number>/<slug:part>.<str:file_format>",
        report_parts.ReportPart.as_view(),
        name="report_part",
    ),
    path(f"{_STUDY}report-requests/", reports.ReportRequestList.as_view(), name="report_requests"),
    path(f"{_STUDY}report-requests/<int:pk>/", reports.ReportRequestDetail.as_view(), name="report_request"),
    path(f"{_STUDY}explore/", explorer.Explore.as_view(), name="explore"),
    path(f"{_STUDY}explore/multiverse/", explorer.ExploreMultiverse.as_view(), name="explore_multiverse"),
    path(f"{_STUDY}explore/<slug:part>.<str:file_format>", explorer.ExplorePart.as_view(), name="explore_part"),
    path(f"{_STUDY}monitoring/", monitoring.Monitoring.as_view(), name="monitoring"),
    path(f"{_STUDY}stopping/", monitoring.Stopping.as_view(), name="stopping"),
    path(f"{_STUDY}stopping/looks/", monitoring.LookList.as_view(), name="looks"),
    path(f"{_STUDY}disagreements/", disagreements.DisagreementList.as_view(), name="disagreements"),
    path(f"{_STUDY}disagreements.csv", disagreements.DisagreementFile.as_view(), name="disagreements_csv"),
    path(f"{_STUDY}exports/<slug:part>.<str:file_format>", exports.ExportFile.as_view(), name="export"),
    path(f"{_STUDY}results.<str:file_format>", exports.Results.as_view(), name="results"),
    path(f"{_STUDY}scatter.<str:file_format>", correlations.StudyScatter.as_view(), name="scatter"),
]
