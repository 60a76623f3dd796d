import { assertEquals } from "@std/assert";
import { reasonsOf, versionsOf, withPackages } from "./harness.ts";

const THING = { name: "thing", version: "1.0" };
const FORGED = "0".repeat(64);
const DIFFERS = "thing: the index's file of version 1.0 has another digest than was locked";
const PROJECT = '[project]\nname = "x"\nversion = "1"\n';

/** Each place for a pin, with its options behind it. */
function placesOf(options: string): Record<string, string>[] {
  const pin = `thing==1.0 ${options}\n`;
  return [
    { "requirements.txt": pin },
    { "requirements.txt": "-r requirements/base.txt\n", "requirements/base.txt": pin },
    {
      "requirements.txt": "-r a.txt\n",
      "a.txt": "--requirement=more/b.txt\n",
      "more/b.txt": pin,
    },
    { "requirements.txt": "thing\n-c constraints.txt\n", "constraints.txt": pin },
    { "requirements/base.txt": pin },
    { "requirements/main.txt": pin },
    {
      "pyproject.toml": `[project]\nname = "x"\ndynamic = ["dependencies"]\n` +
        `[tool.setuptools.dynamic]\ndependencies = { file = ["deps.txt"] }\n`,
      "deps.txt": pin,
    },
    { Dockerfile: "RUN pip install -r deps.txt\n", "deps.txt": pin },
    { "requirements.lock": pin },
  ];
}

Deno.test("resolvePackages() holds to the digest of a pin wherever the requirement stands", async () => {
  await withPackages([THING, { ...THING, version: "2.0" }], async ({ index, resolve }) => {
    const right = `--hash=sha256:${index.digests["thing 1.0"]!}`;
    const wrong = `--hash=sha256:${FORGED}`;
    const forged = [[], [DIFFERS]];
    const taken = [["thing 1.0"], []];
    const cases: [options: string, outcome: string[][]][] = [
      [wrong, forged],
      [right, taken],
      [right.replace("=", " ").toUpperCase().replace("--HASH SHA256", "--hash sha256"), taken],
      [`${wrong} ${right}`, taken],
      [`\\\n    ${wrong} \\\n    ${right}`, taken],
      [`; python_version >= "3.8" ${wrong}`, forged],
      [`${wrong}  # ${right}`, forged],
    ];
    for (const [options, outcome] of cases) {
      for (const files of placesOf(options)) {
        const found = await resolve({ "server.py": "", ...files });
        const told = JSON.stringify(files);
        assertEquals([told, versionsOf(found), reasonsOf(found)], [told, ...outcome]);
      }
    }
  });
});

Deno.test("resolvePackages() refuses what only digests pin that it does not check, and says which", async () => {
  await withPackages([THING, { name: "other", version: "1.0" }], async ({ index, resolve }) => {
    const sha256 = index.digests["thing 1.0"]!;
    const reason = (kind: string) =>
      `thing: it is pinned by ${kind} alone, and only sha256 is checked`;
    for (
      const [kind, hash] of [
        ["sha512", `sha512:${"a".repeat(128)}`],
        ["sha384", `sha384:${"a".repeat(96)}`],
        ["md5", `md5:${"a".repeat(32)}`],
        ["a damaged sha256", "sha256:abc"],
      ] as const
    ) {
      const table = `[[package]]\nname = "thing"\nversion = "1.0"\n`;
      const name = "thing-1.0-py3-none-any.whl";
      const pyproject = { "pyproject.toml": `${PROJECT}dependencies = ["thing"]\n` };
      const [algorithm, digest] = hash.split(":");
      const locks = [
        ...placesOf(`--hash=${hash}`),
        { ...pyproject, "uv.lock": `${table}wheels = [{ url = "x/${name}", hash = "${hash}" }]\n` },
        {
          ...pyproject,
          "poetry.lock": `${table}files = [{ file = "${name}", hash = "${hash}" }]\n`,
        },
        {
          ...pyproject,
          "pylock.toml": `[[packages]]\nname = "thing"\nversion = "1.0"\n` +
            `wheels = [{ name = "${name}", hashes = { ${algorithm} = "${digest}" } }]\n`,
        },
        {
          Pipfile: '[packages]\nthing = "*"\n',
          "Pipfile.lock": JSON.stringify({
            default: { thing: { version: "==1.0", hashes: [hash] } },
          }),
        },
      ];
      for (const files of locks) {
        const found = await resolve({ "server.py": "", ...files as Record<string, string> });
        const told = JSON.stringify(files);
        assertEquals([told, versionsOf(found), reasonsOf(found)], [told, [], [reason(kind)]]);
      }
      // One that is checked beside it is enough.
      const both = `thing==1.0 --hash=${hash} --hash=sha256:${sha256}\nother==1.0\n`;
      const found = await resolve({ "server.py": "", "requirements.txt": both });
      assertEquals([versionsOf(found), reasonsOf(found)], [["other 1.0", "thing 1.0"], []]);
    }
  });
});

Deno.test("resolvePackages() wants a file that both the lock file and a pin name", async () => {
  await withPackages([THING], async ({ index, resolve }) => {
    const there = index.digests["thing 1.0"]!;
    const outcome = async (locked: string, pinned: string) => {
      const found = await resolve({
        "server.py": "",
        "requirements.txt": `thing==1.0 --hash=sha256:${pinned}\n`,
        "poetry.lock": `[[package]]\nname = "thing"\nversion = "1.0"\n` +
          `files = [{ file = "thing-1.0.whl", hash = "sha256:${locked}" }]\n`,
      });
      return [versionsOf(found), reasonsOf(found)];
    };
    assertEquals(await outcome(there, there), [["thing 1.0"], []]);
    assertEquals(await outcome(there, FORGED), [[], [DIFFERS]]);
  });
});

Deno.test("resolvePackages() takes no pin from a requirement for other machines", async () => {
  await withPackages([THING], async ({ resolve }) => {
    const found = await resolve({
      "server.py": "",
      "requirements.txt": `thing==1.0\n` +
        `thing==1.0 ; sys_platform == "win32" --hash=sha256:${FORGED}\n`,
    });
    assertEquals([versionsOf(found), reasonsOf(found)], [["thing 1.0"], []]);
  });
});
