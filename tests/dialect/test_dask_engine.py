from __future__ import annotations

import os
import signal
import threading
import time
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from generated_corpus import write_generated_corpus

from pytest_llmout.cli import main
from pytest_llmout.corpus.store import BadLine, read_records
from pytest_llmout.dialect.groups import DEFAULT_KEYS
from pytest_llmout.dialect.profile import profile
from pytest_llmout.dialect.summary import summarise
from pytest_llmout.errors import UsageError

engine = pytest.importorskip("pytest_llmout.dialect.dask_engine", reason="needs the extra [scale]")

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from distributed import LocalCluster

# Dask and its event loop warn of things that are theirs to mend; a killed worker leaves sockets behind.
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def cluster() -> Iterator[LocalCluster]:
    with engine.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        yield local


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("corpus") / "a.jsonl"
    write_generated_corpus(path, 1_000)
    return path


def unexpected(line: BadLine) -> None:
    raise AssertionError(line)


def assert_equal_to_one_core(corpus: Path, rows: Path, summary: pd.DataFrame) -> None:
    whole = profile(read_records(corpus))
    pd.testing.assert_frame_equal(summary, summarise([whole]))
    pd.testing.assert_frame_equal(pd.read_parquet(rows), whole)


def test_the_result_equals_one_core_although_a_worker_is_killed_half_way(
    cluster: LocalCluster, corpus: Path, tmp_path: Path
) -> None:
    rows = tmp_path / "rows.parquet"
    victim = next(iter(cluster.workers.values()))
    pid = victim.process.pid

    def kill() -> None:
        while len(list(rows.glob("*"))) < 10:
            time.sleep(0.01)
        os.kill(pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    summary = engine.profile_on_dask(
        str(corpus),
        str(rows),
        cluster=engine.Cluster(scheduler=cluster.scheduler_address, block=50_000),
        by=DEFAULT_KEYS,
        on_bad=unexpected,
    )
    killer.join()
    assert len(list(rows.iterdir())) > 30
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert_equal_to_one_core(corpus, rows, summary)


def test_parquet_by_a_glob_and_an_url_is_read(cluster: LocalCluster, corpus: Path, tmp_path: Path) -> None:
    records = [record.model_dump(mode="json") for record in read_records(corpus)][:100]
    for name, part in (("a", records[:50]), ("b", [*records[50:], {"id": "bad"}])):
        frame = pd.DataFrame(part).drop(columns=["parameters", "attempts", "messages"])
        frame.to_parquet(tmp_path / f"{name}.parquet", row_group_size=20)
    bad: list[BadLine] = []
    summary = engine.profile_on_dask(
        f"file://{tmp_path}/*.parquet",
        f"file://{tmp_path}/rows.parquet",
        cluster=engine.Cluster(scheduler=cluster.scheduler_address),
        by=DEFAULT_KEYS,
        on_bad=bad.append,
    )
    whole = profile(list(read_records(corpus))[:100])
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "rows.parquet"), whole)
    pd.testing.assert_frame_equal(summary, summarise([whole]))
    assert list(map(str, bad)) == [
        f"{tmp_path}/b.parquet:51: not a reply record: prompt_id: Field required (and 2 more)"
    ]


def test_a_bad_line_is_named_by_its_file_and_its_number_there(cluster: LocalCluster, tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        write_generated_corpus(tmp_path / name, 50)
        with (tmp_path / name).open("ab") as file:
            file.write(b"broken\n")
    bad: list[BadLine] = []
    engine.profile_on_dask(
        str(tmp_path),
        cluster=engine.Cluster(scheduler=cluster.scheduler_address, block=5_000),
        by=DEFAULT_KEYS,
        on_bad=bad.append,
    )
    assert [str(line).partition(": ")[0] for line in bad] == [f"{tmp_path}/{name}.jsonl:51" for name in "ab"]


def test_the_command_runs_on_a_cluster(
    cluster: LocalCluster, corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = ["--engine", "dask", "--scheduler", cluster.scheduler_address]
    assert main(["profile", str(corpus), *address, "-o", str(tmp_path / "rows.parquet")]) == 0
    on_dask = capsys.readouterr().out
    assert main(["profile", str(corpus)]) == 0
    assert capsys.readouterr().out == on_dask


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_generated_corpus(tmp_path / "corpus.jsonl", 2)
    (tmp_path / "full.parquet").mkdir()
    (tmp_path / "full.parquet" / "part").touch()
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param("corpus.jsonl --scheduler tcp://x:1", "--scheduler is for --engine dask", id="no engine"),
        pytest.param("--engine dask", "--engine dask needs a path, a glob or an URL of the corpus", id="no corpus"),
        pytest.param("nothing.jsonl --engine dask", "nothing.jsonl: no such file", id="no file"),
        pytest.param("x*.jsonl --engine dask", "x*.jsonl: no replies there", id="empty glob"),
        pytest.param("corpus.jsonl --engine dask -o a.csv", "a.csv: --engine dask writes a folder", id="CSV"),
        pytest.param("corpus.jsonl --engine dask -o full.parquet", "full.parquet: exists and is not", id="full"),
    ],
)
def test_misuse_is_named(capsys: pytest.CaptureFixture[str], arguments: str, message: str) -> None:
    assert main(["profile", *arguments.split()]) == 2
    assert capsys.readouterr().err.startswith(f"llmout: {message}")


def test_a_cluster_that_cannot_be_reached_is_named(corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "_TIMEOUT", 0.2)
    with pytest.raises(UsageError, match=r"tcp://127\.0\.0\.1:1: cannot be reached"):
        engine.profile_on_dask(
            str(corpus), cluster=engine.Cluster(scheduler="tcp://127.0.0.1:1"), by=DEFAULT_KEYS, on_bad=unexpected
        )
