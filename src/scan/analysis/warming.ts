/**
 * What makes a fresh analysis process fast: each analyser has run, so that the engines are loaded
 * and compiled. That is most of what a scan of a small server takes.
 *
 * @module
 */
import { IN_SCANS } from "../../../workers/analysis/in_scans.ts";
import { PYTHON_SAMPLE } from "../../../workers/analysis/ruff/sample.ts";
import type { Language } from "../schema.ts";
import { attempt, type Watch } from "./attempt.ts";
import type { HostProcess } from "./process.ts";

/** How much is analysed: number of files; what is beside them. */
export interface Effort {
  files: number;
  beside: Record<string, string>;
}

/** Manifests of the kinds whose readers are loaded when the first is read. */
const MANIFESTS: Record<string, string> = {
  "requirements.txt": "requests==2.31.0\n",
  "pyproject.toml": '[project]\nname = "example"\ndependencies = ["requests>=2"]\n',
  "package.json": '{"dependencies": {"example": "^1.0.0"}}\n',
  "yarn.lock": '# yarn lockfile v1\n\nexample@^1.0.0:\n  version "1.0.0"\n',
};

/** What the modules that are loaded for few repositories look for: nothing bad, but something to read. */
const RARE: Record<string, string> = {
  "templates.py": 'import pickle\nfrom jinja2 import Template\nTemplate("{{ name }}")\n',
  "token.txt": "A token begins with glpat-\n",
  // The end of a zip archive without files.
  "empty.zip": `PK\x05\x06${"\0".repeat(18)}`,
};

/** After this what scans spend their time in has been compiled. */
export const THOROUGH: Effort = { files: 10, beside: MANIFESTS };
/** This loads the engines, which a scan has to do anyway: it need not have what it may do without. */
export const BRIEF: Effort = { files: 1, beside: {} };
/** This loads whatever a scan may load. */
export const WHOLE: Effort = { files: 1, beside: { ...MANIFESTS, ...RARE } };

/** The same for ESLint. */
const TYPESCRIPT = `import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";

const server = new McpServer({ name: "example", version: "1.0.0" });
server.registerTool("forecast", { description: "The forecast" }, async ({ city }: Asked) => {
  const answer = await fetch("https://api.example.com/" + city);
  return { content: [{ type: "text", text: await answer.text() }] };
});
`;
const SAMPLES: Record<Language, { ending: string; text: string }> = {
  python: { ending: "py", text: PYTHON_SAMPLE },
  typescript: { ending: "ts", text: TYPESCRIPT },
  javascript: { ending: "js", text: TYPESCRIPT.replace(": Asked", "") },
  go: { ending: "go", text: 'package main\n\nfunc main() { println("example") }\n' },
  rust: { ending: "rs", text: 'fn main() { println!("example"); }\n' },
};

/**
 * Prepares a fresh process for servers in `lang`; false when it did not do its work and is to be
 * ended.
 */
export async function warmUp(
  host: HostProcess,
  lang: Language,
  effort: Effort,
  watch: Watch,
): Promise<boolean> {
  const { ending, text } = SAMPLES[lang];
  const content = new TextEncoder().encode(text);
  const beside = Object.entries(effort.beside).map(([path, text]) => ({
    path,
    content: new TextEncoder().encode(text),
  }));
  const files = Array.from({ length: effort.files }, (_, i) => ({
    path: `server${i}.${ending}`,
    content,
  })).concat(beside);
  for (const [id, analyser] of IN_SCANS.entries()) {
    const outcome = await attempt(
      host,
      {
        type: "run",
        id,
        analyser,
        lang,
        // That no such file is there leaves open which may run: all are looked at.
        entrypoint: `server.${ending}`,
        options: {},
        ahead: true,
        threads: 1,
        files: files.map(({ path, content }) => ({ path, size: content.length })),
      },
      files.map(({ content }) => content),
      watch,
    );
    if (outcome.kind !== "done") return false;
  }
  return true;
}

/** Whether a process answers, which it does after what it was told before. */
export async function answers(host: HostProcess, watch: Watch): Promise<boolean> {
  const outcome = await attempt(
    host,
    {
      type: "run",
      id: IN_SCANS.length,
      analyser: "manifests",
      lang: "python",
      entrypoint: "server.py",
      options: {},
      threads: 1,
      files: [],
    },
    [],
    watch,
  );
  return outcome.kind === "done";
}
