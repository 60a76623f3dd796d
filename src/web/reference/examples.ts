/**
 * An operation's request as callers write it: in a terminal, in TypeScript and in Python.
 *
 * @module
 */
import { pythonText, shellWord } from "../try/snippets.ts";
import type { ShownOperation } from "./document.ts";

/** How curl, TypeScript or Python sends an operation's request, to be copied. */
export interface RequestExample {
  label: string;
  text: string;
}

/** The address with examples in place of its parameters. */
function addressOf({ path, parameters }: ShownOperation, publicUrl: string): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = parameters.find((one) => one.in === "path" && one.name === name)?.example;
    return encodeURIComponent(example ?? name.toUpperCase());
  });
  return publicUrl + filled;
}

function curl(operation: ShownOperation, url: string): string {
  const { method, needsToken, body } = operation;
  const json = body?.value === undefined ? null : JSON.stringify(body.value);
  return [
    `curl -s${method === "GET" ? "" : ` -X ${method}`} ${shellWord(url)}`,
    ...(needsToken ? ['  -H "Authorization: Bearer $BERTH_TOKEN"'] : []),
    ...(json === null ? [] : ['  -H "Content-Type: application/json"', `  -d ${shellWord(json)}`]),
  ].join(" \\\n");
}

function typescript(operation: ShownOperation, url: string): string {
  const { method, needsToken, body } = operation;
  const value = body?.value;
  const headers = [
    ...(needsToken ? ["    Authorization: `Bearer ${process.env.BERTH_TOKEN}`,"] : []),
    ...(value === undefined ? [] : ['    "Content-Type": "application/json",']),
  ];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length === 0 ? [] : ["  headers: {", ...headers, "  },"]),
    ...(value === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(value, null, 2).replaceAll("\n", "\n  ")}),`]),
  ];
  const given = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  return [
    `const response = await fetch(${JSON.stringify(url)}${given});`,
    "console.log(response.status, await response.text());",
  ].join("\n");
}

function python(operation: ShownOperation, url: string): string {
  const { method, needsToken, body } = operation;
  const value = body?.value;
  return [
    ...(needsToken ? ["import os", ""] : []),
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    `    ${JSON.stringify(url)},`,
    ...(needsToken
      ? ['    headers={"Authorization": "Bearer " + os.environ["BERTH_TOKEN"]},']
      : []),
    ...(value === undefined ? [] : [`    json=${pythonText(value, "    ")},`]),
    ")",
    "print(response.status_code, response.text)",
  ].join("\n");
}

/** The operation's request in each language. */
export function requestExamples(operation: ShownOperation, publicUrl: string): RequestExample[] {
  const url = addressOf(operation, publicUrl);
  return [
    { label: "curl", text: curl(operation, url) },
    { label: "TypeScript", text: typescript(operation, url) },
    { label: "Python", text: python(operation, url) },
  ];
}
