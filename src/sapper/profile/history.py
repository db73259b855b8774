"""History: a player's finished games on disk, and the unfinished game."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from sapper.errors import BadFile, BadRecord, DamagedDatabase, SapperError
from sapper.formats.files import MOST_BYTES
from sapper.formats.recorder import Recorder
from sapper.formats.records import NotBegun, record_from_json
from sapper.game.game import Game, Outcome
from sapper.game.record import Record
from sapper.profile.history_file import HistoryFile, game_of, row_of
from sapper.profile.scores import BoardKind, FinishedGame, LevelStatistics, statistics
from sapper.profile.unsaved_games import UnsavedGames
from sapper.storage.database import Row
from sapper.storage.files import PRIVATE, errors_named, file_name, move_aside, read_limited
from sapper.storage.folders import check_private_file, data_folder, make_private_folder

_PREVIOUS: Final = re.compile(r"unfinished\.previous(?:-([1-9][0-9]{0,8}))?\.json")
"""The names of unfinished games that others have replaced; the highest number is the most recent."""
_MOST_PREVIOUS: Final = 5
"""The number of replaced games to keep. Players start many games that they do not finish."""

__all__ = ["BoardKind", "FinishedGame", "History", "LevelStatistics", "statistics"]


class History:
    """The finished games of a player, in an SQLite file in a folder.

    Disk problems never interrupt the game: `trouble` says what is wrong. A game that cannot be added to
    the history is saved in the folder `unsaved` and added later. A damaged file is renamed, and the
    games that can still be read are recovered.

    >>> import tempfile
    >>> from sapper import Game
    >>> game = Game.on("3x1/1", [(0, 2)])
    >>> opened = game.open((0, 0))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     history = History.open(folder)
    ...     is_on_disk = history.add(FinishedGame.of(Record.of(game), kind="given"))
    ...     [(kept.level, kept.won) for kept in History(folder)], is_on_disk, history.trouble
    ([('3x1/1', True)], True, None)
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None) -> None:
        """Open the history in a folder. Nothing is written before a game is added.

        Raises `SapperError` if no folder is given and the system has no default.
        """
        self.folder = data_folder(folder)
        self.path = self.folder / "history.sqlite"
        self.unfinished_path = self.folder / "unfinished.json"
        """Where the game in progress is recorded."""
        self._file = HistoryFile(self.path)
        self._unsaved = UnsavedGames(self.folder / "unsaved")
        self._in_memory: list[FinishedGame] = []
        """Games that are only in memory."""
        self._recorder: Recorder | None = None
        self._recorded_game: Game | None = None
        """The game of the recorder."""
        self._game_in_file: Game | None = None
        """The game whose moves are in the file; None if it was not played or resumed here."""
        self._resumes = False
        """Whether the next game is the unfinished one."""
        self._troubles: dict[str, str] = {}

    @classmethod
    def open(cls, folder: str | os.PathLike[str] | None = None) -> History:
        """Return the history in a folder. The folder is created and problems are detected at once."""
        history = cls(folder)
        history.save()
        return history

    @property
    def trouble(self) -> str | None:
        """What is wrong, in a sentence or two; None if everything works."""
        return "; ".join(self._troubles.values()) or None

    def _check_folder(self, path: Path) -> None:
        """Create the folder; raise `BadFile` if the folder or the file is not safe to write to."""
        with errors_named(self.folder, "create"):
            make_private_folder(self.folder)
        with errors_named(path, "write"):
            check_private_file(path)

    # Finished games ----------------------------------------------------------------------------

    def add(self, game: FinishedGame) -> bool:
        """Add a finished game; return whether it is on disk. If it is not, `trouble` says why."""
        self._in_memory.append(game)
        self.save()
        return not any(each is game for each in self._in_memory)

    def save(self) -> bool:
        """Add all games that are not in the history yet; return whether that worked."""
        for key in ("games", "repair", "unsaved"):
            self._troubles.pop(key, None)
        try:
            self._check_folder(self.path)
            tokens = self._file.insert(self._in_memory, self._unsaved_games)
        except SapperError as error:
            self._save_apart(str(error))
            return False
        finally:
            self._note_repair()
        self._in_memory.clear()
        self._unsaved.remove(tokens)
        return True

    def _save_apart(self, reason: str) -> None:
        """Save games in separate files, because they cannot be added to the history now."""
        words = f"Finished games cannot be added to the history: {reason}"
        try:
            self._check_folder(self._unsaved.folder)
            while self._in_memory:
                self._unsaved.add(row_of(self._in_memory[0]))
                del self._in_memory[0]
        except SapperError as error:
            words += "" if str(error) in reason else f"; {error}"
            words += "; new games will be lost when Sapper closes"
        else:
            words += f"; until this is fixed, new games are saved in {file_name(self._unsaved.folder)}"
        self._troubles["games"] = words

    def _unsaved_games(self) -> dict[str, FinishedGame]:
        """Return the games in separate files, by token. Invalid files are renamed."""
        games: dict[str, FinishedGame] = {}
        for token, row in self._unsaved.read().items():
            try:
                games[token] = game_of(row)
            except SapperError:
                self._unsaved.set_aside(token)
        if self._unsaved.broken:
            names = ", ".join(path.name for path in self._unsaved.broken)
            self._troubles["unsaved"] = (
                f"Files in {file_name(self._unsaved.folder)} are not games and were renamed: {names}"
            )
        return games

    def _note_repair(self) -> None:
        if self._file.note is not None:
            self._troubles["repair"], self._file.note = self._file.note, None

    def __iter__(self) -> Iterator[FinishedGame]:
        """Generate the games in the order they were finished."""
        return iter(self.games())

    def games(self) -> list[FinishedGame]:
        """Return the games in the order they were finished; `record` returns their moves.

        >>> History("nowhere").games()
        []
        """
        self._troubles.pop("reading", None)
        rows: Iterable[Row] = ()
        added: set[str] = set()
        try:
            rows, added = self._file.read()
        except SapperError as error:
            self._troubles["reading"] = f"Finished games cannot be read: {error}"
            if isinstance(error, DamagedDatabase):
                rows = self._file.salvaged()
        self._note_repair()
        games = list(self._games_of(rows))
        games += [game for token, game in self._unsaved_games().items() if token not in added]
        return games + self._in_memory

    def _games_of(self, rows: Iterable[Row]) -> Iterator[FinishedGame]:
        """Generate the games of rows. Invalid rows are reported in `trouble` and stay in the file."""
        wrong = []
        for row in rows:
            try:
                yield game_of(row)
            except SapperError as error:
                wrong.append(f"game {row['number']}: {error}")
        if wrong:
            count = "1 game" if len(wrong) == 1 else f"{len(wrong):,} games"
            words = f"{count} in {file_name(self.path)} could not be read and will be ignored"
            self._troubles["reading"] = f"{words} ({wrong[0]})"

    def record(self, game: FinishedGame) -> Record | None:
        """Return the record of a game; None if there is none. Raises `BadRecord` if it is invalid."""
        text: object = game.record
        if text is None and game.number is not None:
            self._troubles.pop("reading", None)
            try:
                text = self._file.read_record(game.number)
            except SapperError as error:
                self._troubles["reading"] = f"The game cannot be read: {error}"
            self._note_repair()
        if text is None:
            return None
        if not isinstance(text, str):
            raise BadRecord("it is not UTF-8 text")
        return record_from_json(text)

    # The unfinished game -----------------------------------------------------------------------

    def load_unfinished(self) -> Record | None:
        """Return the unfinished game; None if there is none.

        If a new game replaced it and was finished, this is the game that was replaced. An invalid file
        is renamed and reported in `trouble`. A finished game, or one without any opened cell, is not
        resumed.

        >>> History("nowhere").load_unfinished() is None
        True
        """
        self._troubles.pop("unfinished", None)
        path = self.unfinished_path
        previous = self._previous_files()
        if not os.path.lexists(path) and previous:
            with suppress(OSError):  # Then it can be resumed another time.
                previous[-1].replace(path)
        if not os.path.lexists(path):
            return None
        words = f"The unfinished game cannot be resumed: {file_name(path)}"
        try:
            record = record_from_json(read_limited(path, MOST_BYTES).decode())
        except OSError as error:
            self._troubles["unfinished"] = f"{words}: {error.strerror}"
            return None
        except NotBegun:
            return None
        except ValueError as error:  # It is not a valid record.
            self._troubles["unfinished"] = f"{words}: {error}"
            self._set_aside()
            return None
        if record.outcome is not Outcome.PLAYING:
            return None
        self._resumes = True
        return record

    def recorder(self, game: Game) -> Recorder | None:
        """Return a recorder for the game in progress; None if it cannot be recorded (see `trouble`).

        Its first move replaces the file of the unfinished game. If that is another game, its file is
        renamed, to `unfinished.previous.json` or a numbered name, and can be resumed later.
        """
        self._troubles.pop("unfinished", None)
        path = self.unfinished_path
        try:
            self._check_folder(path)
        except BadFile as error:
            self._troubles["unfinished"] = f"The game is not recorded: {error}"
            return None
        if os.path.lexists(path) and not path.is_file():
            self._troubles["unfinished"] = f"{file_name(path)} is not a regular file"
            self._set_aside()
        if self._recorder is not None and self._recorder.has_written:
            self._game_in_file = self._recorded_game
        if self._resumes:
            self._game_in_file, self._resumes = game, False
        backup = None if self._game_in_file is game else self._next_backup()
        self._recorder = Recorder(path, game, overwrite=True, backup=backup, mode=PRIVATE)
        self._recorded_game = game
        return self._recorder

    def is_recording(self, game: Game) -> bool:
        """Return whether this is the game in progress, which is recorded as the unfinished game."""
        return self._recorded_game is game

    def _previous_files(self) -> list[Path]:
        """Return the files of unfinished games that others have replaced, oldest first."""
        numbers: dict[int, Path] = {}
        with suppress(OSError):
            for path in self.folder.glob("unfinished.previous*.json"):
                match = _PREVIOUS.fullmatch(path.name)
                if match is not None:
                    numbers[int(match[1] or 1)] = path
        return [numbers[number] for number in sorted(numbers)]

    def _next_backup(self) -> Path:
        """Return the name that the unfinished game gets if a new game replaces it.

        Only the most recent games are kept.
        """
        files = self._previous_files()
        for old in files[:-_MOST_PREVIOUS]:
            with suppress(OSError):
                old.unlink()
        last = _PREVIOUS.fullmatch(files[-1].name) if files else None
        if last is None:
            return self.folder / "unfinished.previous.json"
        return self.folder / f"unfinished.previous-{int(last[1] or 1) + 1}.json"

    def forget_unfinished(self) -> None:
        """Delete the unfinished game. If it continues after all, it is recorded again."""
        self._troubles.pop("unfinished", None)
        try:
            if self._recorder is None:
                self.unfinished_path.unlink(missing_ok=True)
            else:
                self._recorder.delete_file()
        except OSError as error:
            words = f"The unfinished game cannot be deleted: {file_name(self.unfinished_path)}"
            self._troubles["unfinished"] = f"{words}: {error.strerror}"

    def _set_aside(self) -> None:
        try:
            aside = move_aside(self.unfinished_path)
        except OSError as error:
            self._troubles["unfinished"] += f"; it cannot be renamed either: {error.strerror}"
        else:
            self._troubles["unfinished"] += f"; it was renamed to {aside.name}"
