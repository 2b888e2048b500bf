"""``doctor``: what is installed, what each missing extra would bring, and whether the parts work."""

from __future__ import annotations

import platform
import shutil
import tomllib
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from kontrast import __version__
from kontrast.errors import KontrastError, install_command
from kontrast.record import Record

_DECLARED = tomllib.loads((Path(__file__).parents[1] / "data" / "extras.toml").read_text("utf-8"))
EXTRAS: dict[str, tuple[tuple[tuple[str, str], ...], str]] = {
    name: (tuple(each["modules"].items()), each["purpose"]) for name, each in _DECLARED.items()
}
"""Each extra: modules with their packages, and what it is for."""

PROGRAMS = {
    "lt-proc": "Apertium's lexicons (Debian: apertium-eng-spa and other pairs)",
    "chromium": "tests that open pages in a browser",
}


class DoctorFinding(Record, frozen=True):
    """One thing looked at. ``state`` is ok, missing (optional) or broken; ``text`` says what it is or what to do."""

    part: str
    state: Literal["ok", "missing", "broken"]
    text: str


class Diagnosis(Record, frozen=True):
    """All findings; nothing is wrong unless one is broken."""

    _parts = "findings"
    kontrast: str
    python: str
    platform: str
    findings: tuple[DoctorFinding, ...]

    @property
    def healthy(self) -> bool:
        return all(finding.state != "broken" for finding in self.findings)


def doctor(*, load: bool = False) -> Diagnosis:
    """Check extras, programs, cache and store; with ``load`` also whether the bundled model scores.

    >>> doctor().healthy
    True
    """
    findings = [_extra(name) for name in EXTRAS]
    for program, purpose in PROGRAMS.items():
        found = shutil.which(program)
        findings.append(DoctorFinding(program, "ok" if found else "missing", purpose))
    findings += [_annotator("en"), _annotator("fr"), _encoder(), _tried("cache", _cache), _tried("store", _store)]
    if load:
        findings.append(_tried("tiny", _tiny))
    return Diagnosis(__version__, platform.python_version(), platform.platform(), tuple(findings))


def _extra(name: str) -> DoctorFinding:
    modules, purpose = EXTRAS[name]
    missing = [package for module, package in modules if find_spec(module) is None]
    if missing:
        return DoctorFinding(name, "missing", f"{purpose}: {install_command(name)}")
    versions = []
    for _, package in modules:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            versions.append(package)
    return DoctorFinding(name, "ok", f"{purpose} ({', '.join(versions)})")


def _annotator(language: str) -> DoctorFinding:
    from kontrast.language.annotators import available, how_to_get

    part, purpose = f"spaCy {language}", f"annotation of {language!r}, for build and perturb"
    if found := available(language):
        return DoctorFinding(part, "ok", f"{purpose} ({found[0]})")
    return DoctorFinding(part, "missing", f"{purpose}: {how_to_get(language)}")


def _encoder() -> DoctorFinding:
    from kontrast.language.encoder import ENCODER, encoder_place

    purpose = "a second opinion on antecedents, for build pronouns"
    if (place := encoder_place()) is not None:
        return DoctorFinding("encoder", "ok", f"{purpose} ({place})")
    return DoctorFinding("encoder", "missing", f"{purpose}: --second-opinion {ENCODER} downloads it")


def _tried(part: str, look: Callable[[], str]) -> DoctorFinding:
    try:
        return DoctorFinding(part, "ok", look())
    except (KontrastError, OSError) as error:
        return DoctorFinding(part, "broken", str(error))


def _cache() -> str:
    from kontrast.io.files import cache_folder

    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    probe = folder / ".doctor"
    probe.write_text("x")
    probe.unlink()
    return f"{folder} is writable (KONTRAST_CACHE changes the folder)"


def _store() -> str:
    from kontrast.scoring.store import Store

    store = Store(None)
    try:
        return f"{store.path} opens (KONTRAST_STORE changes the file)"
    finally:
        store.close()


def _tiny() -> str:
    from kontrast.flows.scoring import score
    from kontrast.suites.demo import bundled

    suite = bundled("demo:fr")[:4]
    found = score(suite, "tiny")
    return f"the bundled model scored {len(found.values)} rows"
