/**
 * What a server may do only where its tools say so: a person who reads what these are for would not
 * expect it otherwise.
 *
 * @module
 */
import type { SourceTree } from "../../syntax/source_tree.ts";
import type { SyntaxNode } from "../../syntax/tree.ts";
import { type Rule, rule } from "../rule.ts";

export type OpenKind =
  | "clipboard"
  | "screen"
  | "instructions"
  | "assistants"
  | "docker"
  | "frames";

/** Where the source does something of a kind. */
export interface OpenPlace {
  kind: OpenKind;
  tree: SourceTree;
  node: SyntaxNode;
  /** For people. */
  title: string;
}

const WATCHED = rule(
  "py/user-watched",
  "high",
  200,
  "Say in the tool's description that it does so, or remove it: people copy passwords and show letters",
);
const ASSISTANT = rule(
  "py/assistant-changed",
  "high",
  506,
  "Say in the tool's description that it does so, or print what users may add to the file themselves",
);
const DOCKER = rule(
  "py/docker-socket",
  "high",
  506,
  "Say in the tool's description that it manages containers: its socket opens the machine",
);
const FRAMES = rule(
  "py/frame-locals",
  "high",
  506,
  "Pass values as arguments: variables of other functions hold what these keep to themselves",
);

/** Every rule of this module. */
export const OPEN_RULES: readonly Rule[] = [WATCHED, ASSISTANT, DOCKER, FRAMES];

interface Kind {
  rule: Rule;
  /** What a tool's name or description says that does so. */
  says: readonly RegExp[];
  /** What a README says; null where each speaks of it anyway. */
  documented: RegExp | null;
}

const WRITES =
  /\b(writ\w+|creat\w+|generat\w+|updat\w+|adds?|append\w*|install\w*|uninstall\w*|sav\w+|sync\w*|init\w*|set ?up|configur\w+|register\w*|inject\w*|bootstrap\w*|scaffold\w*|stor\w+|record\w*|edit\w*|export\w*|remember\w*|manag\w+|enabl\w+|disabl\w+|remov\w+|migrat\w+)\b/;

/** The kinds: what each counts as, and who says that it does so. */
export const KINDS: Readonly<Record<OpenKind, Kind>> = {
  clipboard: {
    rule: WATCHED,
    says: [
      /\bclip ?boards?\b|\bpaste ?boards?\b|\b(copy|copies|copied|paste[sd]?) (to|from|into)\b/,
    ],
    documented: /\bclipboard/i,
  },
  screen: {
    rule: WATCHED,
    says: [
      /\bscreen ?shots?\b|\b(screens?|displays?|desktop|monitors?|windows?|gui|mouse|clicks?|cursor|pixels?|camera|webcam|photos?|microphone|record(s|ing)?|voice|speech|audio|ocr)\b/,
    ],
    documented:
      /\bscreenshots?|\bscreen (capture|recording)|desktop (automation|control)|\bcamera|\bmicrophone|computer use/i,
  },
  instructions: {
    rule: ASSISTANT,
    says: [
      WRITES,
      /\b(claude|agents?|cursor|copilot|gemini|windsurf|cline|codex|instructions?|rules?|skills?|slash commands?|memor(y|ies))\b/,
    ],
    documented: null,
  },
  assistants: {
    rule: ASSISTANT,
    says: [
      WRITES,
      /\b(mcp|clients?|claude|cursor|windsurf|gemini|codex|vs ?code|editors?|ide|desktop)\b/,
      /\b(config\w*|settings?|servers?|install\w*|regist\w+|set ?up|entr(y|ies))\b/,
    ],
    documented: null,
  },
  docker: {
    rule: DOCKER,
    says: [/\b(dockers?|containers?|podman|images?|compose|sandbox(es)?)\b/],
    documented:
      /docker\.sock|docker (socket|api|engine|daemon)|\b(list|manag|start|stop|inspect|control)\w* (your |the |docker |running |all )*containers/i,
  },
  frames: {
    rule: FRAMES,
    says: [
      /\b(debug\w*|frames?|traceback\w*|introspect\w*|stack|local variables?|profil\w+|repl|breakpoints?)\b/,
    ],
    documented: /\bdebugger\b/i,
  },
};
