/**
 * Which licence a text is.
 *
 * @module
 */
import type { SourceFiles } from "../analyser.ts";

/** Words that only one licence has, the narrower before the wider. */
const TEXTS: [RegExp, string][] = [
  [/GNU AFFERO GENERAL PUBLIC LICENSE\s+Version 3/i, "AGPL-3.0-only"],
  [/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/i, "LGPL-3.0-only"],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 3/i, "GPL-3.0-only"],
  [/GNU GENERAL PUBLIC LICENSE\s+Version 2/i, "GPL-2.0-only"],
  [/Apache License\s+Version 2\.0/i, "Apache-2.0"],
  [/Mozilla Public License,? (?:Version|v\.?) ?2\.0/i, "MPL-2.0"],
  [/Permission to use, copy, modify, and\/or distribute/i, "ISC"],
  [/Permission is hereby granted, free of charge/i, "MIT"],
  [/Neither the name of .{0,200}endorse or promote/is, "BSD-3-Clause"],
  [/Redistribution and use in source and binary forms/i, "BSD-2-Clause"],
  [/This is free and unencumbered software/i, "Unlicense"],
];

/** The SPDX identifier of the licence file among `files`, or null. */
export function licenceOf(files: SourceFiles): string | null {
  for (const [path, content] of files) {
    if (!/^(licen[cs]e|copying|unlicense)([.-][a-z]+)?$/i.test(path)) continue;
    const text = new TextDecoder().decode(content.subarray(0, 20_000)).replace(/[ \t]+/g, " ");
    const found = TEXTS.find(([words]) => words.test(text));
    if (found !== undefined) return found[1];
  }
  return null;
}
