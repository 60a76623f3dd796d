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
