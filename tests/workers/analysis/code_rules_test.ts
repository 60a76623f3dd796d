import { assertEquals } from "@std/assert";
import type { RawIssue } from "../../../workers/analysis/finding.ts";
import { analyse } from "../../../workers/analysis/quality/mod.ts";
import { analyseHere } from "../../helpers/analysis.ts";

async function issues(file: string, lang: string, text: string): Promise<string[]> {
  const { result } = await analyseHere<{ issues: RawIssue[] }>(analyse, { [file]: text }, { lang });
  return result.issues.map((each) => `${each.rule} ${each.class} ${each.severity} ${each.line}`)
    .sort();
}

Deno.test("quality of JavaScript: vulnerabilities and hotspots of our own rules", async () => {
  const text = `const cp = require("node:child_process");
cp.exec(\`ls \${x}\`);
cp.exec("ls");
eval("1");
new Function("return " + x)();
Function(atob("YQ=="))();
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
crypto.createHash("md5");
require(x);
regex.exec(text);
`;
  const own = (await issues("a.js", "javascript", text)).filter((each) => each.startsWith("js/"));
  assertEquals(own, [
    "js/computed-require security_hotspot low 9",
    "js/encoded-code security_hotspot low 6",
    "js/eval security_hotspot low 4",
    "js/eval security_hotspot low 5",
    "js/shell security_hotspot low 2",
    "js/shell security_hotspot low 3",
    "js/tls-unverified vulnerability high 7",
    "js/weak-hash security_hotspot low 8",
  ]);
});

Deno.test("quality of Go and Rust: a few certain faults", async () => {
  const go = `package main
func f() {
	if err != nil {
	}
	panic("x")
	exec.Command(name)
	exec.CommandContext(ctx, "sh", "-c", "ls")
	db.Exec("delete from t where a = " + x)
	db.Exec("delete from t where a = $1", x)
}
`;
  assertEquals(await issues("a.go", "go", go), [
    "go/computed-program security_hotspot low 6",
    "go/ignored-error code_smell medium 3",
    "go/panic code_smell low 5",
    "go/shell security_hotspot low 7",
    "go/sql-text security_hotspot low 8",
  ]);
  const rust = `fn f() {
    todo!();
    ${"a.unwrap();".repeat(5)}
    let x = unsafe { std::mem::transmute::<A, B>(a) };
    sqlx::query(&format!("select {}", x));
}
`;
  assertEquals(await issues("a.rs", "rust", rust), [
    "rust/sql-text security_hotspot low 5",
    "rust/transmute security_hotspot low 4",
    "rust/unfinished bug medium 2",
    "rust/unsafe security_hotspot low 4",
    "rust/unwrap code_smell low 3",
  ]);
});

Deno.test("quality calls functions complex from the same measure on in every language", async () => {
  const branches = Array.from({ length: 16 }, (_, i) => `  if (a === ${i}) return ${i};\n`).join(
    "",
  );
  assertEquals(
    await issues("a.ts", "typescript", `export function f(a: number) {\n${branches}}\n`),
    [
      "complex-function code_smell medium 1",
    ],
  );
});
