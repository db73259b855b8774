"""`python runner.py`: play in a window. Without a display, watch the AI play in the terminal."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent / "src"))  # Needed only if Sapper is not installed.

try:
    from sapper.cli import run_window
except ModuleNotFoundError as missing:
    sys.exit(f"Error: {missing.name} is not installed: run `pip install -r requirements.txt` first")

if __name__ == "__main__":
    run_window()
