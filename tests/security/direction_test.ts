/**
 * Characters that change the direction in which source is shown: they must not let code look like text
 * or the other way round. In payloads and texts of their own they hide nothing.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { scan } from "./scanned_servers.ts";
import { startingServer } from "./starting_servers.ts";

const [RLO, PDF, LRI, RLI, PDI, RLM] = [
  "\u202e",
  "\u202c",
  "\u2066",
  "\u2067",
  "\u2069",
  "\u200f",
];

/** Lines in which code and text change places. */
const HOSTILE: [string, string][] = [
  [
    "a text that runs over the condition behind it",
    `if X != "user${RLO} ${LRI}# admins${PDI} ${LRI}": return 1`,
  ],
  [
    "a text that looks like more than one",
    `role = "admin${RLO} ${LRI}if X else None${PDI} ${LRI}"`,
  ],
  [
    "a docstring whose end comes before what is shown in it",
    `"""Ends here${RLO} ${LRI}""" ; return 2`,
  ],
  ["a line of a longer text", `text = """a\n    ${RLO}${LRI}""" if X else 1${PDI}\n    b"""`],
  ["a comment", `x = 1 # ${RLO}} ${LRI}if X:${PDI} ${LRI} begins`],
  ["a row with code behind the text", `rows = [\n        "a${RLO}", X,\n    ]`],
  ["a row with a comment that turns too", `rows = [\n        "a", # ${RLO} b\n    ]`],
  ["an end that nothing began", `rows = ["a${PDF}", X]`],
  ["ends in the wrong order", `rows = ["${RLO}a${LRI}b${PDF}${PDI}", X]`],
  ["a formatted text", `rows = [f"${RLO}{X}${PDF}"]`],
  ["a mark before numbers", `limit = min(len("a${RLM}"), 10 - 2)`],
  ["a key that runs over its value", `rows = {\n        "a${RLO}": X,\n    }`],
  ["an argument alone on its line", `go(\n        "a${RLO} ${LRI})${PDI}",\n    )`],
  ["two texts of a line, of which one is open", `rows = ["${RLO}a${PDF}", "${RLO}b", X]`],
];

for (const [what, line] of HOSTILE) {
  Deno.test(`direction that is changed in ${what} fails the scan`, async () => {
    const server = startingServer(`def t(X: str):\n    ${line}\n    return X`);
    const { grave } = await scan({ "server.py": server });
    assertEquals([...new Set(grave.map(({ rule }) => rule))], ["PLE2502"]);
  });
}

/** Lines in which the characters are data. */
const HONEST: [string, string][] = [
  [
    "rows of payloads",
    `rows = [\n        "${RLO}desrever",  # an override\n        "${LRI}${RLI}a${PDI}",\n    ]`,
  ],
  ["payloads by name", `rows = {\n        "override": "${RLO}desrever",\n    }`],
  ["a text that ends what it begins", `text = "a ${RLI}b${PDI} c" + X`],
  ["such texts beside each other", `rows = ["${RLO}a${PDF}", "${RLI}b${PDI}", X]`],
  ["a longer text of which each line does", `text = """a\n    ${RLI}b${PDI}\n    c"""`],
  ["a mark in words", `text = "a${RLM}!" + X`],
];

for (const [what, line] of HONEST) {
  Deno.test(`a server with directions in ${what} passes the scan`, async () => {
    const server = startingServer(`def t(X: str):\n    ${line}\n    return X`);
    assertEquals((await scan({ "server.py": server })).grave, []);
  });
}
