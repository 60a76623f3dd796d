/**
 * The tools of a server as pages show them: from the source, and from what the server itself listed
 * when it was built.
 *
 * @module
 */
import type { ServerDetail } from "../../../registry/schema.ts";
import type { ListedTool } from "../../../scan/listed_tools_schema.ts";
import type { DiscoveredTool } from "../../../scan/schema.ts";
import { spentOn } from "../../try/effort.ts";
import { argumentFields } from "../../try/fields.ts";
import { readDocstring } from "./annotated.ts";
import { schemaExample, sourceExample } from "./example.ts";
import { type ParameterView, schemaParameters, sourceParameters } from "./parameters.ts";
import { parseSignature } from "./signature.ts";

/** What its source and its server say of a tool, brought together. */
export interface ToolView {
  name: string;
  title: string | null;
  /** Without what it says of single parameters. */
  description: string | null;
  /** Null where the declaration cannot be read: see `declared`. */
  parameters: ParameterView[] | null;
  returns: string | null;
  signs: Sign[];
  /** Where it is declared; null for a tool that only the build has seen. */
  declared: DiscoveredTool | null;
  /** Arguments and result of a call; a result only where its schema is known. */
  example: { arguments: unknown; result: unknown } | null;
}

/** What a tool's author says of its behaviour. */
export const SIGNS = ["read-only", "destructive", "idempotent", "open world"] as const;
export type Sign = typeof SIGNS[number];

const DECLARED: readonly [RegExp, Sign][] = [
  [/read_?only_?hint["']?\s*[:=]\s*true/i, "read-only"],
  [/destructive_?hint["']?\s*[:=]\s*true/i, "destructive"],
  [/idempotent_?hint["']?\s*[:=]\s*true/i, "idempotent"],
  [/open_?world_?hint["']?\s*[:=]\s*true/i, "open world"],
];

const LISTED: readonly [keyof ListedTool["annotations"], Sign][] = [
  ["readOnlyHint", "read-only"],
  ["destructiveHint", "destructive"],
  ["idempotentHint", "idempotent"],
  ["openWorldHint", "open world"],
];

function listedView(tool: ListedTool, declared: DiscoveredTool | null): ToolView {
  const { name, title, annotations, input_schema: schema, output_schema: output } = tool;
  const description = tool.description ?? declared?.description ?? null;
  const fields = argumentFields(schema);
  const signature = declared === null ? null : parseSignature(declared.signature);
  const docstring = readDocstring(description ?? "");
  const parameters = schemaParameters(fields, schema);
  return {
    name,
    title,
    description: docstring.text === "" ? null : docstring.text,
    parameters: parameters?.map((one) => ({
      ...one,
      description: one.description ?? docstring.parameters.get(one.name) ?? null,
    })) ?? null,
    returns: signature?.returns ?? null,
    signs: LISTED.filter(([hint]) => annotations[hint] === true).map(([, sign]) => sign),
    declared,
    example: {
      arguments: schemaExample(fields, schema),
      result: output === null ? undefined : schemaExample(argumentFields(output), output),
    },
  };
}

function sourceView(declared: DiscoveredTool): ToolView {
  const signature = parseSignature(declared.signature);
  const docstring = readDocstring(declared.description ?? "");
  const parameters = signature === null ? null : sourceParameters(signature.parameters, docstring);
  return {
    name: declared.name,
    title: null,
    description: docstring.text === "" ? null : docstring.text,
    parameters,
    returns: signature?.returns ?? null,
    signs: DECLARED.filter(([pattern]) => pattern.test(declared.declaration))
      .map(([, sign]) => sign),
    declared,
    example: parameters === null
      ? null
      : { arguments: sourceExample(parameters), result: undefined },
  };
}

function builtView(name: string, description: string | null): ToolView {
  return {
    name,
    title: null,
    description,
    parameters: null,
    returns: null,
    signs: [],
    declared: null,
    example: null,
  };
}

/** Members of schemas that are read for one page, of all tools together. */
const MEMBERS_MAX = 400_000;

/** What the server listed, as long as reading it is not too much. */
function listedTools(listed: readonly ListedTool[]) {
  const tools = new Map(listed.map((tool) => [tool.name, tool]));
  let spent = 0;
  return (declared: DiscoveredTool | null, name: string): ToolView | null => {
    const tool = tools.get(name);
    if (tool === undefined || spent > MEMBERS_MAX) return null;
    const view = listedView(tool, declared);
    spent += spentOn(tool.input_schema) + spentOn(tool.output_schema ?? {});
    return view;
  };
}

/** Every tool of a server that its scan or its build has seen, in the order of its source. */
export function toolViews({ security_report: report }: ServerDetail): ToolView[] {
  const { found, built = [], listed = [] } = report.tool_discovery;
  const listedAs = listedTools(listed);
  const seen = found.map((tool) => listedAs(tool, tool.name) ?? sourceView(tool));
  const names = new Set(found.map(({ name }) => name));
  const others = built.filter(({ name }) => !names.has(name))
    .map(({ name, description }) => listedAs(null, name) ?? builtView(name, description));
  return [...seen, ...others];
}
