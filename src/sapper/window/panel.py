"""The surroundings of the board: the course's panel, or the bar and the help text."""

from __future__ import annotations

from math import log
from typing import Final

from sapper.advice.overlay import Overlay
from sapper.game.game import Outcome
from sapper.position import FLAG
from sapper.session.session import SPEEDS, Session
from sapper.window.canvas import Canvas
from sapper.window.keys import Keys
from sapper.window.layout import BoardLayout, Rect
from sapper.window.play_layout import PlayLayout
from sapper.window.screens import Target

COURSE_LABELS: Final = {"ai": "AI Move", "reset": "Reset", "level": "Level"}
COURSE_KEYS: Final = (
    ("Arrows", "move"),
    ("Space", "open"),
    ("F", "flag"),
    ("A", "AI move"),
    ("R", "reset"),
    ("M", "level"),
    ("Esc", "home"),
)
LABELS: Final = {
    "new": "New",
    "again": "Again",
    "undo": "Undo",
    "hint": "Hint",
    "why": "Why?",
    "heat": "Risks",
    "ai": "AI Move",
    "autoplay": "Autoplay",
    "level": "Menu",
    "review": "Review",
}
LISTED: Final = (
    ("open", "open"),
    ("flag", "flag"),
    ("hint", "hint"),
    ("why", "explain"),
    ("heat", "risks"),
    ("ai", "AI move"),
    ("autoplay", "autoplay"),
    ("undo", "undo"),
    ("redo", "redo"),
    ("again", "same board"),
    ("new", "new board"),
    ("go_on", "continue after mine"),
    ("copy", "copy board code"),
    ("review", "review"),
    ("statistics", "statistics"),
    ("settings", "settings"),
    ("level", "menu"),
    ("help", "help"),
)
"""The actions whose keys are listed, the most useful first, with their labels."""
KNOWLEDGE: Final = ("knowledge", "agent's knowledge")
"""Is listed first if the agent is examined."""


def mines_left(session: Session) -> int:
    """Return the number of mines without a flag."""
    return session.game.level.mines - session.game.position.codes.count(FLAG)


def outcome_word(canvas: Canvas, session: Session) -> tuple[str, str]:
    """Return the word for the state of the game, and its colour."""
    outcome = session.game.outcome
    if outcome is Outcome.PLAYING:
        return ("Practice", canvas.theme.muted) if session.practice else ("", canvas.theme.ink)
    if outcome is Outcome.WON:
        return "Won", canvas.theme.won
    return "Lost", canvas.theme.lost


def instead(button: str, session: Session) -> str:
    """Return the action of a button. After the game, the AI button opens the review."""
    return "review" if button == "ai" and session.game.over else button


# The course's panel ------------------------------------------------------------------------------


def draw_course_panel(
    canvas: Canvas,
    layout: BoardLayout,
    session: Session,
    hovered: Target | None,
    pressed: Target | None,
) -> None:
    """Draw the number of mines left, the buttons, and *Lost* or *Won*."""
    unit, left = layout.unit, mines_left(session)
    rect = layout.counter
    picture = canvas.picture("mine.svg", round(1.6 * unit))
    canvas.surface.blit(picture, (rect.x, rect.center[1] - picture.get_height() // 2))
    beside = 2 * unit
    words = Rect(rect.x + beside, rect.y, rect.width - beside, rect.height)
    mines = "mine" if left == 1 else "mines"
    canvas.text(words, f"{left} {mines} left", round(1.15 * unit), canvas.theme.ink, "left")
    for name, place in layout.buttons.items():
        canvas.button(
            place,
            COURSE_LABELS[name],
            round(1.15 * unit),
            main=name == "ai",
            hovered=hovered == name,
            pressed=pressed == name,
        )
    word, colour = outcome_word(canvas, session)
    if word:
        canvas.text(layout.word, word, 2 * unit, colour)


def draw_course_keys(canvas: Canvas, layout: BoardLayout, rect: Rect) -> None:
    """List the keys of the course's window."""
    size = max(round(layout.unit * 0.8), 9)
    if not layout.beside:
        listed = ",  ".join(f"{key}: {what}" for key, what in COURSE_KEYS)
        canvas.paragraph(rect, listed, size, canvas.theme.muted, "center")
        return
    for number, (key, what) in enumerate(COURSE_KEYS):
        row = rect.row(number, len(COURSE_KEYS), 0)
        canvas.text(row.column(0, 2, 0), key, size, canvas.theme.ink, "left")
        canvas.text(row.column(1, 2, 0), what, size, canvas.theme.muted, "left")


# The bar -----------------------------------------------------------------------------------------


def clock_text(seconds: float) -> str:
    """Return a time as minutes and seconds.

    >>> clock_text(0), clock_text(75.9), clock_text(6000)
    ('00:00', '01:15', '100:00')
    """
    minutes, rest = divmod(int(seconds), 60)
    return f"{minutes:02}:{rest:02}"


def rail(rect: Rect) -> Rect:
    """Return the track of a slider."""
    return rect._replace(x=rect.x + rect.height // 3, width=max(1, rect.width - 2 * (rect.height // 3)))


def draw_bar(
    canvas: Canvas,
    layout: PlayLayout,
    session: Session,
    hovered: Target | None,
    pressed: Target | None,
    focus: str | None,
) -> None:
    """Draw the counter, the clock, the outcome and the buttons."""
    unit, theme = layout.unit, canvas.theme
    size = round(1.2 * unit)
    picture = canvas.picture("mine.svg", round(1.5 * unit))
    place = layout.counter
    canvas.surface.blit(picture, (place.x, place.center[1] - picture.get_height() // 2))
    beside = round(1.8 * unit)
    words = Rect(place.x + beside, place.y, place.width - beside - unit // 3, place.height)
    canvas.text(words, str(mines_left(session)), size, theme.ink, "left")
    canvas.text(layout.clock, clock_text(session.seconds), size, theme.ink, "left")
    word, colour = outcome_word(canvas, session)
    if word:
        canvas.text(layout.word, word, size, colour, "left")
    overlay = session.overlay
    active = {"heat": overlay is not None and bool(overlay.risks), "autoplay": session.autoplay}
    for name, rect in layout.buttons.items():
        if name == "speed":
            _draw_slider(canvas, rect, unit, session.speed, hovered == name, focus == name)
            continue
        label = session.agent_name if name == "agent" else LABELS[instead(name, session)]
        canvas.button(
            rect,
            "Stop" if name == "autoplay" and session.autoplay else label,
            unit,
            main=name == "ai",
            hovered=hovered == name,
            pressed=pressed == name,
            focused=focus == name,
        )
        if active.get(name):
            thick = max(2, unit // 6)
            line = Rect(rect.x + unit // 2, rect.bottom - 2 * thick, rect.width - unit, thick)
            canvas.box(line, 0, theme.ink)


def _draw_slider(
    canvas: Canvas, rect: Rect, unit: int, speed: float, hovered: bool, focused: bool
) -> None:
    """Draw the slider for the autoplay speed."""
    theme, line = canvas.theme, rail(rect)
    if focused:
        canvas.box(rect, unit * 0.4, "none", theme.cursor, max(1.0, unit / 14) * 2.5)
    thick = max(2, unit // 6)
    middle = rect.y + rect.height * 2 // 7
    canvas.box(Rect(line.x, middle - thick // 2, line.width, thick), thick / 2, theme.muted)
    share = log(speed / SPEEDS[0]) / log(SPEEDS[1] / SPEEDS[0])
    side = round(0.9 * unit)
    x = line.x + round(share * line.width) - side // 2
    knob = theme.accent_hover if hovered else theme.accent
    canvas.box(Rect(x, middle - side // 2, side, side), side / 2, knob, theme.page, 1)
    told = Rect(rect.x, rect.y + rect.height // 2, rect.width, rect.height - rect.height // 2)
    canvas.text(
        told, f"{speed:.2g}/s" if speed < 9.95 else f"{speed:.0f}/s", round(0.8 * unit), theme.muted
    )


# Help --------------------------------------------------------------------------------------------


def draw_help(
    canvas: Canvas, rect: Rect, unit: int, overlay: Overlay, top: int, keys: Keys
) -> tuple[int, Rect]:
    """Draw the help text, scrolled by `top` pixels.

    Returns the number of pixels by which it can be scrolled, and the space left below it.
    """
    theme = canvas.theme
    margin = min(unit // 2, rect.height // 8)
    inside = rect.inset(margin)
    title = max(round(1.05 * unit), 10)
    plain = max(round(0.92 * unit), 9)
    width = inside.width - unit // 2
    lines = [(line, title, theme.ink) for line in canvas.wrap(overlay.title, title, width) if line]
    if overlay.step is not None:
        before, after = keys.label("previous_step"), keys.label("next_step")
        step = f"Step {overlay.step[0]} of {overlay.step[1]} ({before}: back, {after}: next)"
        lines += [(line, plain, theme.muted) for line in canvas.wrap(step, plain, width)]
    for text in overlay.lines:
        wrapped = canvas.wrap(text, plain, width)
        lines += [(line, plain, theme.ink) for line in wrapped]
    total = sum(round(size * 1.3) for _, size, _ in lines)
    room = max(0, total - inside.height)
    box = rect._replace(height=min(rect.height, total + 2 * margin))
    canvas.box(box, unit * 0.4, theme.button, theme.button_edge, max(1.0, unit / 14))
    top = min(top, room)
    y = inside.y - top
    canvas.surface.set_clip(inside)
    for line, size, colour in lines:
        tall = round(size * 1.3)
        if y + tall > inside.y and y < inside.bottom and line:
            canvas.line(inside._replace(y=y, height=tall), line, size, colour)
        y += tall
    canvas.surface.set_clip(None)
    if room:
        thick = max(3, unit // 4)
        length = max(thick * 3, inside.height * inside.height // total)
        bar_y = inside.y + (inside.height - length) * top // room
        canvas.box(Rect(inside.right - thick, bar_y, thick, length), thick / 2, theme.scroll_bar)
    rest = rect._replace(y=box.bottom + unit, height=max(0, rect.bottom - box.bottom - unit))
    return room, rest


def draw_keys(canvas: Canvas, rect: Rect, unit: int, keys: Keys, *, examined: bool = False) -> None:
    """List as many keys as fit."""
    size = max(round(0.85 * unit), 9)
    row_height, column_width = round(1.5 * unit), 13 * unit
    columns = max(1, rect.width // column_width)
    listed = (KNOWLEDGE, *LISTED) if examined else LISTED
    rows = min(-(-len(listed) // columns), rect.height // row_height)
    if rows < 1:
        return
    wide = min(rect.width // columns, 15 * unit)
    for number, (action, what) in enumerate(listed[: rows * columns]):
        x = rect.x + number // rows * wide
        row = Rect(x, rect.y + number % rows * row_height, wide, row_height)
        label = row._replace(width=4 * unit)
        canvas.text(label, keys.label(action), size, canvas.theme.ink, "left")
        rest = row._replace(x=label.right, width=wide - label.width - unit // 2)
        canvas.text(rest, what, size, canvas.theme.muted, "left")
