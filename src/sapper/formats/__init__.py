"""Formats: boards, positions and games as files and text, in Sapper's formats and others."""

from __future__ import annotations

from sapper.errors import BadCode
from sapper.formats.analysis import analysis_to_json, known_layouts
from sapper.formats.board import board_to_json
from sapper.formats.code import board_code, game_from_code
from sapper.formats.files import position_from_text, read, read_any, read_bytes, write
from sapper.formats.mbf import game_from_mbf, game_to_mbf
from sapper.formats.mine import position_from_mine, position_to_mine
from sapper.formats.recorder import Recorder, recorders
from sapper.formats.records import check_cells, record_from_json, record_to_json
from sapper.formats.replays import read_replay
from sapper.text import format_count, format_digits, format_percent

__all__ = [
    "BadCode",
    "Recorder",
    "analysis_to_json",
    "board_code",
    "board_to_json",
    "check_cells",
    "format_count",
    "format_digits",
    "format_percent",
    "game_from_code",
    "game_from_mbf",
    "game_to_mbf",
    "known_layouts",
    "position_from_mine",
    "position_from_text",
    "position_to_mine",
    "read",
    "read_any",
    "read_bytes",
    "read_replay",
    "record_from_json",
    "record_to_json",
    "recorders",
    "write",
]
