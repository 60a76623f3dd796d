import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../src/http/app.ts";
import { isAllowed, type Subject } from "../helpers/auth_cases.ts";
import { PROTECTED_ROUTES } from "./protected_routes.ts";
import { stubServices } from "./stub_services.ts";

/** The columns of the table after the first two, by who is sent in the security cases. */
const COLUMNS: Record<string, Subject> = {
  "user": "somebody-else",
  "owner": "owner",
  "namespace owner": "colleague",
  "recipient": "recipient",
  "administrator": "root",
};

function cellsOf(line: string): string[] {
  return line.split("|").slice(1, -1).map((cell) => cell.trim());
}

/** The rows of the table under "Registry API": operation, then who may by column. */
async function documented(): Promise<Map<string, Record<string, boolean>>> {
  const text = await Deno.readTextFile(new URL("../../docs/permissions.md", import.meta.url));
  const section = text.split(/^## /m).find((part) => part.startsWith("Registry API"))!;
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  const [header, , ...rows] = lines.map(cellsOf);
  assertEquals(header, ["operation", "anonymous", ...Object.keys(COLUMNS)]);
  return new Map(rows.map(([operation, ...cells]) => {
    for (const cell of cells) assert(["yes", "–"].includes(cell), `${operation}: ${cell}`);
    const may = cells.map((cell, index) => [header![index + 1]!, cell === "yes"]);
    return [operation!.replaceAll("`", ""), Object.fromEntries(may)];
  }));
}

interface Operation {
  operationId: string;
  security?: object[];
}

Deno.test("docs/permissions.md has every operation, and says of each what the cases show", async () => {
  const table = await documented();
  const response = await createApp(stubServices().services).request("/api/v1/openapi.json");
  const { paths } = await response.json();
  const seen: string[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations as Record<string, Operation>)) {
      const name = `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, "")}`;
      seen.push(name);
      const row = table.get(name);
      if (row === undefined) continue;
      const route = PROTECTED_ROUTES.find((one) => one.operation === operation.operationId);
      const expected = Object.entries(COLUMNS).map(([column, subject]) => [
        column,
        route === undefined || isAllowed(route.allowed, subject),
      ]);
      assertEquals(row, { anonymous: route === undefined, ...Object.fromEntries(expected) }, name);
    }
  }
  assertEquals([...table.keys()].sort(), seen.sort());
});
