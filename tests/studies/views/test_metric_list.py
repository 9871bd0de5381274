from metrics_plugins.api import load_registry


def test_metrics_names_each_with_its_package(desk):
    content = desk.get("/metrics/").content.decode()

    for registration in load_registry():
        assert f"<code>{registration.info.id}</code>" in content
        assert registration.distribution in content
