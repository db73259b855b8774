"""`python runner.py`: play in a window; where there is no display, watch the AI in the terminal."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "src"))  # Used only where Sapper is not installed.

try:
    from sapper.cli import run_window
except ModuleNotFoundError as missing:
    sys.exit(f"{missing.name} is not installed: run `pip install -r requirements.txt` first")

if __name__ == "__main__":
    run_window()
