"""A release can be checked: the wheel is built again to the same bytes, names what it depends on, and is cited by its version."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from release import sbom

PROJECT = Path(__file__).parent.parent
DECLARED = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
COPIED = ("src", "release", "pyproject.toml", "README.md", "LICENSE", ".gitignore")


def build(source: Path, folder: Path) -> Path:
    """Build the wheel of these sources with the installed hatchling, without the network."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=source, check=True, env=os.environ | {"SOURCE_DATE_EPOCH": "1700000000"}, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(PROJECT, tmp_path_factory.mktemp("wheel"))


def test_a_copy_of_the_sources_builds_the_same_bytes(wheel: Path, tmp_path: Path) -> None:
    """In another folder, with other times and permissions."""
    copied = tmp_path / "copy"
    copied.mkdir()
    for name in COPIED:
        if (PROJECT / name).is_dir():
            shutil.copytree(PROJECT / name, copied / name, copy_function=shutil.copyfile, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(PROJECT / name, copied / name)
    for file in copied.rglob("*"):
        if file.is_file():
            file.chmod(0o600)
    assert build(copied, tmp_path / "dist").read_bytes() == wheel.read_bytes()


def test_the_wheel_carries_the_present_bill_of_materials(wheel: Path) -> None:
    assert sbom.FILE.read_text(encoding="utf-8") == sbom.text(), "run python release/sbom.py"
    with zipfile.ZipFile(wheel) as archive:
        carried = archive.read(f"tablee-{DECLARED['version']}.dist-info/sboms/{sbom.FILE.name}").decode()
    assert carried == sbom.text()


def test_the_bill_of_materials_names_every_dependency_of_the_base_and_of_the_extras() -> None:
    components = json.loads(sbom.text())["components"]
    scopes = {each["name"]: each["scope"] for each in components}
    asked = [(each, "required") for each in DECLARED["dependencies"]]
    asked += [(each, "optional") for extra, group in DECLARED["optional-dependencies"].items() if extra != "dev" for each in group]
    assert scopes == {re.split(r"[\[<>=;]", requirement)[0]: scope for requirement, scope in asked}
    assert len({each["bom-ref"] for each in components}) == len(components)


def test_the_citation_names_the_version() -> None:
    citation = (PROJECT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r"^(?:version|license): (.+)$", citation, re.MULTILINE) == [DECLARED["version"], DECLARED["license"]]
