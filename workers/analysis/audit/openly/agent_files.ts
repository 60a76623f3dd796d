/**
 * Files that an assistant obeys: its settings, which say which servers it starts, and the instructions
 * that it reads in a folder or a home. A server that writes them speaks for the user.
 *
 * @module
 */
import { sinkOf } from "../../python/calls/sinks.ts";
import { textsOf } from "../keys/destinations.ts";
import { statedPath } from "../flow/files/autostart.ts";
import { filesIn, placesIn } from "../flow/files/places.ts";
import { writesOf } from "../flow/files/writes.ts";
import type { ObservedCall } from "../flow/observed.ts";
import type { OpenKind, OpenPlace } from "./kinds.ts";

const SETTINGS =
  /(^|\/)(\.claude\.json|claude_desktop_config\.json|\.claude\/settings(\.local)?\.json|\.?mcp\.json|mcp_config\.json|\.(cursor|windsurf|codeium|gemini|vscode|roo|kiro|kilocode|trae|continue)\/(.*\/)?(mcp\w*|settings)\.json|cline_mcp_settings\.json|mcp_settings\.json|\.codex\/config\.toml|\.config\/(zed\/settings|opencode\/\w+|goose\/config)\.\w+|librechat\.yaml)$/i;
const INSTRUCTIONS =
  /(^|\/)(CLAUDE(\.local)?\.md|AGENTS?(\.override)?\.md|GEMINI\.md|QWEN\.md|WARP\.md|\.cursorrules|\.windsurfrules|\.clinerules|\.roorules|\.goosehints|copilot-instructions\.md|\w[\w-]*\.instructions\.md|\.(cursor|windsurf|roo|kiro|trae|continue|amazonq)\/(rules|steering)\/.*|\.claude\/(commands|agents|skills|hooks|rules|output-styles)\/.*|\.codex\/(prompts|AGENTS)\b.*|\.aider\.conf\.yml)$/;
/** `echo … >> CLAUDE.md`, `… | tee -a .cursorrules`, in a shell's text. */
const REDIRECTED =
  /(?:>{1,2}|\btee\s+(?:-a\s+)?|\bsed\s+-i\b.*\s|\bcp\s.*\s|\bmv\s.*\s)\s*["']?([^\s"';&|<>]+)/g;
const ADDS_SERVER =
  /\b(claude|codex|gemini|cursor|code|code-insiders|amp|droid)(\.cmd|\.exe)?["'\s]+mcp["'\s]+add(-json)?\b|--add-mcp\b/;

function kindOf(path: string): OpenKind | null {
  if (INSTRUCTIONS.test(path)) return "instructions";
  return SETTINGS.test(path) ? "assistants" : null;
}

const TITLES: Partial<Record<OpenKind, string>> = {
  instructions: "A file of instructions to an assistant is written",
  assistants: "The settings of an assistant are written: which servers it starts",
};

/** Finds where such files are written. */
export class AgentFiles {
  readonly #places = new Map<string, OpenPlace>();

  observe(call: ObservedCall): void {
    const kind = this.#written(call) ?? this.#started(call) ?? this.#handedOn(call);
    if (kind === null) return;
    const { names: { tree }, node } = call;
    this.#places.set(`${tree.path}\0${node.number}`, { kind, tree, node, title: TITLES[kind]! });
  }

  #written(call: ObservedCall): OpenKind | null {
    for (const { file, content, kind, stated } of writesOf(call)) {
      if (kind === "folder" || content === null && stated === undefined) continue;
      const told = placesIn(call.labels(file)).map((key) => key.replace(/^\w+:/, ""));
      for (const path of [stated ?? statedPath(call.names, file), ...told]) {
        const found = kindOf(path);
        if (found !== null) return found;
      }
    }
    return null;
  }

  #started({ names, callee, given }: ObservedCall): OpenKind | null {
    const kind = callee === null ? null : sinkOf(callee.name);
    if (kind !== "shell" && kind !== "process") return null;
    const text = given.positional.flatMap((each) => textsOf(names, each)).join(" ").slice(0, 4000);
    if (ADDS_SERVER.test(text)) return "assistants";
    return [...text.matchAll(REDIRECTED)].map(([, path]) => kindOf(path!))
      .find((each) => each !== null) ?? null;
  }

  /** A function of the project that writes the file which it is told. */
  #handedOn(call: ObservedCall): OpenKind | null {
    const target = call.target();
    if (target === null || !filesIn(target.names, target.definition).writes) return null;
    return [...call.given.positional, ...call.given.keywords.values()]
      .map((each) => kindOf(statedPath(call.names, each))).find((each) => each !== null) ?? null;
  }

  places(): OpenPlace[] {
    return [...this.#places.values()];
  }
}
