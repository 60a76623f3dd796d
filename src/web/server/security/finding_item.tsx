/**
 * A finding: what, where, why and what to do, with the code.
 *
 * @module
 */
import { Path } from "../../layout/path.tsx";
import type { Links } from "../../../http/links.ts";
import type { RepositoryFiles } from "../../../repository/archive.ts";
import { weaknessUrl } from "../../../scan/findings.ts";
import type { Finding } from "../../../scan/schema.ts";
import { plainProse, Prose } from "../../layout/prose.tsx";
import { Code, sourcePath } from "../source/code.tsx";
import { excerptOf, type HiddenLines } from "../source/excerpt.ts";
import { STAGE_TITLES } from "./stages.ts";

function Weakness({ cwe }: { cwe: string }) {
  if (!/^CWE-\d+$/.test(cwe)) return <>{cwe}</>;
  return <a href={weaknessUrl(cwe)} rel="noopener noreferrer">{cwe}</a>;
}

/** The scanned files and the page around every row of the list. */
export interface FindingContext {
  links: Links;
  server: string;
  files: RepositoryFiles;
  hidden: HiddenLines;
  /** Fingerprints of those that fail the scan. */
  decisive: ReadonlySet<string>;
}

/** The address of one finding, which stays the same while the finding does. */
export function permalink({ links, server }: FindingContext, { id }: Finding): string {
  return links.path(`/servers/${server}/security?finding=${id}#finding-${id}`);
}

/** One finding, a row of its own. */
export function FindingItem({ context, finding }: { context: FindingContext; finding: Finding }) {
  const { links, server, files, hidden, decisive } = context;
  const { id, stage, severity, title, detail, explanation, fix, file, line, rule, cwe, url } =
    finding;
  const lines = excerptOf(files, finding, hidden);
  return (
    <li class="finding" id={`finding-${id}`}>
      <div class="finding-head">
        <span class={`severity ${severity}`}>{severity}</span>
        <strong>
          <Prose text={title} />
        </strong>
        {decisive.has(finding.fingerprint) ? <span class="tag fails">blocking</span> : null}
      </div>
      {[...new Set([detail, explanation])].map((text) =>
        text === undefined || text === title || text === fix ? null : (
          <p>
            <Prose text={text} />
          </p>
        )
      )}
      {fix === undefined ? null : (
        <p>
          <strong>Fix:</strong> <Prose text={fix} />
        </p>
      )}
      <ul class="meta">
        {file === null ? null : (
          <li>
            <a href={links.path(sourcePath(server, file, line))}>
              <bdi>
                <Path text={line === null ? file : `${file}:${line}`} />
              </bdi>
            </a>
          </li>
        )}
        <li>{STAGE_TITLES[stage]}</li>
        <li>
          <code>{rule}</code>
        </li>
        {cwe === null ? null : (
          <li>
            <Weakness cwe={cwe} />
          </li>
        )}
        {url === null || !/^https:\/\//.test(url) ? null : (
          <li>
            <a href={url} rel="nofollow noopener noreferrer">
              Learn more<span class="visually-hidden">: {plainProse(title)}</span>
            </a>
          </li>
        )}
        <li>
          <a href={permalink(context, finding)}>
            Link<span class="visually-hidden">{` to ${plainProse(title)}`}</span>
          </a>
        </li>
      </ul>
      {lines === null ? null : <Code lines={lines} label={`${file}, line ${line}`} />}
    </li>
  );
}
