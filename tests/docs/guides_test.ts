/** Every code block of the documentation, run as a reader would or held against the real thing. */
import { assertEquals } from "@std/assert";
import { API, registerExamples } from "./guides/api.ts";
import { CI } from "./guides/ci.ts";
import { CLI, README_LOGIN } from "./guides/cli.ts";
import { type Desk, hasPrograms, openDesk, PROGRAMS } from "./guides/desk.ts";
import { EXECUTION } from "./guides/execution.ts";
import { blocksOf, type Check, guidesWithBlocks } from "./guides/guide.ts";
import { OBSERVING, OPERATING, SANDBOX } from "./guides/operating.ts";
import {
  AUDIT,
  PAYMENTS,
  PAYMENTS_WEBHOOK_SECRET,
  PERMISSIONS,
  SIGN_IN,
  TOKENS,
} from "./guides/people.ts";

/** In an order in which each finds what it needs: the command line's last block deletes it. */
const GUIDES: Record<string, Check[]> = {
  "docs/api.md": API,
  "docs/execution.md": EXECUTION,
  "docs/permissions.md": PERMISSIONS,
  "docs/audit.md": AUDIT,
  "docs/payments.md": PAYMENTS,
  "docs/sign-in.md": SIGN_IN,
  "docs/tokens.md": TOKENS,
  "docs/operating.md": OPERATING,
  "docs/observing.md": OBSERVING,
  "docs/sandbox.md": SANDBOX,
  "docs/ci.md": CI,
  "docs/cli.md": CLI,
};
/** Tested elsewhere, or a drawing. */
const OTHERS: Record<string, string> = {
  "README.md": "tests/docs/readme_test.ts",
  "docs/architecture.md": "a drawing",
  "docs/keys.md": "tests/docs/keys_test.ts",
};

Deno.test("every guide that has code blocks is tried", async () => {
  const tried = [...Object.keys(GUIDES), ...Object.keys(OTHERS)].sort();
  assertEquals(await guidesWithBlocks(), tried);
  const code = (await blocksOf("docs/architecture.md")).filter(({ language }) => language !== "");
  assertEquals(code, []);
});

Deno.test({
  name: `the blocks of the guides do what they say (with ${PROGRAMS.join(", ")})`,
  ignore: !hasPrograms(),
  async fn(t) {
    let desk: Desk | undefined;
    try {
      const opened = desk = await openDesk({ PAYMENTS_WEBHOOK_SECRET });
      await registerExamples(opened);
      for (const [guide, checks] of Object.entries(GUIDES)) {
        const blocks = await blocksOf(guide);
        assertEquals(blocks.length, checks.length, `${guide} has another number of blocks`);
        for (const [index, check] of checks.entries()) {
          const block = blocks[index]!;
          await t.step(`${guide}:${block.line}`, async () => await check(block, opened));
        }
      }
      const login = (await blocksOf("README.md")).at(-1)!;
      await t.step(`README.md:${login.line}`, async () => await README_LOGIN(login, opened));
    } finally {
      await desk?.close();
    }
  },
});
