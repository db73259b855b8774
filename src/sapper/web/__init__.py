"""The web page and its server: `sapper serve`."""

from __future__ import annotations

from pathlib import Path

import platformdirs

from sapper.errors import SapperError

__all__ = ["games_file", "serve"]


def games_file() -> Path:
    """Return where games are kept if nothing else is said: in the user's data folder."""
    return platformdirs.user_data_path("sapper") / "web-games.sqlite"


def serve(
    *, host: str = "127.0.0.1", port: int = 8000, games: Path, workers: int | None = None
) -> None:
    """Serve the page until somebody stops it."""
    try:
        import uvicorn

        from sapper.web.app import Options, create_app
    except ImportError as reason:
        raise SapperError(
            f"the web page needs the extra web: pip install 'sapper[web]' ({reason})"
        ) from reason
    options = Options(games) if workers is None else Options(games, workers)
    uvicorn.run(create_app(options), host=host, port=port, log_level="warning", access_log=False)
