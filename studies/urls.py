"""URLs of researchers' pages."""

from django.urls import include, path

from studies.views.access.history import download_history, show_history
from studies.views.access.offers import accept, decline, show_offers
from studies.views.access.people import (
    add_to_study,
    change_in_study,
    make_study_token,
    offer_to_owner,
    remove_from_study,
    revoke_study_token,
    show_people,
    withdraw_from_owner,
)
from studies.views.access.person_requests import erase_by_id, export_by_id, find_by_id, show_requests
from studies.views.analysis.disagreements import download_disagreements, show_disagreements
from studies.views.analysis.explorer import download_part, show_explorer, show_intervals, show_ranks
from studies.views.analysis.figures import show_scatter
from studies.views.analysis.planner import show_planner
from studies.views.datasets.dataset import caption_images, show_dataset
from studies.views.datasets.images import show_thumbnail
from studies.views.datasets.new_study import discard, make_study, new_study, show_upload
from studies.views.design.clone import clone
from studies.views.design.preregistration import download_preregistration, preregister, show_preregistration
from studies.views.design.state import close_for_raters, open_for_raters
from studies.views.design.study_design import change_section, show_design
from studies.views.monitoring import look, show_monitoring, show_monitoring_now
from studies.views.publishing.exports import download_judgments, download_results, export
from studies.views.publishing.matrix import download_matrix, show_matrix
from studies.views.publishing.shared import download_shared, show_shared
from studies.views.scoring.metric_list import show_metrics
from studies.views.scoring.metrics import check_installed_metric, show_metric
from studies.views.scoring.runs import (
    change_run,
    set_metric_parameters,
    show_run,
    show_run_progress,
    show_runs,
    start_run,
    switch_study_metric,
)
from studies.views.simulation import show_progress, show_simulation, try_analysis
from studies.views.study import show_study
from studies.views.study_list import show_studies

app_name = "studies"
urlpatterns = [
    path("", show_studies, name="list"),
    path("metrics/", show_metrics, name="metrics"),
    path("metrics/<slug:metric>/", show_metric, name="metric"),
    path("metrics/<slug:metric>/check/", check_installed_metric, name="metric_check"),
    path("matrix/", show_matrix, name="matrix"),
    path("matrix/matrix.<str:file_format>", download_matrix, name="matrix_file"),
    path("requests/", show_requests, name="requests"),
    path("requests/find/", find_by_id, name="requests_find"),
    path("requests/export/", export_by_id, name="requests_export"),
    path("requests/erase/", erase_by_id, name="requests_erase"),
    path("studies/new/", new_study, name="new"),
    path("studies/new/<str:token>/", show_upload, name="upload"),
    path("studies/new/<str:token>/make/", make_study, name="make"),
    path("studies/new/<str:token>/discard/", discard, name="discard"),
    path("studies/<slug:name>/", show_study, name="study"),
    path("studies/<slug:name>/design/", show_design, name="design"),
    path("studies/<slug:name>/design/planner/", show_planner, name="planner"),
    path("studies/<slug:name>/design/preregistration/", show_preregistration, name="preregistration"),
    path("studies/<slug:name>/design/preregistration/freeze/", preregister, name="preregister"),
    path(
        "studies/<slug:name>/design/preregistration/<int:number>.json",
        download_preregistration,
        name="preregistration_file",
    ),
    path("studies/<slug:name>/design/clone/", clone, name="clone"),
    path("studies/<slug:name>/design/<slug:section>/", change_section, name="design_section"),
    path("studies/<slug:name>/open/", open_for_raters, name="open"),
    path("studies/<slug:name>/close/", close_for_raters, name="close"),
    path("studies/<slug:name>/judgments.csv", download_judgments, name="judgments"),
    path("studies/<slug:name>/results.<str:file_format>", download_results, name="results"),
    path("studies/<slug:name>/exports/<slug:part>.<str:file_format>", export, name="export"),
    path("studies/<slug:name>/reports/", include("studies.report_urls")),
    path("shared/<str:token>/", show_shared, name="shared"),
    path("shared/<str:token>/<slug:part>.<str:file_format>", download_shared, name="shared_part"),
    path("studies/<slug:name>/scatter.<str:file_format>", show_scatter, name="scatter"),
    path("studies/<slug:name>/monitoring/", show_monitoring, name="monitoring"),
    path("studies/<slug:name>/monitoring/now/", show_monitoring_now, name="monitoring_now"),
    path("studies/<slug:name>/monitoring/look/", look, name="interim_look"),
    path("studies/<slug:name>/disagreements/", show_disagreements, name="disagreements"),
    path("studies/<slug:name>/disagreements.csv", download_disagreements, name="disagreements_csv"),
    path("studies/<slug:name>/explore/", show_explorer, name="explore"),
    path("studies/<slug:name>/explore/intervals/", show_intervals, name="explore_intervals"),
    path("studies/<slug:name>/explore/multiverse/", show_ranks, name="explore_ranks"),
    path("studies/<slug:name>/explore/<slug:part>.<str:file_format>", download_part, name="explore_part"),
    path("studies/<slug:name>/dataset/", show_dataset, name="dataset"),
    path("studies/<slug:name>/dataset/caption/", caption_images, name="dataset_caption"),
    path("studies/<slug:name>/images/<int:pk>.jpg", show_thumbnail, name="thumbnail"),
    path("studies/<slug:name>/runs/", show_runs, name="runs"),
    path("studies/<slug:name>/runs/start/", start_run, name="run_start"),
    path("studies/<slug:name>/runs/<int:pk>/", show_run, name="run"),
    path("studies/<slug:name>/runs/<int:pk>/progress/", show_run_progress, name="run_progress"),
    path("studies/<slug:name>/runs/<int:pk>/<slug:change>/", change_run, name="run_change"),
    path("studies/<slug:name>/runs/metrics/<slug:metric>/", set_metric_parameters, name="run_parameters"),
    path("studies/<slug:name>/runs/metrics/<slug:metric>/switch/", switch_study_metric, name="metric_switch"),
    path("studies/<slug:name>/simulation/", show_simulation, name="simulation"),
    path("studies/<slug:name>/simulation/progress/", show_progress, name="simulation_progress"),
    path("studies/<slug:name>/simulation/<int:pk>/study/", try_analysis, name="simulation_try"),
    path("studies/<slug:name>/people/", show_people, name="people"),
    path("studies/<slug:name>/people/add/", add_to_study, name="member_add"),
    path("studies/<slug:name>/people/<int:pk>/role/", change_in_study, name="member_role"),
    path("studies/<slug:name>/people/<int:pk>/remove/", remove_from_study, name="member_remove"),
    path("studies/<slug:name>/people/owner/", offer_to_owner, name="give"),
    path("studies/<slug:name>/people/owner/withdraw/", withdraw_from_owner, name="offer_withdraw"),
    path("offers/", show_offers, name="offers"),
    path("offers/<int:pk>/accept/", accept, name="offer_accept"),
    path("offers/<int:pk>/decline/", decline, name="offer_decline"),
    path("studies/<slug:name>/people/tokens/", make_study_token, name="token_make"),
    path("studies/<slug:name>/people/tokens/<int:pk>/revoke/", revoke_study_token, name="token_revoke"),
    path("studies/<slug:name>/history/", show_history, name="history"),
    path("studies/<slug:name>/history.csv", download_history, name="history_csv"),
]
