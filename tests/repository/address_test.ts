import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import type { AddressHost } from "../../src/code_host_settings.ts";
import { AppError } from "../../src/errors.ts";
import { parseRepositoryAddress } from "../../src/repository/address.ts";

const HOSTS: AddressHost[] = [
  { host: "github.com", kind: "github" },
  { host: "gitlab.com", kind: "gitlab" },
  { host: "codeberg.org", kind: "gitea" },
];

function parse(url: string) {
  return parseRepositoryAddress(url, HOSTS);
}

Deno.test("parseRepositoryAddress() understands every spelling of one repository", () => {
  for (
    const url of [
      "https://github.com/Acme/Weather",
      "https://github.com/acme/weather/",
      "https://github.com/acme/weather.git",
      " https://GitHub.com/acme/weather.git ",
      "git@github.com:acme/weather",
      "git@github.com:acme/weather.git",
    ]
  ) {
    assertEquals(parse(url).normal, "https://github.com/acme/weather", url);
  }
  assertEquals(parse("https://github.com/Acme/Weather.git").name, "Weather");
});

Deno.test("parseRepositoryAddress() keeps what follows /tree/, as it is written", () => {
  const address = parse("https://github.com/acme/mono/tree/v1.0/servers/we ather/");
  assertEquals(address.tail, "v1.0/servers/we ather");
  assertEquals(address.normal, "https://github.com/acme/mono/tree/v1.0/servers/we ather");
});

Deno.test("parseRepositoryAddress() refuses everything else and names the field", () => {
  const refused: [string, string][] = [
    ["http://github.com/acme/weather", "https://"],
    ["ssh://git@github.com/acme/weather", "https://"],
    ["file:///etc/passwd", "https://"],
    ["javascript:alert(1)", "https://"],
    ["acme/weather", "such as https://github.com/owner/name"],
    ["https://token@github.com/acme/weather", "credentials"],
    ["https://u:p@github.com/acme/weather", "credentials"],
    ["https://github.com/acme/weather?ref=x", "query"],
    ["https://github.com/acme/weather#readme", "fragment"],
    [
      "https://github.com:8443/acme/weather",
      "host must be one of github.com, gitlab.com, codeberg.org",
    ],
    [
      "https://github.com.evil.example/acme/weather",
      "host must be one of github.com, gitlab.com, codeberg.org",
    ],
    ["https://127.0.0.1/acme/weather", "host must be one of github.com, gitlab.com, codeberg.org"],
    ["git@evil.example:acme/weather", "host must be one of github.com, gitlab.com, codeberg.org"],
    ["https://github.com/acme", "an owner and a repository"],
    ["https://github.com/", "an owner and a repository"],
    ["https://github.com/acme/weather.git.git", "an owner and a repository"],
    ["https://github.com/-acme/weather", "an owner and a repository"],
    ["https://github.com/acme/.git", "an owner and a repository"],
    ["https://github.com/acme/weather/blob/main/x.py", "/tree/<ref>/<folder>"],
    ["https://github.com/acme/weather/tree", "/tree/<ref>/<folder>"],
    ["https://github.com/acme/weather/tree/main//b", "a ref and an optional folder"],
    ["https://github.com/acme/weather/tree/main/a<b", "a ref and an optional folder"],
    [`https://github.com/acme/weather/tree/${"a/".repeat(40)}b`, "more than 16 parts"],
  ];
  for (const [url, problem] of refused) {
    const error = assertThrows(() => parse(url), AppError);
    assertEquals(error.code, "invalid_request", url);
    assertStringIncludes(error.message, problem, url);
    assertEquals(error.errors[0]?.path, "repository.url");
  }
});

Deno.test("parseRepositoryAddress() understands groups of groups where a host has them", () => {
  for (
    const url of [
      "https://gitlab.com/Acme/Tools/Weather",
      "https://gitlab.com/acme/tools/weather.git",
      "git@gitlab.com:acme/tools/weather.git",
    ]
  ) {
    const { owner, normal } = parse(url);
    assertEquals(owner.toLowerCase(), "acme/tools");
    assertEquals(normal, "https://gitlab.com/acme/tools/weather", url);
  }
  for (const mark of ["tree", "-/tree"]) {
    const { name, tail, normal } = parse(`https://gitlab.com/a/b/c.d/${mark}/v1/tree/-/x`);
    assertEquals([name, tail], ["c.d", "v1/tree/-/x"]);
    assertEquals(normal, "https://gitlab.com/a/b/c.d/-/tree/v1/tree/-/x");
    assertEquals(parse(normal).normal, normal);
  }
  const refused: [string, string][] = [
    ["https://gitlab.com/acme", "an owner and a repository"],
    ["https://gitlab.com/-/tree/main", "an owner and a repository"],
    ["https://gitlab.com/acme/-/tree/main", "an owner and a repository"],
    ["https://gitlab.com/acme/weather.git.git", "an owner and a repository"],
    ["https://gitlab.com/acme./weather", "an owner and a repository"],
    [`https://gitlab.com/${"a/".repeat(21)}b`, "an owner and a repository"],
    ["https://gitlab.com/acme/weather/-/blob/main/x.py", "/tree/<ref>/<folder>"],
    ["https://gitlab.com/acme/weather/-/tree", "/tree/<ref>/<folder>"],
    ["https://gitlab.com/acme/weather/-/-/tree/main", "/tree/<ref>/<folder>"],
    ["https://gitlab.com/acme/../weather", "parts that are"],
    ["https://gitlab.com/acme%2Fweather/x", "percent-encoding"],
    ["https://github.com/acme/tools/weather", "/tree/<ref>/<folder>"],
    ["https://github.com/acme/weather/-/tree/main", "/tree/<ref>/<folder>"],
  ];
  for (const [url, problem] of refused) {
    assertStringIncludes(assertThrows(() => parse(url), AppError).message, problem, url);
  }
});

Deno.test("parseRepositoryAddress() understands what Gitea says of refs", () => {
  for (
    const [path, refKind, tail, normal] of [
      ["Acme.x/We_ather.git", null, "", "acme.x/we_ather"],
      [
        "acme/weather/src/branch/main/a b",
        "branch",
        "main/a b",
        "acme/weather/src/branch/main/a b",
      ],
      ["acme/weather/src/tag/v1.0", "tag", "v1.0", "acme/weather/src/tag/v1.0"],
      ["acme/weather/src/commit/ab12", "commit", "ab12", "acme/weather/src/commit/ab12"],
      ["acme/weather/src/main/src", null, "main/src", "acme/weather/src/main/src"],
      ["acme/weather/tree/main/x", null, "main/x", "acme/weather/src/main/x"],
      ["acme/weather/tree/tag/x", null, "tag/x", "acme/weather/src/branch/tag/x"],
    ] as const
  ) {
    const address = parse(`https://codeberg.org/${path}`);
    assertEquals([address.refKind, address.tail], [refKind, tail], path);
    assertEquals(address.normal, `https://codeberg.org/${normal}`, path);
    assertEquals(parse(address.normal).normal, address.normal);
  }
  for (
    const path of [
      "acme/tools/weather",
      "acme/weather/src",
      "acme/weather/src/branch",
      "acme/weather/src/branch/",
      "acme/weather/-/tree/main",
      "acme/weather/raw/branch/main/x",
    ]
  ) {
    const error = assertThrows(() => parse(`https://codeberg.org/${path}`), AppError);
    assertStringIncludes(error.message, "/tree/<ref>/<folder>", path);
  }
});

Deno.test("parseRepositoryAddress() takes any host for those who do not know which there are", () => {
  const { host, normal } = parseRepositoryAddress("git@git.example.com:a/b/c.git", null);
  assertEquals([host, normal], ["git.example.com", "https://git.example.com/a/b/c"]);
  assertEquals(
    parseRepositoryAddress("https://git.example.com/a/b/tree/main/x", null).tail,
    "main/x",
  );
  const gitea = parseRepositoryAddress("https://git.example.com/a/b/src/tag/v1/x", null);
  assertEquals([gitea.name, gitea.refKind, gitea.tail], ["b", "tag", "v1/x"]);
  assertThrows(() => parseRepositoryAddress("https://git.example.com/a", null), AppError);
});

/** Spellings that a browser, or a parser like its own, repairs into some other address. */
const REPAIRED: Record<string, readonly string[]> = {
  "dot segments": [
    "https://github.com/acme/weather/../other",
    "https://github.com/acme/./weather",
    "https://github.com/./acme/weather",
    "https://github.com/acme/weather/..",
    "https://github.com/acme/weather/.",
    "https://github.com/acme/../evil/weather",
    "https://github.com/acme/weather/tree/main/../../../../evil/other",
    "git@github.com:acme/../evil/weather",
  ],
  "percent signs": [
    "https://github.com/acme/%2e%2e/evil/other",
    "https://github.com/acme/weather/%2E%2E/other",
    "https://github.com/acme/weather%2f..%2fother",
    "https://github.com/acme/we%61ther",
    "https://%67ithub.com/acme/weather",
    "https://github.com%2eevil.example/acme/weather",
    "https://github.com/acme/weather/tree/main/a%5cb",
    "https://github.com/acme/weather/tree/%zz",
    "https://github.com/acme/weather%00",
  ],
  "tabs, line ends and other controls": [
    "https://github.com/acme/weather\n",
    "\thttps://github.com/acme/weather",
    "ht\ttps://github.com/acme/weather",
    "https://github.com/acme/wea\nther",
    "https://git\rhub.com/acme/weather",
    "https://github.com/acme/.\t./evil/other",
    "https://github.com/acme/weather\u0000",
    "https://github.com/acme/weather\u0085",
    "https://github.com/acme/weather\u2028",
    "https://github.com/acme/weather\v",
  ],
  "backslashes": [
    "https:\\\\github.com\\acme\\weather",
    "https://github.com\\acme\\weather",
    "https://github.com/acme\\..\\evil/other",
    "https://evil.example\\@github.com/acme/weather",
    "https://github.com/acme/weather/tree/main\\..",
  ],
  "letters that stand for others": [
    "https://ｇｉｔｈｕｂ.com/acme/weather",
    "https://github。com/acme/weather",
    "https://github．com/acme/weather",
    "https://ⓖithub.com/acme/weather",
    "https://github.com／acme/weather",
    "https://github.com/acme/ｗeather",
    "https://github.com/acme/．．/other",
    "https://github.com/acme/weather/tree/ｍain",
    "https://gıthub.com/acme/weather",
    "https://xn--gthub-cta.com/acme/weather",
  ],
  "invisible characters": [
    "https://git\u00adhub.com/acme/weather",
    "https://github.com/acme/wea\u200bther",
    "https://github.com/acme/weather/tree/ma\u3164in",
    "https://github.com/acme/weather/tree/\u202egnp.niam",
    "\ufeffhttps://github.com/acme/weather",
    "https://github.com/acme/weather\u00a0",
  ],
  "authorities": [
    "https://github.com:443/acme/weather",
    "https://github.com:/acme/weather",
    "https://github.com./acme/weather",
    "https://@github.com/acme/weather",
    "https://:@github.com/acme/weather",
    "https://github.com@evil.example/acme/weather",
    "https:github.com/acme/weather",
    "https:/github.com/acme/weather",
    "https:///github.com/acme/weather",
    "https://0x7f.1/acme/weather",
    "git@github.com@evil.example:acme/weather",
  ],
  "queries, fragments and empty parts": [
    "https://github.com/acme/weather?",
    "https://github.com/acme/weather#",
    "https://github.com/acme/weather?/../../evil/other",
    "https://github.com//acme/weather",
    "https://github.com/acme//weather",
    "https://github.com/acme/weather//",
    "https://github.com/acme/weather/tree/main//",
  ],
  "blanks": [
    "https://github.com /acme/weather",
    "https://github.com/ acme/weather",
    "https://github.com/acme/weather /tree/main",
    "https://github.com/acme/we ather",
    "https://github.com/acme/weather/tree/main/ a",
  ],
};

for (const [kind, urls] of Object.entries(REPAIRED)) {
  Deno.test(`parseRepositoryAddress() repairs nothing: ${kind}`, () => {
    for (const url of urls) {
      const error = assertThrows(() => parse(url), AppError);
      assertEquals(error.errors[0]?.path, "repository.url", JSON.stringify(url));
    }
  });
}

Deno.test("the normal form of an address is one that is read as itself, as browsers read it", () => {
  for (
    const url of [
      "HTTPS://GitHub.COM/Acme/Weather.git",
      "git@github.com:acme/weather.git/",
      "https://github.com/acme/we.ather-1_x/tree/feature/a+b@c/säule",
      "https://github.com/acme/mono/tree/v1.0/a b/(c)",
    ]
  ) {
    const { normal } = parse(url);
    assertEquals(parse(normal).normal, normal);
    assertEquals(decodeURI(new URL(normal).href), normal);
  }
});

Deno.test("parseRepositoryAddress() does not look into an address that is too long", () => {
  for (const filling of [" ", "/", "a", "%"]) {
    const url = `https://github.com/acme/${filling.repeat(250_000)}x`;
    const error = assertThrows(() => parse(url), AppError);
    assertStringIncludes(error.message, "2048 characters");
  }
});
