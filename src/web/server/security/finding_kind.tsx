/**
 * Several findings of a kind as one row: what they are once, and each of their places.
 *
 * @module
 */
import { Path } from "../../layout/path.tsx";
import type { Finding } from "../../../scan/schema.ts";
import { plural } from "../../../text/plural.ts";
import { Prose } from "../../layout/prose.tsx";
import { Code, sourcePath } from "../source/code.tsx";
import { excerptOf } from "../source/excerpt.ts";
import { type FindingContext, permalink } from "./finding_item.tsx";
import { STAGE_TITLES } from "./stages.ts";

/** Places that are listed, and those whose code is shown. */
const PLACES_MAX = 200;
const EXCERPTS_MAX = 10;

function Place(
  { context, finding, withCode }: {
    context: FindingContext;
    finding: Finding;
    withCode: boolean;
  },
) {
  const { links, server, files, hidden } = context;
  const { id, file, line, title } = finding;
  const lines = withCode ? excerptOf(files, finding, hidden) : null;
  const place = line === null ? file : `${file}:${line}`;
  return (
    <li id={`finding-${id}`}>
      {file === null ? null : (
        <>
          <a href={links.path(sourcePath(server, file, line))}>
            <bdi>
              <Path text={place ?? file} />
            </bdi>
          </a>
          {": "}
        </>
      )}
      <Prose text={title} />{" "}
      <a href={permalink(context, finding)} class="small">
        Link<span class="visually-hidden">{` to the finding at ${place}`}</span>
      </a>
      {lines === null ? null : <Code lines={lines} label={`${file}, line ${line}`} />}
    </li>
  );
}

/** A row for findings of one rule and severity. */
export function FindingKind(
  { context, findings }: { context: FindingContext; findings: readonly Finding[] },
) {
  const [first] = findings as [Finding, ...Finding[]];
  const { severity, title, explanation, fix, rule, stage, cwe } = first;
  const files = new Set(findings.map(({ file }) => file)).size;
  const blocking = findings.filter((one) => context.decisive.has(one.fingerprint)).length;
  const more = findings.length - PLACES_MAX;
  return (
    <li class="finding">
      <div class="finding-head">
        <span class={`severity ${severity}`}>{severity}</span>
        <strong>
          <Prose text={title} />
          <span class="quiet">
            {` and ${plural(findings.length - 1, "more of this kind", "more of this kind")}`}
          </span>
        </strong>
        {blocking === 0 ? null : <span class="tag fails">{blocking} blocking</span>}
      </div>
      {explanation === undefined || explanation === fix ? null : (
        <p>
          <Prose text={explanation} />
        </p>
      )}
      {fix === undefined ? null : (
        <p>
          <strong>Fix:</strong> <Prose text={fix} />
        </p>
      )}
      <ul class="meta">
        <li>{STAGE_TITLES[stage]}</li>
        <li>
          <code>{rule}</code>
        </li>
        {cwe === null ? null : <li>{cwe}</li>}
      </ul>
      <details class="more">
        <summary>
          {plural(findings.length, "place")} in {plural(files, "file")}
          <span class="visually-hidden">: {rule}</span>
        </summary>
        <ul class="places">
          {findings.slice(0, PLACES_MAX).map((finding, index) => (
            <Place context={context} finding={finding} withCode={index < EXCERPTS_MAX} />
          ))}
          {more > 0 ? <li class="quiet">and {more} more; the report (JSON) has all</li> : null}
        </ul>
      </details>
    </li>
  );
}
