"""Run the tour of README.md and put what the commands print under them: what the page shows is what happens.

A block fenced as ``console`` holds commands behind ``$``; their standard output follows. All run in one empty folder,
in order.

    python tools/readme.py           write README.md anew
    python tools/readme.py --check   exit status 1 where it differs
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.DOTALL | re.MULTILINE)


def renewed(text: str) -> str:
    """The page with every output as it is now."""
    with tempfile.TemporaryDirectory() as folder:
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
    old = README.read_text("utf-8")
    new = renewed(old)
    if "--check" not in sys.argv:
        README.write_text(new, "utf-8")
    elif new != old:
        raise SystemExit("README.md does not show what its commands print: run python tools/readme.py")


if __name__ == "__main__":
    main()
