import { assertEquals, assertStringIncludes } from "@std/assert";
import { lines, linesOf, readAll } from "./read.ts";

Deno.test("requirements files are read as pip reads them", () => {
  const text = `\ufeff# comment
requests==2.31.0
Flask_Login >= 0.5, < 1   # why
  numpy[extra,more]~=1.24 ; python_version < "3.12"
django (>=3.2,<4)
bare
pinned===1.0-weird
trailing>=1.0,
hashed==1.0 \\
    --hash=sha256:aaaa \\
    --hash=sha256:bbbb
inline==2.0 --hash=sha256:cccc
--index-url https://user:pw@example.com/simple
-f ./wheels
--no-binary :all:
pkg @ https://example.com/pkg-1.0.tar.gz ; python_version > "3"
git+https://github.com/acme/tool.git@v1#egg=tool
-e git+ssh://git@github.com/acme/other.git#egg=Other&subdirectory=x
https://example.com/some_wheel-2.5.1-py3-none-any.whl
./local/folder
-e .
.[dev]`;
  const { requirements, unreadable } = readAll({ "requirements.txt": text });
  assertEquals(unreadable, []);
  assertEquals(lines(requirements), [
    "requests 2.31.0",
    "flask-login (>= 0.5, < 1)",
    "numpy (~=1.24)",
    "django (>=3.2,<4)",
    "bare ()",
    "pinned 1.0-weird",
    "trailing (>=1.0,)",
    "hashed 1.0",
    "inline 2.0",
    "pkg @https://example.com/pkg-1.0.tar.gz",
    "tool @git+https://github.com/acme/tool.git@v1#egg=tool",
    "other @git+ssh://git@github.com/acme/other.git#egg=Other&subdirectory=x",
    "some-wheel 2.5.1",
  ]);
  assertEquals(requirements.map(({ line }) => line), [2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17, 18, 19]);
});

Deno.test("a name before an address counts, whatever file the address ends in", () => {
  const text = `requests@https://example.com/y.whl
flask[async]@https://example.com/other-2.0-py3-none-any.whl
mcp@git+https://github.com/acme/mcp@v2.zip
other-2.0-py3-none-any.whl
dist/own-1.5.tar.gz
https://example.com/two-words-2.0.1.zip#sha256=aa
https://github.com/acme/tool/archive/refs/heads/main.zip`;
  const { requirements, unreadable } = readAll({ "requirements.txt": text });
  assertEquals(unreadable, []);
  assertEquals(lines(requirements), [
    "requests @https://example.com/y.whl",
    "flask @https://example.com/other-2.0-py3-none-any.whl",
    "mcp @git+https://github.com/acme/mcp@v2.zip",
    "other 2.0",
    "own 1.5",
    "two-words 2.0.1",
    "main-zip @https://github.com/acme/tool/archive/refs/heads/main.zip",
  ]);
});

Deno.test("continued lines are joined as pip joins them, without a blank", () => {
  const text = "re\\\nquests==2.\\\n31.0 \\\n  --hash=sha256:aaaa\nmcp\\\n  >=1,\\\n<2\n";
  const { requirements, unreadable } = readAll({ "requirements.txt": text });
  assertEquals(unreadable, []);
  assertEquals(lines(requirements), ["requests 2.31.0", "mcp (>=1,<2)"]);
});

Deno.test("requirements files hide credentials of addresses", () => {
  const text = "git+https://user:s3cret@example.com/acme/tool.git\n";
  const [only] = readAll({ "requirements.txt": text }).requirements;
  assertEquals(only?.text, "git+https://example.com/acme/tool.git");
});

Deno.test("requirements files include others of the repository, once, and none outside", () => {
  const { requirements, files, unreadable } = readAll({
    "app/requirements.txt": "-r base.in\n-c ../limits.list\n-r ../../etc/passwd\n-r /etc/passwd\n",
    "app/base.in": "a==1\n-r requirements.txt\n--requirement=nested/more.lst\n",
    "app/nested/more.lst": "b==2\n",
    "limits.list": "c==3\n",
  });
  assertEquals(unreadable, []);
  assertEquals(lines(requirements), ["a 1", "b 2", "c 3"]);
  assertEquals(
    files,
    ["app/base.in", "app/nested/more.lst", "app/requirements.txt", "limits.list"],
  );
  assertEquals(requirements[2]?.file, "limits.list");
});

Deno.test("requirements files are found by the names that people give them", () => {
  for (
    const file of [
      "requirements-dev.txt",
      "dev-requirements.txt",
      "requirements/prod.txt",
      "test_requirements.txt",
      "constraints.txt",
      "requirements.in",
    ]
  ) assertEquals(linesOf(file, "a==1"), ["a 1"], file);
  for (const file of ["README.txt", "notes.txt", "venv/lib/site-packages/x/requirements.txt"]) {
    assertEquals(linesOf(file, "a==1"), [], file);
  }
});

Deno.test("requirements files that pip would refuse are unreadable, by line", () => {
  for (const line of ["numpy=1.21.2=py39", "a b c", "==1.0", "a>>1", "{{ name }}==1"]) {
    const { unreadable } = readAll({ "requirements.txt": `ok==1\n${line}\n` });
    assertEquals(unreadable[0]?.line, 2, line);
    assertStringIncludes(unreadable[0]!.problem, "line 2 is not a requirement");
  }
});

Deno.test("requirements files in UTF-16 are read", () => {
  const text = "requests==2.0\n";
  const bytes = new Uint8Array(2 + text.length * 2);
  bytes.set([0xff, 0xfe]);
  [...text].forEach((c, i) => bytes[2 + i * 2] = c.charCodeAt(0));
  assertEquals(lines(readAll({ "requirements.txt": bytes }).requirements), ["requests 2.0"]);
});

Deno.test("a bound from the environment leaves the version open", () => {
  const text = 'a==${VERSION}\nb>=1,<${MAX_B} ; python_version >= "3.10"\nc==1.0\n';
  assertEquals(linesOf("requirements.txt", text), ["a ()", "b (>=1,)", "c 1.0"]);
});

Deno.test("options of pip behind a requirement leave the requirement as it is", () => {
  const options = [
    "--no-binary urllib3",
    "--no-binary=urllib3",
    "--only-binary=urllib3 --hash=sha256:00",
    "--only-binary :all:",
    "--prefer-binary",
    "--pre",
    "--index-url https://download.pytorch.org/whl/cpu",
    "--extra-index-url=https://download.pytorch.org/whl/cpu",
    "-i https://example.com/simple",
    "-f https://data.pyg.org/whl/x.html  # wheels",
    "--find-links=./wheels",
    "--trusted-host example.com",
    "--no-index",
    "--config-settings=key=value --global-option=--no-user-cfg",
    "-C key=value",
    "--install-option='--prefix=/opt'",
    "--require-hashes",
    "--use-feature=fast-deps",
    "\\\n    --hash=sha256:00 \\\n    --hash=sha256:11",
  ];
  for (const option of options) {
    assertEquals(linesOf("requirements.txt", `urllib3==2.6.0 ${option}\n`), ["urllib3 2.6.0"]);
  }
  const marked = 'a==1 ; python_version > "3.0" --no-binary a\n';
  assertEquals(linesOf("requirements.txt", marked), ["a 1"]);
  const { unreadable } = readAll({ "requirements.txt": "a==1 --no-such-option x\n" });
  assertEquals(unreadable.length, 1);
});

Deno.test("files are included however pip lets a line say it", () => {
  const forms = [
    "-r base.lst",
    "-rbase.lst",
    "-r  'base.lst'",
    '--requirement "base.lst"',
    "--requirement=base.lst",
    "-c base.lst",
    "--index-url https://example.com/simple -r base.lst",
    "-c other.lst -r base.lst",
    "-r base.lst --pre",
    "-r ./base.lst  # why",
  ];
  for (const form of forms) {
    const { requirements } = readAll({ "requirements.txt": `${form}\n`, "base.lst": "a==1\n" });
    assertEquals(lines(requirements), ["a 1"], form);
  }
  const spaced = { "requirements.txt": "-r 'my base.lst'\n", "my base.lst": "a==1\n" };
  assertEquals(lines(readAll(spaced).requirements), ["a 1"]);
});

Deno.test("requirements that the environment names are listed as not checked", () => {
  assertEquals(linesOf("requirements.txt", "${PACKAGE}==1.0\nb==2\n"), [
    "unnamed @${PACKAGE}==1.0",
    "b 2",
  ]);
});

Deno.test("requirements files are read in every encoding that pip reads", () => {
  const text = "# caf\u00e9\na==1\n";
  const utf32 = new Uint8Array(4 * (text.length + 1));
  const view = new DataView(utf32.buffer);
  [...`\ufeff${text}`].forEach((c, at) => view.setUint32(4 * at, c.codePointAt(0)!, true));
  const utf16 = new Uint8Array(2 * (text.length + 1));
  [...`\ufeff${text}`].forEach((c, at) =>
    new DataView(utf16.buffer).setUint16(2 * at, c.codePointAt(0)!, false)
  );
  const latin = Uint8Array.from(`# coding: latin-1\n${text}`, (c) => c.charCodeAt(0));
  for (const bytes of [utf32, utf16, latin]) {
    const { requirements, unreadable } = readAll({ "requirements.txt": bytes });
    assertEquals(unreadable, []);
    assertEquals(lines(requirements), ["a 1"]);
  }
});

Deno.test("what Rye locked is audited, and settles the ranges beside it", () => {
  const text = "# generated by rye\n-e file:.\nurllib3==1.24.1\n    # via a\nother>=1\n";
  for (const file of ["requirements.lock", "requirements-dev.lock"]) {
    const { requirements, unreadable } = readAll({ [file]: text });
    assertEquals(unreadable, []);
    assertEquals(lines(requirements), ["urllib3 1.24.1", "other (>=1)"]);
    assertEquals(requirements.map(({ locked }) => locked), [true, false]);
  }
});

Deno.test("a hostile requirements file takes no more time for its length", () => {
  const parts = [" -", " --hash", " \t", "'", "\\ ", "${A}", "-r ", "#", "[", "=="];
  for (const part of parts) {
    readAll({ "requirements.txt": `a==1${part.repeat(400_000 / part.length)}\n` });
    readAll({ "requirements.txt": `-${part.repeat(400_000 / part.length)}\n` });
  }
});
