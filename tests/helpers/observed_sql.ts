/**
 * Connections that note what is asked.
 *
 * @module
 */
import type { Sql } from "../../src/database/client.ts";

/** `sql`, and the statements that were asked through it, with `?` for their parameters. */
export function observed(sql: Sql): { sql: Sql; asked: string[] } {
  const asked: string[] = [];
  const proxy = new Proxy(sql, {
    apply(target, self, args) {
      asked.push(args[0].join("?").replace(/\s+/g, " ").trim());
      return Reflect.apply(target, self, args);
    },
    get(target, name, receiver) {
      if (name === "begin" || name === "unsafe") asked.push(name);
      return Reflect.get(target, name, receiver);
    },
  });
  return { sql: proxy, asked };
}
