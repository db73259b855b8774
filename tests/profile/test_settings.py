"""Settings: what is right in a file is used, what is wrong is named, and saving loses nothing."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pygame
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper import agents
from sapper.errors import BadKey, BadSetting
from sapper.profile.keys import ACTIONS, CURSOR_KEYS, NAMED_KEYS, key_name
from sapper.profile.settings import SETTINGS, THEMES, Settings
from tests.support.system import ordinary_user

PAGE = Path(__file__).parents[2] / "docs" / "settings.md"


@pytest.fixture
def pygame_key_names() -> Iterator[set[str]]:
    """The names that pygame gives to its keys."""
    before = os.environ.get("SDL_VIDEODRIVER")
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    pygame.display.init()
    codes = [getattr(pygame, name) for name in dir(pygame) if name.startswith("K_")]
    yield {pygame.key.name(code) for code in codes}
    pygame.display.quit()
    if before is None:
        del os.environ["SDL_VIDEODRIVER"]
    else:
        os.environ["SDL_VIDEODRIVER"] = before


# Keys --------------------------------------------------------------------------------------


def test_key_names_are_those_of_pygame(pygame_key_names: set[str]) -> None:
    assert {*NAMED_KEYS, *CURSOR_KEYS} <= pygame_key_names
    for action in ACTIONS.values():
        assert {key.split("+")[-1] or "+" for key in action.keys} <= pygame_key_names


def test_every_action_has_its_own_keys() -> None:
    keys = [key for action in ACTIONS.values() for key in action.keys]
    assert len(set(keys)) == len(keys)
    assert [key_name(key) for key in keys] == keys
    assert all(action.keys and action.words for action in ACTIONS.values())


@pytest.mark.parametrize(
    ("text", "name"),
    [("Space", "space"), ("shift+Ctrl+x", "ctrl+shift+x"), ("+", "+"), ("alt++", "alt++"), ("ä", "ä")],
)
def test_a_key_has_one_name(text: str, name: str) -> None:
    assert key_name(text) == name
    assert key_name(name) == name


@pytest.mark.parametrize(
    "text", ["", " ", "ctrl+", "ctrl", "spac", "ff", "f16", "ctrl+ctrl", "\n", "a\n"]
)
def test_unknown_keys_are_named(text: str) -> None:
    with pytest.raises(BadKey, match="is not the name of a key"):
        key_name(text)


def test_cursor_keys_cannot_be_reassigned() -> None:
    with pytest.raises(BadKey, match="'page up' always moves the cursor"):
        key_name("page up")


# Values ------------------------------------------------------------------------------------

keys = st.dictionaries(
    st.sampled_from(list(ACTIONS)),
    st.lists(st.sampled_from([*NAMED_KEYS, *"abc123+-\"\\'[]#äß", "ctrl+v", "ctrl++"]), max_size=3),
)
choices = st.fixed_dictionaries(
    {},
    optional={
        "theme": st.sampled_from(THEMES),
        "text_scale": st.floats(0.5, 3),
        "reduced_motion": st.booleans(),
        "question_marks": st.booleans(),
        "agent": st.sampled_from(list(agents.AgentName)),
        "autoplay_speed": st.floats(0.1, 60),
    },
)


@given(choices, keys)
def test_settings_are_read_back_unchanged(
    chosen: dict[str, object], chosen_keys: dict[str, list[str]]
) -> None:
    try:
        settings = Settings(**chosen, keys=chosen_keys)  # type: ignore[arg-type]
    except BadSetting:  # One key for two actions.
        settings = Settings(**chosen)  # type: ignore[arg-type]
    again = Settings.parse(settings.to_toml())
    assert (again, again.trouble) == (settings, ())


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ('theme = "pink"', 'theme is "pink", not one of light, dark, high contrast'),
        ("theme = 1", "theme is 1, not one of light, dark, high contrast"),
        ("text_scale = 0.4", "text_scale is 0.4, not a number from 0.5 to 3"),
        ("text_scale = nan", "text_scale is NaN, not a number from 0.5 to 3"),
        ("text_scale = true", "text_scale is true, not a number from 0.5 to 3"),
        ('text_scale = "1"', 'text_scale is "1", not a number from 0.5 to 3'),
        ("reduced_motion = 1", "reduced_motion is 1, not true or false"),
        ("question_marks = 1979-05-27", 'question_marks is "1979-05-27", not true or false'),
        ('agent = "oracle"', f'agent is "oracle", not one of {", ".join(agents.AgentName)}'),
        ("autoplay_speed = 0", "autoplay_speed is 0, not a number from 0.1 to 60"),
        ("volume = 3", '"volume" is not a setting'),
        ("keys = 3", "keys is 3, not a table of actions"),
        ('[keys]\nfly = ["z"]', 'keys: "fly" is not an action'),
        ('[keys]\nflag = "z"', 'keys: flag is "z", not a list of key names'),
        ("[keys]\nflag = [1]", "keys: flag is [1], not a list of key names"),
        ('[keys]\nflag = ["zz"]', "keys: flag: 'zz' is not the name of a key"),
        ('[keys]\nflag = ["left"]', "keys: flag: 'left' always moves the cursor"),
        ('[keys]\nflag = ["a"]', 'keys: "a" is used for both flag and ai'),
        ("theme = ", "it is not TOML: Invalid value (at end of document)"),
    ],
)
def test_an_invalid_value_is_named_and_replaced_by_its_default(text: str, trouble: str) -> None:
    settings = Settings.parse(text)
    assert settings.trouble == (trouble,)
    assert settings == Settings()


def test_valid_values_next_to_invalid_ones_are_used() -> None:
    settings = Settings.parse(
        'theme = "dark"\ntext_scale = 7\n[keys]\nflag = ["q"]\nundo = ["?!"]\nhint = []'
    )
    assert (settings.theme, settings.text_scale) == ("dark", 1.0)
    assert (settings.keys["flag"], settings.keys["undo"]) == (("q",), ("u", "backspace"))
    assert len(settings.trouble) == 2
    assert settings.action_of("h") is None


def test_keys_can_be_swapped() -> None:
    settings = Settings.parse('[keys]\nflag = ["D"]\nchord = ["F"]')
    assert settings.trouble == ()
    assert (settings.action_of("d"), settings.action_of("f")) == ("flag", "chord")


def test_a_restored_default_may_clash_with_another_key() -> None:
    # x is go_on's, so that chord has d again; and d was chosen for flag.
    settings = Settings.parse('[keys]\nflag = ["d"]\nchord = ["x"]')
    assert settings == Settings()
    assert settings.trouble == (
        'keys: "x" is used for both chord and go_on',
        'keys: "d" is used for both flag and chord',
    )


@given(keys)
def test_no_key_ever_has_two_actions(chosen: dict[str, list[str]]) -> None:
    lines = "\n".join(f"{name} = {_toml(names)}" for name, names in chosen.items())
    settings = Settings.parse(f"[keys]\n{lines}")
    taken = [key for names in settings.keys.values() for key in names]
    assert len(set(taken)) == len(taken)
    assert set(settings.keys) == set(ACTIONS)
    for name in ACTIONS:
        wished = tuple(dict.fromkeys(chosen.get(name, ACTIONS[name].keys)))
        assert settings.keys[name] in (wished, ACTIONS[name].keys)
    if not settings.trouble:
        assert all(set(settings.keys[name]) == set(names) for name, names in chosen.items())


def _toml(names: list[str]) -> str:
    quoted = ('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in names)
    return f"[{', '.join(quoted)}]"


@given(st.text())
def test_no_settings_text_raises_an_error(text: str) -> None:
    assert isinstance(Settings.parse(text).trouble, tuple)


def test_an_invalid_value_is_an_error_in_python() -> None:
    with pytest.raises(BadSetting, match="text_scale is 0"):
        Settings(text_scale=0)
    with pytest.raises(BadSetting, match='"a" is used for both flag and ai'):
        Settings(keys={"flag": ("a",)})
    with pytest.raises(BadSetting, match='"fly" is not an action'):
        Settings(keys={"fly": ("a",)})


# The file ----------------------------------------------------------------------------------


def test_the_file_is_in_an_argument_a_variable_or_the_default_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SAPPER_CONFIG", str(tmp_path / "new" / "folder"))
    assert Settings(theme="dark").save() is None
    assert (tmp_path / "new" / "folder" / "settings.toml").exists()
    assert Settings.load().theme == "dark"
    assert Settings.load(tmp_path) == Settings()
    monkeypatch.delenv("SAPPER_CONFIG")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    from sapper.profile.settings import settings_path

    assert settings_path().parent.name == "sapper"


@pytest.mark.parametrize("content", [b"", b"\n", b"# Nothing.", b'\xef\xbb\xbftheme = "light"'])
def test_an_empty_file_is_all_defaults(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "settings.toml").write_bytes(content)
    settings = Settings.load(tmp_path)
    assert (settings, settings.trouble) == (Settings(), ())


@pytest.mark.parametrize(
    "content",
    [b"theme", b"\xff", b"a = " + b"[" * 100_000, b"theme = 1\ntheme = 2", b"x" * 300_000],
)
def test_a_broken_file_gives_all_defaults_and_one_message(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    settings = Settings.load(tmp_path)
    assert settings == Settings()
    (trouble,) = settings.trouble
    assert trouble.startswith(f"{path}: it")
    assert len(trouble.splitlines()) == 1
    assert settings.save(tmp_path) is None
    assert Settings.load(tmp_path).trouble == ()
    assert (tmp_path / "settings.toml.broken").read_bytes() == content


def test_messages_name_the_file(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("volume = 3")
    assert Settings.load(tmp_path).trouble == (
        f'{tmp_path / "settings.toml"}: "volume" is not a setting',
    )


def test_saving_keeps_mode_and_link_and_leaves_nothing_beside(tmp_path: Path) -> None:
    folder, real = tmp_path / "folder", tmp_path / "real.toml"
    folder.mkdir()
    real.write_text('theme = "dark"')
    real.chmod(0o600)
    (folder / "settings.toml").symlink_to(real)
    assert Settings(theme="high contrast").save(folder) is None
    assert 'theme = "high contrast"' in real.read_text()
    assert stat.S_IMODE(real.stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == ["settings.toml"]


def test_a_failed_save_is_a_message_not_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    trouble = Settings().save(tmp_path / "file" / "below")
    assert trouble is not None
    assert "cannot create" in trouble
    assert "below: not a directory" in trouble
    (tmp_path / "settings.toml").mkdir()
    assert Settings().save(tmp_path) == f"{tmp_path / 'settings.toml'}: it is a directory"
    assert Settings.load(tmp_path).trouble == (f"{tmp_path / 'settings.toml'}: it is a directory",)


def test_a_read_only_folder_gives_a_message_and_the_file_stays() -> None:
    with ordinary_user() as folder:
        assert Settings(theme="dark").save(folder) is None
        folder.chmod(0o500)
        trouble = Settings().save(folder)
        assert trouble is not None
        assert "permission denied" in trouble
        assert Settings.load(folder).theme == "dark"
        folder.chmod(0o700)


def test_a_read_only_file_is_not_replaced() -> None:
    with ordinary_user() as folder:
        assert Settings(theme="dark").save(folder) is None
        (folder / "settings.toml").chmod(0o400)
        trouble = Settings().save(folder)
        assert trouble == f"{folder / 'settings.toml'}: it is read-only"
        assert Settings.load(folder).theme == "dark"


@pytest.mark.parametrize("content", [b"volume = 3\n", b"text_scale = 9\n", b'[keys]\nfly = ["z"]\n'])
def test_unknown_settings_are_kept_in_a_backup(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "settings.toml").write_bytes(content)
    assert Settings.load(tmp_path).save(tmp_path) is None
    assert Settings.load(tmp_path).trouble == ()
    assert (tmp_path / "settings.toml.broken").read_bytes() == content
    assert Settings.load(tmp_path).save(tmp_path) is None
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
def test_new_folders_and_files_are_private(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        assert Settings().save(tmp_path / "config" / "sapper") is None
    finally:
        os.umask(before)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in sorted((tmp_path / "config").rglob("*"))]
    assert modes == [0o700, 0o600]


@pytest.mark.skipif(os.name == "nt", reason="needs pipes and links")
@pytest.mark.parametrize("kind", ["pipe", "loop", "dangling", "folder"])
def test_a_special_file_gives_one_message(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "settings.toml"
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        path.symlink_to(path if kind == "loop" else tmp_path / "nowhere")
    settings = Settings.load(tmp_path)
    assert settings == Settings()
    assert len(settings.trouble) == 1
    trouble = settings.save(tmp_path)
    assert (trouble is None) == (kind == "dangling")  # That link gets its file.
    assert os.path.lexists(path)


@pytest.mark.skipif(os.name == "nt", reason="needs permissions")
def test_a_link_in_a_folder_that_everybody_may_write_to_is_not_followed(tmp_path: Path) -> None:
    shared, victim = tmp_path / "shared", tmp_path / "victim.toml"
    shared.mkdir()
    shared.chmod(0o777)
    victim.write_text("")
    (shared / "settings.toml").symlink_to(victim)
    trouble = Settings(theme="dark").save(shared)
    assert trouble is not None
    assert f"chmod o-w {shared}" in trouble
    assert victim.read_text() == ""


def test_a_folder_of_another_user_is_not_written(tmp_path: Path) -> None:
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    os.chown(tmp_path, 12345, -1)
    trouble = Settings().save(tmp_path)
    assert trouble is not None
    assert "it belongs to another user: choose a folder of your own" in trouble
    assert list(tmp_path.iterdir()) == []


def relative_folder(*_: object, **__: object) -> Path:
    return Path("~/.config/sapper")


def no_folder(*_: object, **__: object) -> Path:
    raise RuntimeError("could not determine the home directory")


@pytest.mark.parametrize("answer", [relative_folder, no_folder])  # Those of platformdirs' versions.
def test_without_a_home_folder_there_are_defaults(
    monkeypatch: pytest.MonkeyPatch, answer: Callable[..., Path]
) -> None:
    monkeypatch.delenv("SAPPER_CONFIG", raising=False)
    monkeypatch.setattr("platformdirs.user_config_path", answer)
    settings = Settings.load()
    assert settings == Settings()
    for trouble in (*settings.trouble, settings.save()):
        assert trouble is not None
        assert "your home folder is not known" in trouble
        assert "or SAPPER_CONFIG to a folder" in trouble


# The page ----------------------------------------------------------------------------------


def test_the_docs_page_lists_every_setting_and_action() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    defaults = vars(Settings())
    assert rows == [
        *(
            f"| `{name}` | `{json.dumps(defaults[name])}` | {setting.words} |"
            for name, setting in SETTINGS.items()
        ),
        *(
            f"| `{name}` | {_quoted(action.keys)} | {action.words} |"
            for name, action in ACTIONS.items()
        ),
    ]


def _quoted(keys: tuple[str, ...]) -> str:
    return ", ".join(f"`{key}`" for key in keys)


def test_the_example_on_the_docs_page_is_valid() -> None:
    (example,) = re.findall(r"```toml\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    settings = Settings.parse(example)
    assert settings.trouble == ()
    assert settings != Settings()
