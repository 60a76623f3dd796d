import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { AppError } from "../../src/errors.ts";
import { parseRepositoryAddress } from "../../src/repository/address.ts";

const HOSTS = ["github.com"];

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

Deno.test("parseRepositoryAddress() keeps what follows /tree/, decoded", () => {
  const address = parse("https://github.com/acme/mono/tree/v1.0/servers/we%20ather/");
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
    ["https://github.com:8443/acme/weather", "host must be one of github.com"],
    ["https://github.com.evil.example/acme/weather", "host must be one of github.com"],
    ["https://127.0.0.1/acme/weather", "host must be one of github.com"],
    ["git@evil.example:acme/weather", "host must be one of github.com"],
    ["https://github.com/acme", "an owner and a repository"],
    ["https://github.com/", "an owner and a repository"],
    ["https://github.com/acme/..%2f..%2fx", "an owner and a repository"],
    ["https://github.com/-acme/weather", "an owner and a repository"],
    ["https://github.com/acme/.git", "an owner and a repository"],
    ["https://github.com/acme/weather/blob/main/x.py", "/tree/<ref>/<folder>"],
    ["https://github.com/acme/weather/tree", "/tree/<ref>/<folder>"],
    ["https://github.com/acme/weather/tree/main/%2e%2e%2fx", "a ref and a folder"],
    ["https://github.com/acme/weather/tree/main/a%5cb", "a ref and a folder"],
    ["https://github.com/acme/weather/tree/main/a%00b", "a ref and a folder"],
    ["https://github.com/acme/weather/tree/main//b", "a ref and a folder"],
    ["https://github.com/acme/weather/tree/%zz", "percent encoding"],
    [`https://github.com/acme/weather/tree/${"a/".repeat(40)}b`, "more than 16 parts"],
  ];
  for (const [url, problem] of refused) {
    const error = assertThrows(() => parse(url), AppError);
    assertEquals(error.code, "invalid_request", url);
    assertStringIncludes(error.message, problem, url);
    assertEquals(error.errors[0]?.path, "repository.url");
  }
});
