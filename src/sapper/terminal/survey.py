"""Surveys in the terminal: progress, files and results."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sapper.arena.survey import Progress, Survey
from sapper.arena.survey_charts import draw_survey
from sapper.errors import SapperError
from sapper.storage.csv_cells import safe_cell
from sapper.storage.files import write_text
from sapper.terminal.progress import games_bar


def run_survey(
    survey: Survey,
    *,
    jobs: int | None = None,
    svg: Path | None = None,
    csv_file: Path | None = None,
    as_json: bool = False,
) -> bool:
    """Play a survey, write its chart and its table, and print a summary. Return whether it finished.

    If Ctrl-C or an error stops it, the results so far are written and printed. Then the error is
    raised.
    """
    finished, failure = True, None
    try:
        with _progress_bar(survey) as show:
            survey.play(jobs=jobs, progress=show)
    except KeyboardInterrupt:
        finished = False
    except SapperError as error:  # For example, an agent has failed.
        if not survey.games:
            raise
        failure = error
    if not survey.games:
        print("No game was finished; nothing was written.", file=sys.stderr)
        return False
    if svg is not None:
        write_text(svg, draw_survey(survey))
    if csv_file is not None:
        write_text(csv_file, table_of(survey))
    if as_json:
        print(json.dumps(survey.to_json()))
    else:
        print_survey(survey)
    if failure is not None:
        raise failure
    return finished


@contextmanager
def _progress_bar(survey: Survey) -> Iterator[Progress]:
    """Show a progress bar; yield a function that updates the number of games."""
    with games_bar() as bar:
        task = bar.add_task(survey.kind, total=survey.games_asked)
        yield lambda survey: bar.update(task, completed=survey.games)


def table_of(survey: Survey) -> str:
    r"""Return the rows of a survey as CSV. Values that do not apply are empty.

    Texts that a spreadsheet would interpret as formulas start with an apostrophe.

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
    """Print what a survey measured and its main results.

    >>> from sapper.arena.survey import Guesses
    >>> print_survey(Guesses("2x1/1", games=4).play(jobs=1))
    guesses: safest on 2x1/1, promise: safe, seed 0, 4 games
      games won without a guess: 100.00 %
      guesses per game: 0.00
    """
    games = f"{survey.games:,} games"
    if survey.games < survey.games_asked:
        games = f"{survey.games:,} of {survey.games_asked:,} games"
    level = f"{survey.level.name}, promise: {survey.promise}"
    print(f"{survey.kind}: {', '.join(survey.agents)} on {level}, seed {survey.seed}, {games}")
    for line in survey.summary():
        print(f"  {line}")
