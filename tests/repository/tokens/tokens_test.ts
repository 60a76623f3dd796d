import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { AppError } from "../../../src/errors.ts";
import { createKeyRing, type KeyRing } from "../../../src/keys/key_ring.ts";
import { settleKeys } from "../../../src/keys/start.ts";
import { fetchRepository } from "../../../src/repository/fetch.ts";
import { keepHostToken, removeHostToken } from "../../../src/repository/tokens/keep.ts";
import { listHostTokens } from "../../../src/repository/tokens/list.ts";
import { readerTokens } from "../../../src/repository/tokens/use.ts";
import { GITEA_TOKEN, startGitea } from "../../helpers/code_hosts/gitea.ts";
import {
  ENTERPRISE_TOKEN,
  signInFirst,
  startGitHubEnterprise,
} from "../../helpers/code_hosts/github_enterprise.ts";
import { GITLAB_TOKEN, startGitLab } from "../../helpers/code_hosts/gitlab.ts";
import { depsFor, failure, withHost } from "../../helpers/code_hosts/fetching.ts";
import type { LoopbackHost } from "../../helpers/code_hosts/loopback.ts";
import { describeDatabases } from "../../helpers/database.ts";
import { alice, bob, context } from "../../helpers/registry.ts";
import type { Sql } from "../../../src/database/client.ts";

const OLD = new Uint8Array(32).fill(1);
const NEW = new Uint8Array(32).fill(2);
const now = () => new Date("2026-11-01T00:00:00Z");

async function ringOf(...keys: Uint8Array[]): Promise<KeyRing> {
  return (await createKeyRing({ keys, lost: [] }))!;
}

async function addUsers(sql: Sql): Promise<void> {
  for (const { userId, username } of [alice, bob]) {
    await sql`
      insert into users (subject, username, created_at)
      values (${userId}, ${username}, now()) on conflict do nothing`;
  }
}

function tokensOf(sql: Sql, ring: KeyRing | null, host: LoopbackHost) {
  const deps = { sql, now, ring, codeHosts: [host.settings] };
  const name = host.settings.host;
  return {
    keep: (token: string, path = "", caller = alice) =>
      keepHostToken(deps, caller, name, { token, path }, context),
    remove: (path = "", caller = alice) =>
      removeHostToken(deps, caller, { host: name, path }, context),
    list: (caller = alice) => listHostTokens(deps, caller),
    fetch: (url: string, reader?: string) =>
      fetchRepository({ ...depsFor(host), readerToken: readerTokens(deps) }, {
        url,
        entrypoint: "server.py",
        reader,
      }),
  };
}

const SECRET = { owner: "acme", name: "secret", files: { "server.py": "1" }, private: true };
const OPEN = { owner: "acme", name: "open", files: { "server.py": "1" } };
const REPOSITORIES = [SECRET, OPEN];

const HOSTS = [
  ["GitLab", startGitLab, GITLAB_TOKEN],
  ["Gitea", startGitea, GITEA_TOKEN],
  ["GitHub Enterprise", startGitHubEnterprise, ENTERPRISE_TOKEN],
] as const;

describeDatabases((kind, open) => {
  Deno.test(`private repositories on ${kind}`, async (t) => {
    const { sql, close } = await open();
    try {
      await addUsers(sql);
      const ring = await ringOf(OLD);
      for (const [name, start, token] of HOSTS) {
        await t.step(
          `are read at ${name} with the token of who publishes, and nobody else's`,
          () =>
            withHost(start(REPOSITORIES, { archivesElsewhere: true }), async (host) => {
              const tokens = tokensOf(sql, ring, host);
              const url = `https://${host.settings.host}/acme/secret`;
              const missing = await failure(tokens.fetch(url, alice.userId));
              assertStringIncludes(missing.message, "does not exist or is private");
              await tokens.keep(token);
              const got = await tokens.fetch(url, alice.userId);
              assertEquals([got.isPrivate, got.name], [true, "secret"]);
              for (const reader of [bob.userId, undefined]) {
                assertEquals((await failure(tokens.fetch(url, reader))).message, missing.message);
              }
              assertEquals(host.requests.archives.map(({ authorization }) => authorization), [
                null,
              ]);
              const [listed] = await tokens.list();
              assertEquals([listed?.state, listed?.last_used_at], ["ready", now().toISOString()]);
              assertEquals(JSON.stringify(listed).includes(token), false);
              assertEquals(await tokens.list(bob), []);
              await tokens.remove();
            }),
        );

        await t.step(
          `leave tokens at home for what all may read at ${name}`,
          () =>
            withHost(start(REPOSITORIES), async (host) => {
              const tokens = tokensOf(sql, ring, host);
              await tokens.keep(token);
              const url = `https://${host.settings.host}/acme/open`;
              assertEquals((await tokens.fetch(url, alice.userId)).isPrivate, false);
              assert(host.requests.api.every(({ authorization }) => authorization === null));
              await tokens.remove();
            }),
        );

        await t.step(
          `say at ${name} that a token was revoked, and of no other fault`,
          () =>
            withHost(start(REPOSITORIES), async (host) => {
              const tokens = tokensOf(sql, ring, host);
              const name = host.settings.host;
              await tokens.keep("s3cr3t-revoked");
              const error = await failure(
                tokens.fetch(`https://${name}/acme/secret`, alice.userId),
              );
              assertEquals(error.code, "repository_refused");
              assertStringIncludes(error.message, `${name} refuses your token`);
              assertEquals(String(error.stack).includes("s3cr3t"), false);
              assertEquals((await tokens.list())[0]?.state, "refused");
              // A new one is as good as new.
              await tokens.keep(token);
              assertEquals((await tokens.list())[0]?.state, "ready");
              const other = await failure(tokens.fetch(`https://${name}/acme/none`, alice.userId));
              assertStringIncludes(other.message, "your token for");
              await tokens.remove();
            }),
        );
      }

      await t.step(
        "are read where everybody has to sign in",
        () =>
          withHost(startGitHubEnterprise([OPEN]), async (host) => {
            const tokens = tokensOf(sql, ring, host);
            const url = "https://git.example.com/acme/open";
            let first = true;
            host.intercept(() => {
              const answer = first ? signInFirst() : null;
              first = false;
              return answer;
            });
            await tokens.keep(ENTERPRISE_TOKEN);
            await tokens.fetch(url, alice.userId);
            await tokens.remove();
          }),
      );

      await t.step(
        "take the token whose path is the longest that fits",
        () =>
          withHost(startGitLab([SECRET, { ...SECRET, owner: "acmex" }]), async (host) => {
            const tokens = tokensOf(sql, ring, host);
            await tokens.keep("for-acme-other", "acme/secre");
            await tokens.keep(GITLAB_TOKEN, "acme/secret");
            await tokens.keep("for-all-of-acme", "acme");
            await tokens.fetch("https://gitlab.com/acme/secret", alice.userId);
            const none = await failure(
              tokens.fetch("https://gitlab.com/acmex/secret", alice.userId),
            );
            assertStringIncludes(none.message, "does not exist or is private");
            for (const path of ["acme/secre", "acme/secret", "acme"]) await tokens.remove(path);
          }),
      );

      await t.step(
        "do not send the token along when a host redirects elsewhere",
        () =>
          withHost(startGitLab([SECRET]), async (host) => {
            const thief = await startGitLab([{ ...SECRET, private: false }]);
            try {
              const tokens = tokensOf(sql, ring, host);
              await tokens.keep(GITLAB_TOKEN);
              const location = `${thief.settings.apiUrl}/projects/41`;
              host.intercept(() => new Response(null, { status: 302, headers: { location } }));
              await tokens.fetch("https://gitlab.com/acme/secret", alice.userId).catch(() => {});
              assert(thief.requests.api.length > 0);
              assert(thief.requests.api.every(({ authorization }) => authorization === null));
              await tokens.remove();
            } finally {
              await thief.close();
            }
          }),
      );

      await t.step(
        "have tokens that are sealed, move with the operator's keys, and go with users",
        () =>
          withHost(startGitLab([SECRET]), async (host) => {
            const url = "https://gitlab.com/acme/secret";
            await tokensOf(sql, ring, host).keep(GITLAB_TOKEN);
            const rows = await sql`select * from code_host_tokens`;
            for (const value of Object.values(rows[0]!)) {
              const text = value instanceof Uint8Array
                ? new TextDecoder().decode(value)
                : `${value}`;
              assertEquals(text.includes(GITLAB_TOKEN), false);
            }
            const audited = JSON.stringify(await sql`select * from audit_log`);
            assertStringIncludes(audited, "code_host.token_set");
            assertEquals(audited.includes(GITLAB_TOKEN), false);
            // A row in the place of another opens nothing.
            await sql`update code_host_tokens set subject = ${bob.userId}`;
            await failure(tokensOf(sql, ring, host).fetch(url, bob.userId));
            await sql`update code_host_tokens set subject = ${alice.userId}`;

            const other = await ringOf(NEW);
            assertEquals((await settleKeys(sql, other, now())).kind, "refused");
            assertEquals((await tokensOf(sql, other, host).list())[0]?.state, "unreadable");
            const both = await ringOf(NEW, OLD);
            assertEquals(await settleKeys(sql, both, now()), { kind: "settled", moved: 1 });
            await tokensOf(sql, other, host).fetch(url, alice.userId);
            await sql`delete from users where subject = ${alice.userId}`;
            assertEquals((await sql`select 1 from code_host_tokens`).length, 0);
            await addUsers(sql);
          }),
      );

      await t.step(
        "have no tokens of other hosts, too many, or where nothing is kept",
        () =>
          withHost(startGitLab(), async (host) => {
            const tokens = tokensOf(sql, ring, host);
            const deps = { sql, now, ring, codeHosts: [host.settings] };
            const elsewhere = await assertRejects(
              () => keepHostToken(deps, alice, "evil.example", { token: "t", path: "" }, context),
              AppError,
            );
            assertEquals(elsewhere.code, "not_found");
            assertEquals((await failure(tokensOf(sql, null, host).keep("t"))).code, "conflict");
            assertEquals((await failure(tokens.remove("none"))).code, "not_found");
            for (let i = 0; i < 100; i++) await tokens.keep("t", `acme/${i}`);
            assertEquals((await failure(tokens.keep("t", "acme/more"))).code, "conflict");
            await tokens.keep("t2", "acme/7");
          }),
      );
    } finally {
      await close();
    }
  });
});
