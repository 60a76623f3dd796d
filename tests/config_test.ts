import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { codeHostsOf } from "../src/code_host_settings.ts";
import { ConfigError, parseConfig, registryUrl, VARIABLES, workerUrl } from "../src/config.ts";

function problems(variables: Record<string, string>): string[] {
  return assertThrows(() => parseConfig(variables), ConfigError).problems;
}

Deno.test("parseConfig() gives the documented defaults for an empty environment", () => {
  const config = parseConfig({});
  assertEquals(config.ROLE, "all");
  assertEquals(config.REGISTRY_PORT, 8000);
  assertEquals(config.WORKER_PORT, 8001);
  assertEquals(codeHostsOf(config).map(({ host }) => host), ["github.com"]);
  assertEquals(config.EGRESS_ALLOW, []);
  assertEquals(config.SESSION_IDLE_SECONDS, 1800);
  assertEquals(config.OIDC_ISSUER, undefined);
  assertEquals(registryUrl(config), "http://127.0.0.1:8000");
  assertEquals(workerUrl(config), "http://127.0.0.1:8001");
});

Deno.test("parseConfig() takes an empty variable as unset", () => {
  assertEquals(parseConfig({ REGISTRY_PORT: "", OIDC_ISSUER: "" }).REGISTRY_PORT, 8000);
});

Deno.test("parseConfig() names every fault at once, those between variables too", () => {
  const found = problems({
    REGISTRY_PORT: "eighty",
    ROLE: "boss",
    LOG_LEVEL: "loud",
    OIDC_ISSUER: "https://issuer.example",
    HOST: "0.0.0.0",
    UPSTREAM_PROVIDERS: "{not json",
    TRUSTED_PROXIES: "10.0.0.0/8,proxy.internal",
  });
  const names = found.map((line) => line.split(":")[0]);
  assertEquals(names.toSorted(), [
    "LOG_LEVEL",
    "OIDC_AUDIENCE",
    "REGISTRY_PORT",
    "REGISTRY_URL",
    "ROLE",
    "TRUSTED_PROXIES",
    "UPSTREAM_PROVIDERS",
    "WORKER_URL",
  ]);
});

Deno.test("parseConfig() reads the webhook's secrets, as many as there are", () => {
  const [a, b] = [24, 64].map((length) => `whsec_${new Uint8Array(length).fill(1).toBase64()}`);
  for (const text of [`${a}`, `${a} ${b}`, `${a},${b}`, ` ${a} ,\n${b}, `]) {
    const secrets = parseConfig({ PAYMENTS_WEBHOOK_SECRET: text }).PAYMENTS_WEBHOOK_SECRET;
    assertEquals(secrets?.map(({ length }) => length), text.includes(b!) ? [24, 64] : [24]);
  }
  const hunter = new TextEncoder().encode("hunter2".repeat(4)).toBase64();
  const wrong = [
    " ",
    ",",
    hunter,
    `WHSEC_${hunter}`,
    `whsec_${hunter}!`,
    `whsec_${new Uint8Array(23).toBase64()}`,
    `whsec_${new Uint8Array(65).toBase64()}`,
    `${a} ${hunter}`,
    Array(11).fill(a).join(" "),
  ];
  for (const text of wrong) {
    const found = problems({ PAYMENTS_WEBHOOK_SECRET: text });
    assertEquals(found.length, 1);
    assertStringIncludes(found[0]!, "PAYMENTS_WEBHOOK_SECRET: must be");
    assertEquals(found[0]!.includes(hunter), false);
  }
});

Deno.test("parseConfig() never repeats the value of a bad variable", () => {
  const error = assertThrows(
    () => parseConfig({ DATABASE_URL: "mysql://root:hunter2@db", SONAR_URL: "ftp://hunter2" }),
    ConfigError,
  );
  assertStringIncludes(error.message, "DATABASE_URL");
  assertEquals(error.message.includes("hunter2"), false);
});

Deno.test("parseConfig() says what an address of a database and of a mail server looks like", () => {
  assertEquals(problems({ DATABASE_URL: "mysql://root@db/berth" }), [
    "DATABASE_URL: must be a PostgreSQL address such as postgres://user@host:5432/berth",
  ]);
  assertEquals(problems({ SMTP_URL: "https://mail.example.com", MAIL_FROM: "a@example.com" }), [
    "SMTP_URL: must be a mail server's address such as smtp://mail.example.com:587",
  ]);
});

Deno.test("parseConfig() refuses one port for both listeners, but lets the system choose two", () => {
  assertEquals(problems({ REGISTRY_PORT: "9000", WORKER_PORT: "9000" }).length, 1);
  assertEquals(parseConfig({ REGISTRY_PORT: "0", WORKER_PORT: "0" }).WORKER_PORT, 0);
});

Deno.test("parseConfig() splits lists and drops blanks", () => {
  const config = parseConfig({ EGRESS_ALLOW: " 10.0.0.0/8, ,db:5432 ", ADMIN_SUBJECTS: "a,b" });
  assertEquals(config.EGRESS_ALLOW, ["10.0.0.0/8", "db:5432"]);
  assertEquals(config.ADMIN_SUBJECTS, ["a", "b"]);
});

Deno.test("parseConfig() takes keys of SonarQube projects that name the repository", () => {
  assertEquals(parseConfig({ SONAR_PROJECT_KEY: "team:{name}" }).SONAR_PROJECT_KEY, "team:{name}");
  for (const key of ["fixed", "{name} x", "{owner}_"]) {
    const error = assertThrows(() => parseConfig({ SONAR_PROJECT_KEY: key }), ConfigError);
    assertEquals(error.problems.length, 1);
  }
});

Deno.test("registryUrl() puts brackets around an IPv6 host", () => {
  assertEquals(registryUrl(parseConfig({ HOST: "::1" })), "http://[::1]:8000");
});

Deno.test(".env.example lists every variable with its default", async () => {
  const text = await Deno.readTextFile(new URL("../.env.example", import.meta.url));
  const listed = new Map(
    [...text.matchAll(/^#([A-Z][A-Z_0-9]+)=(.*)$/gm)].map((match) => [match[1]!, match[2]!]),
  );
  assertEquals([...listed.keys()].toSorted(), VARIABLES.toSorted());
  assertEquals(parseConfig(Object.fromEntries(listed)), parseConfig({}));
});
