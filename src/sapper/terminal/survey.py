"""Surveys in the terminal: how far one is while it goes on, its files, and what it showed."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from sapper.arena.survey import Progress as Told
from sapper.arena.survey import Survey
from sapper.arena.survey_charts import draw_survey
from sapper.errors import SapperError
from sapper.storage.csv_cells import safe_cell
from sapper.storage.files import check_apart, check_replaceable, is_svg, starts_with, write_text
from sapper.terminal.progress import games_bar

_CSV_STARTS: Final = (
    "row,column,played_row,played_column,games,",
    "agent,mines,density,games,",
    "guesses,share,games,",
    "of,row,column,opened_from,",
)
"""How the tables of the surveys begin."""


def run_survey(
    survey: Survey,
    *,
    jobs: int | None = None,
    svg: Path | None = None,
    csv_file: Path | None = None,
    as_json: bool = False,
) -> bool:
    """Play a survey, write its chart and its table, and print what it showed.

    Returns whether it was played to the end. If Ctrl-C or an error stops it, what there is by then is
    written and printed; the error is raised after that.
    """
    _check_files(svg, csv_file)
    finished, trouble = True, None
    try:
        with _progress_bar(survey) as show:
            survey.play(jobs=jobs, progress=show)
    except KeyboardInterrupt:
        finished = False
    except SapperError as error:  # An agent has failed, for example.
        if not survey.games:
            raise
        trouble = error
    if not survey.games:
        print("No game was finished, and nothing was written.", file=sys.stderr)
        return False
    if svg is not None:
        write_text(svg, draw_survey(survey))
    if csv_file is not None:
        write_text(csv_file, table_of(survey))
    if as_json:
        print(json.dumps(survey.to_json()))
    else:
        print_survey(survey)
    if trouble is not None:
        raise trouble
    return finished


def _check_files(svg: Path | None, csv_file: Path | None) -> None:
    """Raise an error, before any game, if what was asked for cannot be written when they are over."""
    check_apart({"a picture": svg, "a CSV table": csv_file})
    if svg is not None:
        check_replaceable(svg, "a picture", is_svg)
    if csv_file is not None:
        check_replaceable(csv_file, "a CSV table", starts_with(*_CSV_STARTS))


@contextmanager
def _progress_bar(survey: Survey) -> Iterator[Told]:
    """Show how many games were played so far."""
    with games_bar() as bar:
        task = bar.add_task(survey.kind, total=survey.games_asked)
        yield lambda survey: bar.update(task, completed=survey.games)


def table_of(survey: Survey) -> str:
    r"""Return the rows of a survey as comma-separated values; what does not apply is empty.

    Texts that a spreadsheet would take for formulas start with an apostrophe.

    >>> from sapper.arena.survey import Guesses
    >>> table_of(Guesses("2x1/1", games=4).play(jobs=1)).splitlines()[:1]
    ['guesses,share,games,wins,rate,low,high']
    """
    text = io.StringIO()
    rows = list(survey.rows())
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: safe_cell(value) for name, value in row.items()} for row in rows)
    return text.getvalue()


def print_survey(survey: Survey) -> None:
    """Print what a survey is of, and its most telling figures.

    >>> from sapper.arena.survey import Guesses
    >>> print_survey(Guesses("2x1/1", games=4).play(jobs=1))
    guesses: safest on 2x1/1 promised safe, seed 0, 4 games
      games won without a guess: 100.00 %
      guesses a game: 0.00
    """
    games = f"{survey.games:,} games"
    if survey.games < survey.games_asked:
        games = f"{survey.games:,} of {survey.games_asked:,} games"
    level = f"{survey.level.name} promised {survey.promise}"
    print(f"{survey.kind}: {', '.join(survey.agents)} on {level}, seed {survey.seed}, {games}")
    for line in survey.summary():
        print(f"  {line}")
