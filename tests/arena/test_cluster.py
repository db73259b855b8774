"""A cluster plays the same games as one machine, whatever happens to its workers."""

from __future__ import annotations

import ipaddress
import json
import logging
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import sapper
from sapper.arena import Cluster, Plan, Played, Run, Tally, bench, board_seed, compare
from sapper.arena.database import Store
from sapper.arena.statistics import Times
from sapper.errors import ClusterError, SapperError
from tests.support.subprocesses import ROOT, sapper_command

distributed: Any = pytest.importorskip("distributed")
psutil: Any = pytest.importorskip("psutil")
pytestmark = [
    pytest.mark.any_engine,
    pytest.mark.filterwarnings("default"),  # Dask emits warnings.
]

KILL = getattr(signal, "SIGKILL", signal.SIGTERM)  # Windows has no SIGKILL.
GAMES = 40 if sapper.engine_name == "python" else 400
PLAN = Plan.of("beginner", games=GAMES, seed=7)


def timeless(played: Sequence[Played]) -> list[Played]:
    return [game._replace(seconds=0.0) for game in played]


def local_cluster(workers: int = 1, **options: object) -> Any:  # noqa: ANN401 - Dask has no types.
    return distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        dashboard_address="127.0.0.1:0",
        silence_logs=logging.CRITICAL,
        **options,
    )


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """The address of a cluster with two workers, each a process."""
    with local_cluster(workers=2) as cluster:
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def expected() -> list[Played]:
    return timeless(bench("beginner", agent="safest", games=GAMES, seed=7, jobs=1).played)


def test_a_cluster_plays_the_games_of_one_machine(address: str, expected: list[Played]) -> None:
    result = bench("beginner", agent="safest", games=GAMES, seed=7, cluster=address)
    assert timeless(result.played) == expected
    assert sum(result.times.counts) == sum(game.decisions for game in expected)


def test_workers_sum_up_their_own_games(address: str, expected: list[Played]) -> None:
    result = bench("beginner", agent="safest", games=GAMES, seed=7, cluster=address, keep=False)
    assert result.played == []
    alone = Tally.of(expected)
    alone.nanoseconds = result.tally.nanoseconds
    assert result.tally == alone
    assert sum(result.times.counts) == sum(game.decisions for game in expected)


def test_two_agents_are_compared_on_one_cluster(monkeypatch: pytest.MonkeyPatch) -> None:
    started = Mock(wraps=distributed.LocalCluster)
    monkeypatch.setattr(distributed, "LocalCluster", started)
    cluster = compare("logic", "safest", "5x4/5", games=40, jobs=1, cluster="local")
    alone = compare("logic", "safest", "5x4/5", games=40, jobs=1)
    assert started.call_count == 1
    assert cluster.pairs == alone.pairs
    assert timeless(cluster.second.played) == timeless(alone.second.played)


def test_the_command_can_start_its_own_cluster() -> None:
    options = ("bench", "5x4/4", "--agent", "safest", "--games", "30", "--json")
    alone, cluster = (
        json.loads(sapper_command(*options, *more).stdout)
        for more in ((), ("--cluster", "local", "--jobs", "2"))
    )
    timed = {"seconds", "cpu_seconds_a_game", "cpu_seconds_a_move"}
    assert {key for key in alone if alone[key] != cluster[key]} <= timed


def test_the_command_compares_on_a_cluster(address: str) -> None:
    options = ("compare", "logic", "safest", "5x4/4", "--games", "30", "--json", "--cluster", address)
    cluster = json.loads(sapper_command(*options).stdout)
    alone = json.loads(json.dumps(compare("logic", "safest", "5x4/4", games=30, jobs=1).to_json()))
    for both in (alone, cluster):
        for side in ("first", "second"):
            for timed in ("seconds", "cpu_seconds_a_game", "cpu_seconds_a_move"):
                del both[side][timed]
    assert alone == cluster


def test_an_agent_that_cannot_play_is_an_error_before_any_game(address: str) -> None:
    with pytest.raises(SapperError, match="jobs=2 requires the address 'local'"):
        bench("beginner", cluster=address, jobs=2)
    with pytest.raises(SapperError, match="unknown agent 'nobody'"):
        bench("beginner", cluster=address, agent="nobody")
    with pytest.raises(ClusterError, match="no cluster answers at nonsense://"):
        bench("beginner", cluster="nonsense://")


def test_an_error_names_the_extra_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SapperError, match="clusters require the extra 'cluster'"):
        bench("beginner", agent="safest", cluster="local")


# Who can connect ---------------------------------------------------------------------------------


def listening_sockets() -> dict[int, str]:
    """Return the ports on which this process and its children listen, with their addresses."""
    me = psutil.Process()
    return {
        connection.laddr.port: connection.laddr.ip
        for process in (me, *me.children(recursive=True))
        for connection in process.net_connections(kind="inet")
        if connection.status == psutil.CONN_LISTEN
    }


def http_answers(port: int, path: str) -> bool:
    """Return whether a server answers at this path."""
    import urllib.error
    import urllib.request

    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=10):
            return True
    except (urllib.error.URLError, OSError):
        return False


def test_only_its_own_processes_can_connect_to_a_local_cluster() -> None:
    before = set(listening_sockets())
    with Cluster("local", jobs=2) as cluster:
        cluster.join()
        ports = {port: ip for port, ip in listening_sockets().items() if port not in before}
        assert len(ports) >= 3  # The scheduler and two workers.
        assert all(ipaddress.ip_address(ip).is_loopback for ip in ports.values()), ports
        scheduler = cluster.client.scheduler.address
        assert scheduler.startswith("tls://127.0.0.1:")
        strangers = [
            (scheduler.replace("tls://", "tcp://"), None),
            (scheduler, distributed.Security.temporary()),
        ]
        for place, security in strangers:
            with pytest.raises(OSError, match=r"reset|closed|certificate"):
                distributed.Client(place, security=security, timeout=10, set_as_default=False)
        pages = ["/", "/status", "/health", "/metrics", "/info/main/workers.html", "/json/counts.json"]
        assert [(port, page) for port in ports for page in pages if http_answers(port, page)] == []


def test_a_local_cluster_leaves_nothing_behind() -> None:
    me = psutil.Process()
    before = {child.pid for child in me.children(recursive=True)}
    ports = set(listening_sockets())
    with Cluster("local", jobs=1) as cluster:
        cluster.join()
        workers = [child for child in me.children(recursive=True) if child.pid not in before]
        (folder,) = cluster.client.run(os.getcwd).values()
        (scratch,) = cluster.client.run(lambda dask_worker: dask_worker.local_directory).values()
        assert Path(scratch).is_dir()
    assert Path(folder).is_dir()  # The worker works where the run was started.
    assert not Path(scratch).exists()
    psutil.wait_procs([child for child in workers if "resource_tracker" not in str(child)], timeout=30)
    assert set(listening_sockets()) <= ports


@pytest.mark.parametrize(
    ("place", "warned"),
    [("tcp://192.0.2.1:8786", True), ("192.0.2.1:8786", True), ("tcp://127.0.0.1:9", False)],
)
def test_an_unprotected_connection_gives_a_warning(
    place: str, warned: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        pytest.raises(ClusterError, match=f"no cluster answers at {place}"),
        Cluster(place, connect_timeout=0.1) as cluster,
    ):
        cluster.join()
    assert ("neither encrypted nor authenticated" in caplog.text) == warned


def test_the_warning_is_one_line_on_standard_error() -> None:
    code = (
        "from sapper.arena import Cluster\n"
        "try: Cluster('tcp://192.0.2.1:8786', connect_timeout=0.1).join()\n"
        "except ValueError: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stderr.startswith("Warning: the connection to tcp://192.0.2.1:8786 is neither")
    assert len(done.stderr.splitlines()) == 1


def test_a_cluster_with_tls_needs_its_certificate(tmp_path: Path, expected: list[Played]) -> None:
    dask = pytest.importorskip("dask")
    security = distributed.Security.temporary()
    files = {}
    for name in ("tls_ca_file", "tls_client_cert", "tls_client_key"):
        files[name] = tmp_path / name
        files[name].write_text(getattr(security, name))
    tls = {
        "distributed.comm.tls.ca-file": str(files["tls_ca_file"]),
        "distributed.comm.tls.client.cert": str(files["tls_client_cert"]),
        "distributed.comm.tls.client.key": str(files["tls_client_key"]),
    }
    with local_cluster(security=security) as cluster:
        place = cluster.scheduler_address
        with pytest.raises(ClusterError, match=r"needs a certificate: set distributed\.comm\.tls"):
            bench("beginner", cluster=place)
        with dask.config.set(tls):
            result = bench("beginner", agent="safest", games=GAMES, seed=7, cluster=place)
    assert place.startswith("tls://")
    assert timeless(result.played) == expected


# Workers that fail -------------------------------------------------------------------------------


def test_a_worker_that_is_killed_between_games_changes_nothing(
    address: str, expected: list[Played]
) -> None:
    with Run(PLAN, agent="safest", cluster=address) as run:
        run.play(GAMES // 4)
        with distributed.Client(address, set_as_default=False) as client:
            os.kill(min(client.run(os.getpid).values()), KILL)
        run.play(run.left)
    assert timeless(run.played) == expected


class Deadly:
    """Opens the first hidden cell; one of its games ends the process, until a file exists."""

    def __init__(self, seed: int, deadly: int, mark: str | None) -> None:
        self.kills, self.mark = seed == deadly, mark

    def choose(self, position: sapper.Position) -> sapper.Cell:
        if self.kills and not (self.mark and os.path.exists(self.mark)):
            if self.mark:
                open(self.mark, "x").close()
            os.kill(os.getpid(), KILL)
        return min(position.hidden)


def test_a_range_whose_worker_is_killed_in_a_game_is_played_again(address: str, tmp_path: Path) -> None:
    agent = partial(Deadly, deadly=board_seed(7, 25), mark=str(tmp_path / "killed"))
    result = bench("beginner", agent=agent, games=40, seed=7, cluster=address)
    assert (tmp_path / "killed").exists()
    again = bench(
        "beginner", agent=agent, games=40, seed=7, jobs=1
    )  # The file exists, so the process survives.
    assert timeless(result.played) == timeless(again.played)


def test_a_game_that_kills_every_worker_is_an_error(address: str) -> None:
    agent = partial(Deadly, deadly=board_seed(7, 5), mark=None)
    with Run(Plan.of("beginner", games=12, seed=7), agent=agent, cluster=address) as run:
        run.play(4)
        with pytest.raises(ClusterError, match="several workers died"):
            run.play(8)
        assert run.tally.games == 4


class DeadlyLate(Deadly):
    """Kills its process in game 25 of the runs with seed 0."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed, board_seed(0, 25), None)


def test_games_before_a_failure_are_printed_and_written(tmp_path: Path) -> None:
    table = tmp_path / "games.csv"
    agent = ("--agent", "tests.arena.test_cluster:DeadlyLate")
    cluster = ("--cluster", "local", "--jobs", "1", "--csv", str(table))
    options = ("bench", "beginner", "--games", "60", *agent, *cluster)
    done = sapper_command(*options, DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES="0")
    assert done.returncode == 2
    assert done.stderr.startswith("Error: several workers died")
    assert len(done.stderr.splitlines()) == 1
    played = len(table.read_text().splitlines()) - 1
    assert 4 <= played <= 25
    assert f"of {played} games won" in done.stdout


class Slow:
    """Never chooses a cell in time."""

    def choose(self, position: sapper.Position) -> sapper.Cell:
        time.sleep(600)
        return min(position.hidden)


def test_workers_that_never_finish_are_named() -> None:
    with (
        local_cluster() as dask_cluster,
        Cluster(dask_cluster.scheduler_address, idle_timeout=1) as slow,
        Run(Plan.of("beginner", games=2, seed=7), agent=Slow, cluster=slow) as run,
        pytest.raises(ClusterError, match=r"no worker finished its games for .*busy: tcp://127"),
    ):
        run.play(2)


def test_a_cluster_without_workers_is_an_error() -> None:
    with (
        local_cluster(workers=0) as empty,
        pytest.raises(ClusterError, match="no cluster answers at tcp://"),
    ):
        Cluster(empty.scheduler_address, connect_timeout=0.5).join()


def test_a_cluster_that_loses_its_workers_is_an_error() -> None:
    with (
        local_cluster() as dask_cluster,
        Cluster(dask_cluster.scheduler_address, connect_timeout=2) as cluster,
        Run(PLAN, agent=Slow, cluster=cluster) as run,
    ):
        dask_cluster.scale(0)
        with pytest.raises(ClusterError, match="has no workers left"):
            run.play(8)


SCHEDULER = "from distributed.cli.dask_scheduler import main; main()"


def test_a_scheduler_that_dies_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "scheduler.json"
    options = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
    worker_code = "from distributed.cli.dask_worker import main; main()"
    worker_options = ["--scheduler-file", str(file), "--nthreads", "1", "--no-dashboard", "--no-nanny"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
    command = [sys.executable, "-c"]
    scheduler = subprocess.Popen([*command, SCHEDULER, *options], **quiet)  # type: ignore[call-overload]
    worker = subprocess.Popen(  # type: ignore[call-overload]
        [*command, worker_code, *worker_options], env={**os.environ, "PYTHONPATH": str(ROOT)}, **quiet
    )
    try:
        deadline = time.monotonic() + 60
        while not file.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        place = json.loads(file.read_text())["address"]
        with Cluster(place, connect_timeout=60) as cluster, Run(PLAN, cluster=cluster) as run:
            run.play(8)
            scheduler.kill()
            with pytest.raises(
                ClusterError, match=f"the connection to the cluster at {place} was lost"
            ):
                run.play(8)
            assert run.tally.games == 8
    finally:
        for process in (scheduler, worker):
            process.kill()
            process.wait(30)


# Workers that return something else --------------------------------------------------------------


def spoil(dask_worker: object, value: object) -> None:  # noqa: ARG001 - Dask looks for the name.
    """Make a worker return this value in place of every game."""

    class Spoiled:
        times = Times()

        def play(self, boards: Sequence[Any]) -> object:
            return [value] * len(boards)

        def close(self) -> None:
            pass

    vars(sys.modules["sapper.arena.cluster"])["workers_for"] = lambda *_: Spoiled()


def test_an_invalid_result_names_the_worker_and_keeps_earlier_games(tmp_path: Path) -> None:
    file = tmp_path / "runs.sqlite"
    options = ("bench", "5x5/4", "--agent", "safest", "--games", "40", "--save", str(file), "--json")
    with local_cluster() as dask_cluster:
        place = dask_cluster.scheduler_address
        whole = json.loads(sapper_command(*options[:-3], "--json").stdout)
        with Run(Plan.of("5x5/4", games=40), agent="safest", cluster=place, keep=False) as run:
            with Store(file) as store:
                store.begin(run)
                store.save(run.play(20))
            with distributed.Client(place, set_as_default=False) as client:
                client.run(spoil, value=None)
            with pytest.raises(ClusterError, match=r"worker at tcp://127.* returned an invalid result"):
                run.play(20)
            assert run.tally.games == 20
    with sqlite3.connect(file) as database:
        assert database.execute("SELECT count(*) FROM games").fetchone() == (20,)
    database.close()
    resumed = json.loads(sapper_command(*options, "--resume").stdout)
    assert (resumed["games"], resumed["wins"]) == (40, whole["wins"])


def pretend_version(dask_worker: object) -> None:  # noqa: ARG001 - Dask looks for the name.
    sapper.__version__ = "0.0.1"


def forget_sapper(dask_worker: object) -> None:  # noqa: ARG001 - Dask looks for the name.
    sys.modules["sapper.arena.cluster"] = None  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (pretend_version, r"worker at tcp://.* has Sapper 0\.0\.1 .*, but this run needs Sapper"),
        (forget_sapper, "worker at tcp://.* cannot load Sapper"),
    ],
)
def test_a_worker_with_another_sapper_is_an_error_before_any_game(change: object, message: str) -> None:
    with local_cluster() as dask_cluster:
        place = dask_cluster.scheduler_address
        with distributed.Client(place, set_as_default=False) as client:
            client.run(change)
        with pytest.raises(ClusterError, match=message):
            bench("beginner", agent="safest", cluster=place)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (pretend_version, r"worker on .* has Sapper 0\.0\.1 .*, but this run needs Sapper"),
        (forget_sapper, "cannot load Sapper or the agent|has no workers left; see their logs"),
    ],
)
def test_a_worker_with_another_sapper_that_joins_later_is_an_error(
    change: object, message: str
) -> None:
    with (
        local_cluster() as dask_cluster,
        Cluster(dask_cluster.scheduler_address, connect_timeout=5) as cluster,
        Run(PLAN, agent="safest", cluster=cluster) as run,
    ):
        run.play(4)
        cluster.client.run(change)
        with pytest.raises(ClusterError, match=message):
            run.play(4)
        assert run.tally.games == 4
