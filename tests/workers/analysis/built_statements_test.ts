import { assertEquals } from "@std/assert";
import { analyse } from "../../../workers/analysis/audit/mod.ts";
import type { RawFinding } from "../../../workers/analysis/finding.ts";
import { analyseHere } from "../../helpers/analysis.ts";

/** Whether a tool is blamed for the statement that these lines run with its parameters. */
async function isBlamed(lines: string): Promise<boolean> {
  const source = `
from sqlalchemy import and_, column, delete, desc, func, insert, literal_column, or_, select, table
from sqlalchemy import text, update
from sqlalchemy.dialects.postgresql import insert as put
from sqlalchemy.orm import Session
from mcp.server.fastmcp import FastMCP
from models import Note, Tag
mcp = FastMCP("x")
session = Session()

def any_of(columns, words):
    if not words:
        return None
    found = [func.lower(each).contains(word) for each in columns for word in words]
    return or_(*found)

def raw_of(word):
    return text("name = " + word)

@mcp.tool()
def find(word: str, words: list[str], order: str, more: bool) -> str:
    ${lines.trim().split("\n").join("\n    ")}
`;
  const { result } = await analyseHere<{ code: RawFinding[] }>(analyse, { "server.py": source });
  return result.code.some(({ rule }) => rule === "py/tool-to-sql");
}

const BUILT = [
  `return str(session.execute(select(Note).where(Note.title == word)).all())`,
  `return str(session.scalars(select(Note.id, func.count(Tag.id)).join(Tag, Tag.note == Note.id)
    .where(and_(Note.title.ilike(f"%{word}%"), Note.tag.in_(words))).group_by(Note.id).limit(order)))`,
  `session.execute(insert(Note).values(title=word, **{"body": words}))`,
  `session.execute(update(Note).where(Note.id == word).values(title=words[0]))`,
  `session.execute(delete(Note).where(or_(Note.id == word, ~Note.title.startswith(word))))`,
  `session.execute(put(Note).values(title=word).on_conflict_do_update(set_={"title": word}))`,
  `query = select(Note)
if more:
    query = query.where(any_of([Note.title, Note.body], words))
query = query.order_by(desc(Note.at)).limit(5)
session.execute(query)`,
  `query = select(Note).where(Note.title == word) if more else select(Tag).where(Tag.name == word)
session.execute(query)`,
  `inner = select(Tag.note).where(Tag.name == word).subquery()
session.execute(select(Note).where(Note.id.in_(inner)).order_by(inner.c.note.desc()))`,
  `order_of = (Note.at.asc(), Note.id.asc()) if more else (Note.at.desc(), Note.id.desc())
session.execute(select(Note).filter(Note.title.contains(word)).order_by(*order_of))`,
  `session.execute(select(Note).where(Note.title == word).order_by(text("at desc")))`,
];
const RAW = [
  `query = "SELECT * FROM notes WHERE title = '" + word + "'"
session.execute(query)`,
  `query = text(f"SELECT * FROM notes WHERE title = '{word}'")
session.execute(query)`,
  `condition = text(f"title = '{word}'")
session.execute(select(Note).where(condition))`,
  `condition = word
query = select(Note).where(condition)
session.execute(query)`,
  `session.execute(text(f"SELECT * FROM notes WHERE title = '{word}'"))`,
  `session.execute("SELECT * FROM notes WHERE title = '" + word + "'")`,
  `session.execute(select(Note).where(text(f"title = '{word}'")))`,
  `session.execute(select(Note).where(word))`,
  `session.execute(select(Note).where(raw_of(word)))`,
  `session.execute(select(Note).order_by(text(order)))`,
  `session.execute(select(literal_column(word)))`,
  `session.execute(select(Note).where(Note.title.op(order)(word)))`,
  `session.execute(select(Note).prefix_with(word))`,
  `session.execute(select(column(word)).select_from(table(order)))`,
  `session.execute(select(Note).where(Note.id.in_(text(word))))`,
  `inner = text("SELECT id FROM " + word)
session.execute(select(Note).where(Note.id.in_(inner)))`,
  `conditions = [Note.id > 0]
conditions.append(text(word))
session.execute(select(Note).where(*conditions))`,
  `query = select(Note)
if more:
    query = "SELECT * FROM " + word
session.execute(query)`,
];

Deno.test("audit passes what SQLAlchemy builds of values", async () => {
  for (const lines of BUILT) assertEquals(await isBlamed(lines), false, lines);
});

Deno.test("audit blames a caller's text in a statement that SQLAlchemy builds", async () => {
  for (const lines of RAW) assertEquals(await isBlamed(lines), true, lines);
});
