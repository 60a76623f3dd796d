import { assert, assertEquals } from "@std/assert";
import { mayApply } from "../../../../workers/analysis/manifests/markers.ts";

Deno.test("mayApply() is false only for what no supported Python and platform has", () => {
  for (
    const marker of [
      'python_version < "3"',
      'python_version<="2.7"',
      "python_version == '2.*'",
      'python_version ~= "2.7"',
      '"3" > python_version',
      'sys_platform == "cygwin"',
      '(python_version < "3.8" and sys_platform == "linux") or os_name == "java"',
      'platform_python_implementation == "Jython"',
      'python_version in "2.6, 2.7"',
      'extra == "dev" and python_version < "3"',
    ]
  ) assertEquals(mayApply(marker), false, marker);
  for (
    const marker of [
      'python_version >= "3.8"',
      'python_version < "3.11"',
      'sys_platform == "win32"',
      'sys_platform != "linux"',
      'platform_system == "Windows" and python_version >= "3.13"',
      'extra == "dev"',
      'python_version not in "2.6, 2.7"',
      "(python_version<'3' or python_version>='3.4')",
      'python_full_version > "3.12.1"',
    ]
  ) assert(mayApply(marker), marker);
});

Deno.test("mayApply() takes what is no marker for one that may be true", () => {
  for (
    const marker of ["", "((((", "python_version", 'python_version < "abc"', "%$", "a".repeat(9e4)]
  ) {
    assert(mayApply(marker), marker.slice(0, 30));
  }
});
