"""Software bill of materials of the wheel: CycloneDX JSON, made from the dependencies in pyproject.toml.

The wheel holds no third-party code, so each component is a package that it asks for, with its versions and the extra that brings it.

    python release/sbom.py      writes release/sbom.cdx.json, which the wheel carries in .dist-info/sboms/ (PEP 770)
"""

from __future__ import annotations

import json
import re
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).parent.parent
FILE = PROJECT / "release/sbom.cdx.json"
NOT_SHIPPED = ("dev",)  # extras for work on Tablée itself
REQUIREMENT = re.compile(r"([\w.-]+)(\[[\w,]+\])?([^;]*)")


def bill(project: dict[str, Any]) -> dict[str, Any]:
    """Return the bill of materials for the `[project]` table of pyproject.toml."""
    me = {"type": "application", "bom-ref": purl(project["name"]), "name": project["name"], "version": project["version"]}
    me |= {"purl": f"{purl(project['name'])}@{project['version']}", "licenses": [{"license": {"id": project["license"]}}]}
    found = list(components(project))
    content = json.dumps([me, found], sort_keys=True)
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}",  # of the content alone, so that a build can be repeated
        "version": 1,
        "metadata": {"component": me},
        "components": found,
        "dependencies": [
            {"ref": me["bom-ref"], "dependsOn": [each["bom-ref"] for each in found]},
            *({"ref": each["bom-ref"]} for each in found),
        ],
    }


def components(project: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a component for each package, sorted by name."""
    extras = {"": project["dependencies"], **project["optional-dependencies"]}
    asked = [(requirement, extra) for extra, group in extras.items() if extra not in NOT_SHIPPED for requirement in group]
    for requirement, extra in sorted(asked):
        parsed = REQUIREMENT.match(requirement)
        assert parsed, requirement
        properties = {"tablee:versions": parsed[3].strip(), **({"tablee:extra": extra} if extra else {})}
        yield {
            "type": "library",
            "bom-ref": purl(parsed[1]),
            "name": parsed[1],
            "scope": "optional" if extra else "required",
            "purl": purl(parsed[1]),
            "properties": [{"name": name, "value": value} for name, value in properties.items()],
        }


def purl(name: str) -> str:
    return f"pkg:pypi/{name.lower().replace('_', '-')}"


def text() -> str:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return json.dumps(bill(project), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
