"""The web page and its server: `sapper serve`."""

from __future__ import annotations

from pathlib import Path

from sapper.errors import SapperError

__all__ = ["serve"]


def serve(*, host: str = "127.0.0.1", port: int = 8000, games: Path, workers: int | None = None) -> None:
    """Serve the page until somebody stops it."""
    try:
        import uvicorn

        from sapper.web.app import Options, create_app
    except ImportError as reason:
        raise SapperError(f"the web page needs the extra web: pip install 'sapper[web]' ({reason})") from reason
    options = Options(games) if workers is None else Options(games, workers)
    uvicorn.run(create_app(options), host=host, port=port, log_level="warning", access_log=False)
