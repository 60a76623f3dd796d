import { assertEquals } from "@std/assert";
import { runWith } from "./sessions.ts";

const FORMS: Record<string, [source: string, said: string]> = {
  "asyncpg is imported, and connects to nothing": [
    `
import asyncpg
from asyncpg.pool import Pool
from asyncpg import Connection, Record, UniqueViolationError
from asyncpg.exceptions import IntegrityConstraintViolationError, PostgresError
class Store:
    pool: asyncpg.Pool | None = None
    async def open(self) -> Pool:
        return await asyncpg.create_pool(dsn="postgresql://u:p@db.example:5433/x", min_size=1)
@tool
async def run() -> str:
    said = []
    for attempt in (Store().open, lambda: asyncpg.connect(host="other"), pooled):
        try:
            await attempt()
        except OSError as error:
            said.append(f"{type(error).__name__} {error.strerror}")
    assert issubclass(UniqueViolationError, IntegrityConstraintViolationError)
    assert issubclass(IntegrityConstraintViolationError, PostgresError)
    assert UniqueViolationError is asyncpg.exceptions.UniqueViolationError
    assert not hasattr(asyncpg, "nothing_of_it")
    return "\\n".join(said)
async def pooled():
    pool = await asyncpg.create_pool(min_size=0)
    async with pool.acquire() as connection:
        await connection.execute("select 1")
`,
    [
      "ConnectionRefusedError Connect call failed ('db.example', 5433): ",
      "ConnectionRefusedError Connect call failed ('other', 5432): ",
      "ConnectionRefusedError Connect call failed ('localhost', 5432): ",
    ].map((line) => `${line}sockets are not available in the sandbox`).join("\n"),
  ],
  "psycopg2 is imported with its parts, and connects to nothing": [
    `
import psycopg2
from psycopg2 import errors, extensions, pool, sql
from psycopg2.extras import Json, RealDictCursor, execute_values
extensions.register_adapter(dict, Json)
@tool
def run() -> str:
    said = []
    for attempt in (
        lambda: psycopg2.connect("host=db.example port=5433", cursor_factory=RealDictCursor),
        lambda: psycopg2.connect("postgresql://u:p@other/x"),
        lambda: pool.SimpleConnectionPool(1, 10, host="pooled"),
    ):
        try:
            attempt()
        except psycopg2.OperationalError as error:
            said.append(str(error))
    assert issubclass(errors.UniqueViolation, psycopg2.IntegrityError)
    assert issubclass(errors.UndefinedTable, psycopg2.ProgrammingError)
    statement = sql.SQL("select {} from {table} where {} = {}").format(
        sql.SQL(", ").join(map(sql.Identifier, ["a", 'b"c'])),
        sql.Identifier("d"),
        sql.Literal("it's"),
        table=sql.Identifier("s", "t"),
    )
    return "\\n".join([*said, statement.as_string(None)])
`,
    [
      'connection to server at "db.example", port 5433 failed: ',
      'connection to server at "other", port 5432 failed: ',
      'connection to server at "pooled", port 5432 failed: ',
    ].map((line) => `${line}sockets are not available in the sandbox`).join("\n") +
    `\nselect "a", "b""c" from "s"."t" where "d" = 'it''s'`,
  ],
  "SQLAlchemy makes engines of both, which cannot connect": [
    `
import asyncio
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import async_sessionmaker, create_async_engine
plain = create_engine("postgresql+psycopg2://u:p@db.example/x")
later = create_async_engine("postgresql+asyncpg://u:p@db.example/x", pool_pre_ping=True)
sessions = async_sessionmaker(later)
@tool
async def run() -> str:
    try:
        plain.connect()
    except OperationalError as error:
        first = str(error.orig)
    try:
        async with sessions() as session:
            await session.execute(text("select 1"))
    except OSError as error:
        return f"{first}\\n{error.strerror}"
`,
    'connection to server at "db.example", port 5432 failed: ' +
    "sockets are not available in the sandbox\n" +
    "Connect call failed ('db.example', 5432): sockets are not available in the sandbox",
  ],
};

for (const [what, [source, said]] of Object.entries(FORMS)) {
  Deno.test(what, async () => assertEquals((await runWith([], "", source)).said, said));
}
