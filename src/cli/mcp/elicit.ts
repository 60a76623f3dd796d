/**
 * A server's questions to the user (MCP, "Elicitation").
 *
 * @module
 */
import type { Cli } from "../cli.ts";
import { oneLine, safe } from "../output/terminal_text.ts";
import { parseValue } from "./arguments.ts";
import { answerValue, exactSchema } from "./exact.ts";
import type { ElicitRequest, ElicitResult } from "./sdk.ts";

interface Field {
  type?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  enum?: string[] | undefined;
  default?: unknown;
}

function questionOf(name: string, field: Field, required: boolean): string {
  const title = oneLine(field.title ?? name, 100);
  const choices = field.enum === undefined
    ? field.type ?? "text"
    : field.enum.map((one) => oneLine(one, 40)).join(" | ");
  const fallback = field.default === undefined ? "" : `, default ${JSON.stringify(field.default)}`;
  return `  ${title} (${choices}${required ? "" : ", optional"}${oneLine(fallback, 60)}): `;
}

/** Asks the user for what the server wants to know. */
export async function answerElicitation(
  cli: Cli,
  params: ElicitRequest["params"],
): Promise<ElicitResult> {
  const { context, output } = cli;
  if (!("requestedSchema" in params)) return { action: "decline" };
  context.err(`${output.errStyle.bold("The server asks:")} ${safe(params.message)}\n`);
  if (!await cli.confirm("Answer?")) return { action: "decline" };
  const schema = params.requestedSchema;
  const exact = exactSchema(params) as { properties: Record<string, Field> };
  const content: Record<string, string | number | boolean> = {};
  const answered = (value: unknown) => answerValue(value) as string | number | boolean;
  for (const name of Object.keys(schema.properties)) {
    const field = exact.properties[name]!;
    const required = schema.required?.includes(name) === true;
    for (;;) {
      const answer = await context.ask(questionOf(name, field, required));
      if (answer === null) return { action: "cancel" };
      if (answer.trim() === "") {
        if (field.default !== undefined || !required) break;
        continue;
      }
      const value = parseValue(answer.trim(), field);
      if (field.enum === undefined || field.enum.includes(String(value))) {
        content[name] = answered(value);
        break;
      }
    }
    if (content[name] === undefined && field.default !== undefined) {
      content[name] = answered(field.default);
    }
  }
  return { action: "accept", content };
}
