/**
 * Where values are put aside and fetched again: tables of databases, caches, shelves, key rings. What is
 * read there may be whatever was written there.
 *
 * @module
 */
import { calleeOf } from "../../../python/calls/callee.ts";
import { argumentsOf, type PythonNames } from "../../../python/names.ts";
import { valuesOf } from "../../../python/values/assigned.ts";
import { textOf } from "../../../syntax/source_tree.ts";
import { ancestor, child, type SyntaxNode } from "../../../syntax/tree.ts";
import { textsOf } from "../../keys/destinations.ts";

/** Says of a value that it was fetched from a store: `stored:<store>`. */
const STORED = "stored:";
const ANY = "*";

const EXECUTES =
  /^(execute|executemany|executescript|exec_driver_sql|query|run|raw|sql|fetch\w*|scalars?|read_sql\w*)$/;
const FETCHES = /^(fetch\w*|scalars?|all|first|one|mappings)$/;
const WRITES_ROWS =
  /\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|update(?:\s+or\s+\w+)?|merge\s+into|upsert\s+into)\s+["'`[]?([\w.$]+)/gi;
const READS_ROWS = /\b(?:from|join)\s+["'`[]?([\w.$]+)/gi;
/** Libraries that keep values by name. */
const KEEPER =
  /^(shelve|dbm(\.\w+)?|_?(g|n)?dbm|redis(\.asyncio)?|aioredis|fakeredis|diskcache|pymemcache|memcache|aiomcache|keyring|tinydb|pickledb|lmdb|plyvel|sqlitedict|dataset|pymongo|motor|mmap|multiprocessing|multiprocessing\.shared_memory|posix_ipc|contextvars|pyperclip|cachetools|joblib|pickle|peewee|ZODB)\b/;
const PUTS =
  /^(set|setex|setnx|mset|hset|hmset|put|add|insert(_one|_many)?|save|store|write|append|push|[lr]push|publish|set_password|copy|update\w*|__setitem__|dump|sync)$/;
const GETS =
  /^(get\w*|mget|hget\w*|pop|[lr]pop|read\w*|load\w*|fetch\w*|find\w*|search|all|one|first|values|items|get_password|paste|__getitem__|lrange|[lr]range)$/;

const MAX_TEXT = 4000;

function tablesIn(text: string, pattern: RegExp): string[] {
  return [...text.slice(0, MAX_TEXT).matchAll(pattern)].map(([, table]) => table!.toLowerCase());
}

const methodOf = (names: PythonNames, callee: SyntaxNode | null): string => {
  const method = callee?.type === "attribute" ? child(callee, "attribute") : null;
  return method === null ? "" : textOf(names.tree, method);
};

/** The library that an object of a call is from, if it keeps values. */
function keeperOf(names: PythonNames, callee: SyntaxNode): string | null {
  const object = child(callee, "object");
  const makers = object === null || object.type === "call" ? [] : valuesOf(names, object).values
    .flatMap((value) => value.type === "call" ? child(value, "function") ?? [] : []);
  const found = [callee, ...makers].map((each) => calleeOf(names, each)?.name ?? "")
    .map((each) => KEEPER.exec(each)?.[1]).find((each) => each !== undefined);
  return found?.split(".")[0] ?? null;
}

function statementsOf(names: PythonNames, call: SyntaxNode): string {
  const [statement] = argumentsOf(names.tree, call).positional;
  return statement === undefined ? "" : textsOf(names, statement).join("\n");
}

/** The stores that a call puts what it is given into. */
export function storesWritten(
  { names, node }: { names: PythonNames; node: SyntaxNode },
): string[] {
  const callee = child(node, "function");
  const method = methodOf(names, callee);
  if (callee === null || method === "") return [];
  if (EXECUTES.test(method)) {
    const statements = statementsOf(names, node);
    const tables = tablesIn(statements, WRITES_ROWS);
    if (tables.length > 0) return tables.map((each) => `table:${each}`);
    return /\b(insert|update|replace|values)\b/i.test(statements) ? [`table:${ANY}`] : [];
  }
  const keeper = PUTS.test(method) ? keeperOf(names, callee) : null;
  return keeper === null ? [] : [`${keeper}:${ANY}`];
}

/** Labels of what a call fetches from stores. */
export function storedLabels(names: PythonNames, node: SyntaxNode): string[] {
  const callee = child(node, "function");
  const method = methodOf(names, callee);
  if (callee === null || method === "") return [];
  if (EXECUTES.test(method) || FETCHES.test(method)) {
    const own = tablesIn(statementsOf(names, node), READS_ROWS);
    const tables = own.length > 0 ? own : FETCHES.test(method) ? tablesAround(names, node) : [];
    return tables.map((each) => `${STORED}table:${each}`);
  }
  const keeper = GETS.test(method) ? keeperOf(names, callee) : null;
  return keeper === null ? [] : [`${STORED}${keeper}:${ANY}`];
}

/** The tables that a function reads, for a cursor that was told before. */
function tablesAround(names: PythonNames, node: SyntaxNode): string[] {
  const around = ancestor(node, "function_definition") ?? names.tree.root;
  const text = textOf(names.tree, around);
  if (!/\bselect\b/i.test(text)) return [];
  const found = tablesIn(text.replace(/\bfrom\s+[\w.]+\s+import\b/g, ""), READS_ROWS);
  return found.length > 0 ? found : [ANY];
}

/** The stores that a value was fetched from. */
export function storesOf(labels: Iterable<string>): string[] {
  return [...labels].filter((label) => label.startsWith(STORED))
    .map((label) => label.slice(STORED.length));
}

/** Whether what was put into one store may be what another gives. */
export function isSameStore(one: string, other: string): boolean {
  const [kind, name] = [one.slice(0, one.indexOf(":")), one.slice(one.indexOf(":") + 1)];
  const [otherKind, otherName] = [
    other.slice(0, other.indexOf(":")),
    other.slice(other.indexOf(":") + 1),
  ];
  return kind === otherKind && (name === otherName || name === ANY || otherName === ANY);
}
