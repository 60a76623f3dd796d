import { assertEquals } from "@std/assert";
import type { RawIssue } from "../../../workers/analysis/finding.ts";
import { analyse } from "../../../workers/analysis/quality/mod.ts";
import { analyseHere } from "../../helpers/analysis.ts";

async function issues(file: string, lang: string, text: string): Promise<string[]> {
  const { result } = await analyseHere<{ issues: RawIssue[] }>(analyse, { [file]: text }, { lang });
  return result.issues.map((each) => `${each.rule} ${each.class} ${each.severity} ${each.line}`)
    .sort();
}

Deno.test("quality of JavaScript: bugs, smells, vulnerabilities and hotspots", async () => {
  const text = `const cp = require("node:child_process");
if (x == NaN) {}
if (a === a) {}
try { f(); } catch {}
try { f(); } catch { /* fine: best effort */ }
debugger;
var old = 1;
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
  assertEquals(await issues("a.js", "javascript", text), [
    "js/computed-require security_hotspot low 15",
    "js/debugger code_smell low 6",
    "js/empty-catch code_smell low 4",
    "js/encoded-code security_hotspot low 12",
    "js/eval security_hotspot low 10",
    "js/eval security_hotspot low 11",
    "js/nan-comparison bug medium 2",
    "js/self-comparison bug medium 3",
    "js/shell security_hotspot low 8",
    "js/shell security_hotspot low 9",
    "js/tls-unverified vulnerability high 13",
    "js/var code_smell info 7",
    "js/weak-hash security_hotspot low 14",
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
  assertEquals(await issues("a.ts", "typescript", `function f(a: number) {\n${branches}}\n`), [
    "complex-function code_smell medium 1",
  ]);
});
