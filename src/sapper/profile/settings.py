"""Settings: the player's preferences, in a TOML file that can be edited by hand."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, TypeAlias

from sapper import agents
from sapper.errors import BadFile, BadSetting, SapperError
from sapper.profile.keys import ACTIONS, key_name
from sapper.storage.files import (
    PRIVATE,
    errors_named,
    file_name,
    move_aside,
    read_limited,
    replace_file,
)
from sapper.storage.folders import check_private_file, config_folder, make_private_folder

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

THEMES: Final = ("light", "dark", "high contrast")
_MOST_BYTES: Final = 2**18
KeyBindings: TypeAlias = Mapping[str, tuple[str, ...]]
"""The names of keys, by action."""


@dataclass(frozen=True)
class Settings:
    """The player's preferences.

    An invalid value raises an error. In a file, it is reported in `trouble` and the default is used.

    >>> Settings(theme="dark").text_scale
    1.0
    >>> Settings(theme="pink")
    Traceback (most recent call last):
    sapper.errors.BadSetting: theme is "pink", not one of light, dark, high contrast
    >>> settings = Settings.parse('theme = "dark"\\ntext_scale = 9')
    >>> settings.theme, settings.text_scale, settings.trouble
    ('dark', 1.0, ('text_scale is 9, not a number from 0.5 to 3',))
    """

    theme: str = "light"
    text_scale: float = 1.0
    reduced_motion: bool = False
    question_marks: bool = False
    strict_chords: bool = True
    agent: str = "logic"
    autoplay_speed: float = 2.0
    keys: KeyBindings = field(
        default_factory=lambda: {name: action.keys for name, action in ACTIONS.items()}
    )
    """The keys of every action."""
    trouble: tuple[str, ...] = field(default=(), compare=False)
    """The problems in the file that the settings were read from."""

    def __post_init__(self) -> None:
        for setting in SETTINGS.values():
            object.__setattr__(self, setting.name, setting.check(getattr(self, setting.name)))
        for name in self.keys.keys() - ACTIONS.keys():
            raise BadSetting(f"keys: {_shown(name)} is not an action")
        keys = {name: _checked_keys(name, self.keys.get(name, ACTIONS[name].keys)) for name in ACTIONS}
        for trouble in _clashes(keys).values():
            raise BadSetting(trouble)
        object.__setattr__(self, "keys", keys)

    def action_of(self, key: str) -> str | None:
        """Return the action of a key; None if it has none.

        >>> Settings().action_of("space"), Settings().action_of("ctrl+v"), Settings().action_of("q")
        ('open', 'paste', None)
        """
        return next((name for name, keys in self.keys.items() if key in keys), None)

    # Text --------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> Settings:
        """Return the settings in a TOML text; problems are listed in `trouble`.

        >>> Settings.parse("theme = light").trouble
        ('it is not TOML: Invalid value (at line 1, column 9)',)
        """
        try:
            facts = _facts(text)
        except BadSetting as error:
            return cls(trouble=(str(error),))
        values: dict[str, Any] = {}
        trouble = []
        for name, value in facts.items():
            try:
                if name == "keys":
                    values["keys"], wrong = _keys(value)
                    trouble += wrong
                elif name in SETTINGS:
                    values[name] = SETTINGS[name].check(value)
                else:
                    raise BadSetting(f"{_shown(name)} is not a setting")
            except BadSetting as error:
                trouble.append(str(error))
        return cls(**values, trouble=tuple(trouble))

    def to_toml(self) -> str:
        """Return the settings as TOML, with a comment for each.

        >>> print("\\n".join(Settings().to_toml().splitlines()[:5]))
        # Sapper settings. A setting that is left out has its default value.
        <BLANKLINE>
        # Theme: light, dark, high contrast.
        theme = "light"
        <BLANKLINE>
        >>> Settings.parse(Settings(theme="dark").to_toml()).theme
        'dark'
        """
        lines = ["# Sapper settings. A setting that is left out has its default value.", ""]
        for setting in SETTINGS.values():
            value = json.dumps(getattr(self, setting.name))
            lines += [f"# {setting.words}", f"{setting.name} = {value}", ""]
        lines += ["# Keys for each action: a list of key names, such as f1, ctrl+v or [0].", "[keys]"]
        for name, action in ACTIONS.items():
            keys = json.dumps(self.keys[name], ensure_ascii=False)
            lines.append(f"{name} = {keys}  # {action.words}")
        return "\n".join(lines) + "\n"

    # The file ----------------------------------------------------------------------------------

    @classmethod
    def load(cls, folder: str | os.PathLike[str] | None = None) -> Settings:
        """Return the settings in a folder; the defaults if there is no file.

        This never raises an error: problems are listed in `trouble`.

        >>> Settings.load("nowhere") == Settings()
        True
        """
        try:
            path = settings_path(folder)
            text = _read(path)
        except SapperError as error:
            return cls(trouble=(str(error),))
        settings = cls.parse(text)
        named = tuple(f"{file_name(path)}: {trouble}" for trouble in settings.trouble)
        return replace(settings, trouble=named)

    def save(self, folder: str | os.PathLike[str] | None = None) -> str | None:
        """Write the file; return an error message, or None if it was written.

        The folder is created if it is missing. An existing file that this version does not fully
        understand is renamed, not replaced.

        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Settings(theme="dark").save(folder), Settings.load(folder).theme
        (None, 'dark')
        """
        try:
            path = settings_path(folder)
            with errors_named(path.parent, "create"):
                make_private_folder(path.parent)
            with errors_named(path, "write"):
                check_private_file(path)
                if path.is_file() and not _is_understood(path):
                    move_aside(path)
                replace_file(path, self.to_toml().encode(), mode=PRIVATE)
        except SapperError as error:
            return str(error)
        return None


def settings_path(folder: str | os.PathLike[str] | None = None) -> Path:
    """Return the path of the settings: in the given folder, `SAPPER_CONFIG`, or the default folder.

    >>> settings_path("folder").name
    'settings.toml'
    """
    return config_folder(folder) / "settings.toml"


def is_first_run(folder: str | os.PathLike[str] | None = None) -> bool:
    """Return whether there is no settings file yet; False if there is no folder for one.

    >>> is_first_run("nowhere")
    True
    """
    try:
        return not os.path.lexists(settings_path(folder))
    except SapperError:  # There is no folder for settings.
        return False


# The settings --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """A setting: its name, its description and its valid values."""

    name: str
    words: str
    check: Callable[[object], object]
    """Returns a valid value, or raises `BadSetting`."""


def _choice(name: str, values: tuple[str, ...]) -> Callable[[object], object]:
    def check(value: object) -> object:
        if value not in values:
            raise BadSetting(f"{name} is {_shown(value)}, not one of {', '.join(values)}")
        return value

    return check


def _number(name: str, least: float, most: float) -> Callable[[object], object]:
    def check(value: object) -> object:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise BadSetting(f"{name} is {_shown(value)}, not a number from {least:g} to {most:g}")
        return float(value)

    return check


def _switch(name: str) -> Callable[[object], object]:
    def check(value: object) -> object:
        if not isinstance(value, bool):
            raise BadSetting(f"{name} is {_shown(value)}, not true or false")
        return value

    return check


_AGENTS: Final = tuple(map(str, agents.AgentName))
SETTINGS: Final[dict[str, Setting]] = {
    setting.name: setting
    for setting in (
        Setting("theme", f"Theme: {', '.join(THEMES)}.", _choice("theme", THEMES)),
        Setting(
            "text_scale", "Text size, relative to the default: 0.5 to 3.", _number("text_scale", 0.5, 3)
        ),
        Setting("reduced_motion", "Turn off all animation.", _switch("reduced_motion")),
        Setting(
            "question_marks",
            "Let a second right-click turn a flag into a question mark.",
            _switch("question_marks"),
        ),
        Setting(
            "strict_chords",
            "Chord only if a number has exactly as many flags as it shows; if false, more are allowed.",
            _switch("strict_chords"),
        ),
        Setting("agent", f"Agent for the AI moves: {', '.join(_AGENTS)}.", _choice("agent", _AGENTS)),
        Setting(
            "autoplay_speed",
            "Autoplay speed in moves per second: 0.1 to 60.",
            _number("autoplay_speed", 0.1, 60),
        ),
    )
}
"""The settings other than keys, by name."""


def _checked_keys(action: str, value: object) -> tuple[str, ...]:
    """Return the names of the keys of an action."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(key, str) for key in value):
        raise BadSetting(f"keys: {action} is {_shown(value)}, not a list of key names")
    try:
        return tuple(dict.fromkeys(key_name(key) for key in value))
    except SapperError as error:
        raise BadSetting(f"keys: {action}: {error}") from error


def _keys(value: object) -> tuple[KeyBindings, list[str]]:
    """Return the keys of every action, and the problems."""
    if not isinstance(value, dict):
        raise BadSetting(f"keys is {_shown(value)}, not a table of actions")
    keys = {name: action.keys for name, action in ACTIONS.items()}
    trouble = []
    for name, chosen in value.items():
        if name not in ACTIONS:
            trouble.append(f"keys: {_shown(name)} is not an action")
            continue
        try:
            keys[name] = _checked_keys(name, chosen)
        except BadSetting as error:
            trouble.append(str(error))
    # Defaults never clash, so in each clash one action was configured. Its default may clash again.
    while clashes := _clashes(keys):
        trouble += clashes.values()
        taken = {name for pair in clashes for name in pair}
        keys |= {name: ACTIONS[name].keys for name in taken}
    return keys, trouble


def _clashes(keys: KeyBindings) -> dict[tuple[str, str], str]:
    """Return the pairs of actions that share a key, with a message for each."""
    owners: dict[str, str] = {}
    clashes: dict[tuple[str, str], str] = {}
    for name, chosen in keys.items():
        for key in chosen:
            owner = owners.setdefault(key, name)
            if owner != name:
                clashes[owner, name] = f"keys: {_shown(key)} is used for both {owner} and {name}"
    return clashes


# Reading -------------------------------------------------------------------------------------


def _read(path: Path) -> str:
    """Return the text of a file; empty if the file does not exist."""
    with errors_named(path, "read"):
        try:
            if path.is_file() and path.stat().st_size == 0:
                return ""
            data = read_limited(path, _MOST_BYTES)
        except FileNotFoundError:
            return ""
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise BadFile(f"it is not UTF-8 text: byte {error.start + 1:,} is invalid") from error


def _facts(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise BadSetting("it is not TOML: it is nested too deeply") from None
    except ValueError as error:
        raise BadSetting(f"it is not TOML: {error}") from error


def _is_understood(path: Path) -> bool:
    """Return whether a file can be replaced without losing settings."""
    try:
        return not Settings.parse(_read(path)).trouble
    except SapperError:
        return False


def _shown(value: object) -> str:
    """Return a value for a message: short and on one line."""
    return json.dumps(value, default=str)[:60]
