from metrics_plugins.runtime import load_registry


def test_index_lists_the_installed_metrics(operator):
    content = operator.get("/admin/").content.decode()

    assert 'href="/metrics/"' in content
    for registration in load_registry():
        assert f"<code>{registration.info.id}</code>" in content
