import { assertEquals } from "@std/assert";
import { analyse, type RequirementsResult } from "../../../workers/analysis/requirements/mod.ts";
import { analyseHere } from "../../helpers/analysis.ts";

async function read(source: string): Promise<{ found: string[]; computed: number[] }> {
  const { result } = await analyseHere<RequirementsResult>(analyse, { "setup.py": source });
  return {
    found: result.requirements.map(({ text, line }) => `${line} ${text}`),
    computed: result.computed.map(({ line }) => line),
  };
}

Deno.test("requirements are read from setup() in every literal shape", async () => {
  const { found, computed } = await read(`import sys, setuptools
from setuptools import setup as make

BASE = ["a==1"] + ["b>=2"]
if sys.version_info < (3, 11):
    BASE.append("tomli")
BASE.extend(("c", "d"))
extras = {"web": ["flask"]}
extras["test"] = ["pytest>=7"]
more = """
    e==5
    # a comment
    f
"""
make(
    name="x",
    install_requires=list(BASE) + [*more],
    setup_requires="g",
    extras_require=extras,
    tests_require=None,
)
setuptools.setup(**dict(install_requires=["h"] if True else ["i"]))
kwargs = {"install_requires": ["j"], "name": "y"}
setuptools.setup(**kwargs)
`);
  assertEquals(found, [
    "4 a==1",
    "4 b>=2",
    "6 tomli",
    "7 c",
    "7 d",
    "11 e==5",
    "13 f",
    "18 g",
    "8 flask",
    "9 pytest>=7",
    "22 h",
    "22 i",
    "23 j",
  ]);
  assertEquals(computed, []);
});

Deno.test("requirements that are computed are said to be, with their line", async () => {
  for (
    const source of [
      "setup(install_requires=read('requirements.txt'))",
      "setup(install_requires=[x for x in y])",
      "setup(install_requires=unknown)",
      "setup(install_requires=['a' % b])",
    ]
  ) assertEquals((await read(`${source}\n`)).computed, [1], source);
});

Deno.test("requirements of hostile programs are read in bounded time", async () => {
  const loop = "a = b\nb = a\na += b + a\nsetup(install_requires=a + b)\n";
  assertEquals((await read(loop)).found, []);
  const doubling = Array.from({ length: 30 }, (_, i) => `x${i + 1} = x${i} + x${i}`).join("\n");
  await read(`x0 = ["a"]\n${doubling}\nsetup(install_requires=x30)\n`);
});
