"""Run the commands of the pages that show output and put what they print under them: pages show what happens.

A block fenced as ``console`` holds commands behind ``$``; their standard output follows. Those of a page run in one
folder, in order; it has nothing but a link to docs/. A page whose program is not installed is left as it is.

    python tools/readme.py [PAGE …]           write the pages anew
    python tools/readme.py --check [PAGE …]   exit status 1 where one differs
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = {"README.md": None, "docs/tutorial.md": None, "docs/apertium.md": "apertium"}
"""Each with the program that it needs."""
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)


def renewed(text: str) -> str:
    """The page with every output as it is now."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "docs").symlink_to(ROOT / "docs")
        return BLOCK.sub(lambda block: _run_block(block[1], Path(folder)), text)


def _run_block(block: str, folder: Path) -> str:
    commands = re.findall(r"^\$ (.*(?:\\\n.*)*)\n", block, re.MULTILINE)
    return "".join(f"$ {command}\n{_output(command, folder)}" for command in commands)


def _output(command: str, folder: Path) -> str:
    paths = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": paths, "KONTRAST_STORE": str(folder / ".store"), "COLUMNS": "100"}
    done = subprocess.run(
        ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    # 1 is a gate or a check that failed, which the tour may show; 141 a reader such as head that had enough.
    if done.returncode not in (0, 1, 141) or "Traceback" in done.stderr:
        raise SystemExit(f"{command}\n{done.stderr}")
    return done.stdout.rstrip("\n") + "\n" if done.stdout else ""


def main() -> None:
    named = [name for name in sys.argv[1:] if name != "--check"] or list(PAGES)
    for name in named:
        program = PAGES[name]
        if program is not None and shutil.which(program) is None:
            print(f"{name}: left as it is; there is no {program} here", file=sys.stderr)
            continue
        old = (ROOT / name).read_text("utf-8")
        new = renewed(old)
        if "--check" not in sys.argv:
            (ROOT / name).write_text(new, "utf-8")
        elif new != old:
            raise SystemExit(f"{name} does not show what its commands print: run python tools/readme.py {name}")


if __name__ == "__main__":
    main()
