/**
 * `/glossary`: words that somebody who is new to MCP or to this registry may not know.
 *
 * @module
 */
import type { Child } from "hono/jsx";
import type { Links } from "../../http/links.ts";
import type { PageRequest } from "../layout/context.ts";
import { showPage } from "../layout/respond.tsx";

/** The words, each with its meaning in plain English. */
export const GLOSSARY = {
  advisory: [
    "Advisory",
    "A public notice of a weakness in a package, with the versions that have it. The scan looks up every package that a server uses.",
  ],
  capability: [
    "Capability",
    "Something powerful that a server does because it is for that, such as running SQL or commands that its caller writes. A sign beside the name says so, and an administrator may have to permit it.",
  ],
  client: [
    "Client",
    "The program that uses a server on your behalf, such as Claude Desktop, Cursor or VS Code.",
  ],
  finding: [
    "Finding",
    "Something that a scan noticed in a server's code, packages or texts. A blocking finding makes the scan fail; any other is a remark.",
  ],
  key: [
    "Key",
    "A value that a server needs from you, such as an API key of another service. Whether the server's own code sees it is said where you enter it.",
  ],
  mcp: [
    "MCP",
    "The Model Context Protocol: how assistants and other programs find and call tools. Its specification is public, and many programs speak it.",
  ],
  prompt: ["Prompt", "A text with blanks that a server offers for its users to start from."],
  resource: ["Resource", "A document or a piece of data that a server offers for reading."],
  sandbox: [
    "Sandbox",
    "A closed room for code. A server that runs here sees no files but its own, and reaches the network only through Berth, by its rules.",
  ],
  scan: [
    "Scan",
    "The examination of exactly the source that will run, in five stages: quality, tools, dependencies, secrets and security.",
  ],
  server: [
    "MCP server",
    "A program that offers tools over MCP. In this registry it is a repository at one commit, with its scan.",
  ],
  session: [
    "Session",
    "The time in which one client uses one server. Each session has a running copy of the server of its own, which ends with it.",
  ],
  stdio: [
    "Standard input and output",
    "How a server talks to a client on the same machine. Here, Berth runs the server and clients talk to it over HTTP instead.",
  ],
  token: [
    "Token",
    "A secret text that shows who calls, as a password would. You make tokens in your profile, can give them an end, and can revoke them.",
  ],
  tool: [
    "Tool",
    "A function that a server offers, with a name, a description and parameters. An assistant decides when to call it.",
  ],
  verdict: [
    "Verdict",
    "The result of a scan: passed, failed or not finished. Passed means that nothing blocking was found. It is no promise that there is nothing to find.",
  ],
  publisher: [
    "Verified publisher",
    "The account that published the server controls its repository: a file on its default branch names that account. It says who, and nothing about how good the code is.",
  ],
} as const satisfies Record<string, readonly [word: string, meaning: string]>;

/** A word that the glossary explains. */
export type Word = keyof typeof GLOSSARY;

/** `children` as a link to what `word` means. */
export function Term({ word, links, children }: { word: Word; links: Links; children: Child }) {
  return (
    <a class="term" href={links.path(`/glossary#${word}`)} title={GLOSSARY[word][1]}>
      {children}
    </a>
  );
}

function inOrder() {
  const { compare } = new Intl.Collator("en");
  return Object.entries(GLOSSARY).toSorted(([, [a]], [, [b]]) => compare(a, b));
}

export async function showGlossary(request: PageRequest): Promise<Response> {
  return await showPage(
    request,
    {
      title: "Glossary",
      canonical: "/glossary",
      description:
        "What the words on these pages mean: MCP, server, tool, scan, verdict and others.",
    },
    <div class="guide">
      <h1>Glossary</h1>
      <dl class="glossary">
        {inOrder().map(([id, [word, meaning]]) => (
          <div id={id}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </div>,
  );
}
