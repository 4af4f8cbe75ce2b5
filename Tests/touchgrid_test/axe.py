"""Looks for barriers on a page, with axe-core."""

import importlib.util
import json
import pathlib


def source():
    """Returns axe-core, which axe_playwright_python brings. Playwright itself is not needed, nor installed."""
    spec = importlib.util.find_spec("axe_playwright_python")
    assert spec, "axe-playwright-python is missing; see scripts/python-packages"
    return (pathlib.Path(spec.submodule_search_locations[0]) / "axe.min.js").read_text()


def violations(page, **options):
    """Returns what axe-core objects to on the page, as texts. The content security policy does not bind the browser's
    own tools, by which it gets there. `options`: those of axe.run."""
    if not page.run("Boolean(window.axe)"):
        page.run(f"(() => {{ {source()}\n return window.axe !== undefined; }})()")
    found = page.run(
        f"axe.run(document, {json.dumps({'resultTypes': ['violations'], **options})}).then((result) =>"
        " result.violations.map(({id, help, nodes}) => ({id, help,"
        " nodes: nodes.map(({target, failureSummary}) => [target.join(' '), failureSummary])})))")
    return [f"{each['id']}: {each['help']}\n" + "\n".join(f"  {where}\n    {why}" for where, why in each["nodes"])
            for each in found]
