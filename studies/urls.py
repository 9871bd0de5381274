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
from studies.views.activity import mark_activity, show_activity
from studies.views.analysis.disagreements import download_disagreements, show_disagreements
from studies.views.analysis.explorer import download_part, show_explorer, show_intervals, show_ranks
from studies.views.analysis.figures import show_forest, show_scatter
from studies.views.analysis.planner import show_planner
from studies.views.analysis.plot_data import send_forest, send_items, send_scatter
from studies.views.analysis.systems import download_systems, show_systems
from studies.views.collection.payments import decide, download_payees, pay_receipt, show_payments
from studies.views.collection.submissions import download_decisions, show_submissions
from studies.views.comments import comment_on_item, remove_comment
from studies.views.datasets.dataset import add_written_captions, caption_images, show_dataset
from studies.views.datasets.images import show_thumbnail
from studies.views.datasets.imports import discard_import, new_import, show_import
from studies.views.datasets.new_study import discard, make_study, new_study, show_upload
from studies.views.design.clone import clone
from studies.views.design.perturbed_checks import add_checks
from studies.views.design.preregistration import download_preregistration, preregister, show_preregistration
from studies.views.design.removal import archive, delete, restore, show_removal
from studies.views.design.state import close_for_raters, open_for_raters
from studies.views.design.steps import apply_preset, drop_typed, keep_typed, show_design, show_step
from studies.views.docs import show_docs, show_docs_page, show_docs_picture
from studies.views.front import show_front
from studies.views.item import show_item
from studies.views.monitoring import look, show_monitoring, show_monitoring_now
from studies.views.publishing.exports import download_judgments, download_results, export
from studies.views.publishing.matrix import download_matrix, show_matrix
from studies.views.publishing.public import (
    download_public_report,
    list_public,
    publish_report,
    publish_study,
    show_public,
    show_public_report,
)
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
from studies.views.searching.search import show_results, show_search
from studies.views.simulation import show_progress, show_simulation, try_analysis
from studies.views.study import show_progress_now, show_study
from studies.views.study_list import show_studies

app_name = "studies"
urlpatterns = [
    path("", show_front, name="front"),
    path("studies/", show_studies, name="list"),
    path("public/", list_public, name="public_list"),
    path("public/<slug:name>/", show_public, name="public"),
    path("public/<slug:name>/reports/<int:number>/", show_public_report, name="public_report"),
    path(
        "public/<slug:name>/reports/<int:number>/<slug:part>.<str:file_format>",
        download_public_report,
        name="public_report_part",
    ),
    path("docs/", show_docs, name="docs"),
    path("docs/<slug:page>/", show_docs_page, name="docs_page"),
    path("docs/<slug:folder>/<str:name>", show_docs_picture, name="docs_picture"),
    path("search/", show_search, name="search"),
    path("search/results/", show_results, name="search_results"),
    path("activity/", show_activity, name="activity"),
    path("activity/read/", mark_activity, name="activity_read"),
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
    path("import/", new_import, name="import_new"),
    path("import/<str:token>/", show_import, name="import"),
    path("import/<str:token>/discard/", discard_import, name="import_discard"),
    path("studies/<slug:name>/", show_study, name="study"),
    path("studies/<slug:name>/progress/", show_progress_now, name="study_progress"),
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
    path("studies/<slug:name>/design/checks/perturbed/", add_checks, name="perturbed_checks"),
    path("studies/<slug:name>/design/<slug:step>/", show_step, name="step"),
    path("studies/<slug:name>/design/<slug:step>/typed/", keep_typed, name="step_typed"),
    path("studies/<slug:name>/design/<slug:step>/discard/", drop_typed, name="step_discard"),
    path("studies/<slug:name>/design/<slug:step>/preset/", apply_preset, name="step_preset"),
    path("studies/<slug:name>/open/", open_for_raters, name="open"),
    path("studies/<slug:name>/close/", close_for_raters, name="close"),
    path("studies/<slug:name>/remove/", show_removal, name="removal"),
    path("studies/<slug:name>/remove/archive/", archive, name="archive"),
    path("studies/<slug:name>/remove/restore/", restore, name="restore"),
    path("studies/<slug:name>/remove/delete/", delete, name="delete"),
    path("studies/<slug:name>/judgments.csv", download_judgments, name="judgments"),
    path("studies/<slug:name>/results.<str:file_format>", download_results, name="results"),
    path("studies/<slug:name>/exports/<slug:part>.<str:file_format>", export, name="export"),
    path("studies/<slug:name>/reports/<int:number>/public/", publish_report, name="report_publish"),
    path("studies/<slug:name>/reports/", include("studies.report_urls")),
    path("shared/<str:token>/", show_shared, name="shared"),
    path("shared/<str:token>/<slug:part>.<str:file_format>", download_shared, name="shared_part"),
    path("studies/<slug:name>/forest.<str:file_format>", show_forest, name="forest"),
    path("studies/<slug:name>/plots/forest.json", send_forest, name="plot_forest"),
    path("studies/<slug:name>/plots/scatter.json", send_scatter, name="plot_scatter"),
    path("studies/<slug:name>/plots/items.json", send_items, name="plot_items"),
    path("studies/<slug:name>/scatter.<str:file_format>", show_scatter, name="scatter"),
    path("studies/<slug:name>/monitoring/", show_monitoring, name="monitoring"),
    path("studies/<slug:name>/monitoring/now/", show_monitoring_now, name="monitoring_now"),
    path("studies/<slug:name>/monitoring/look/", look, name="interim_look"),
    path("studies/<slug:name>/payments/", show_payments, name="payments"),
    path("studies/<slug:name>/payments/decide/", decide, name="payments_decide"),
    path("studies/<slug:name>/payments/payees.csv", download_payees, name="payments_payees"),
    path("studies/<slug:name>/payments/claim/", pay_receipt, name="payments_claim"),
    path("studies/<slug:name>/submissions/", show_submissions, name="submissions"),
    path("studies/<slug:name>/submissions/decisions.csv", download_decisions, name="submissions_file"),
    path("studies/<slug:name>/disagreements/", show_disagreements, name="disagreements"),
    path("studies/<slug:name>/disagreements.csv", download_disagreements, name="disagreements_csv"),
    path("studies/<slug:name>/systems/", show_systems, name="systems"),
    path("studies/<slug:name>/systems/<slug:part>.<str:file_format>", download_systems, name="systems_part"),
    path("studies/<slug:name>/explore/", show_explorer, name="explore"),
    path("studies/<slug:name>/explore/intervals/", show_intervals, name="explore_intervals"),
    path("studies/<slug:name>/explore/multiverse/", show_ranks, name="explore_ranks"),
    path("studies/<slug:name>/explore/<slug:part>.<str:file_format>", download_part, name="explore_part"),
    path("studies/<slug:name>/dataset/", show_dataset, name="dataset"),
    path("studies/<slug:name>/dataset/caption/", caption_images, name="dataset_caption"),
    path("studies/<slug:name>/dataset/collect/", add_written_captions, name="dataset_collect"),
    path("studies/<slug:name>/images/<int:pk>.jpg", show_thumbnail, name="thumbnail"),
    path("studies/<slug:name>/items/<int:pk>/", show_item, name="item"),
    path("studies/<slug:name>/items/<int:pk>/comment/", comment_on_item, name="item_comment"),
    path("studies/<slug:name>/comments/<int:pk>/delete/", remove_comment, name="comment_delete"),
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
    path("studies/<slug:name>/people/public/", publish_study, name="publish"),
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
