"""Renders the Helm chart with Helm's own engine, and checks the result against Kubernetes' schemas.

usage: render_chart.py [key=value …]   prints the manifests

Needs the packages helm-python-sdk and kubernetes-validate. `deploy/kubernetes/berth.yaml` is what it
prints without values.
"""

import json
import sys
from pathlib import Path

import helm_python
import kubernetes_validate
import yaml

CHART = Path(__file__).parents[2] / "deploy" / "helm" / "berth"
HEADER = "# Rendered from deploy/helm/berth: tests/helpers/render_chart.py\n"
WARNING = 2


def values_of(arguments):
    values = {}
    for argument in arguments:
        path, text = argument.split("=", 1)
        *parents, key = path.split(".")
        place = values
        for parent in parents:
            place = place.setdefault(parent, {})
        place[key] = json.loads(text)
    return values


def main():
    values = values_of(sys.argv[1:])
    report = helm_python.lint(CHART, values, strict=True)
    faults = [one for one in report["messages"] if one["severity"] >= WARNING]
    if faults or report["errors"]:
        sys.exit(f"{faults} {report['errors']}")
    with helm_python.Chart.load(CHART) as chart:
        rendered = chart.render(values, name="berth", namespace="berth")
    parts = []
    for name in sorted(rendered):
        if not name.endswith(".yaml"):
            continue
        for part in rendered[name].split("\n---\n"):
            document = yaml.safe_load(part)
            if document is None:
                continue
            kubernetes_validate.validate(document, "1.30", strict=True)
            parts.append(part.strip() + "\n")
    sys.stdout.write(HEADER + "---\n".join(parts))


main()
