/**
 * A finding: what, where, why and what to do, with the code.
 *
 * @module
 */
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

export function FindingItem(
  { links, server, finding, files, hidden, fails }: {
    links: Links;
    server: string;
    finding: Finding;
    files: RepositoryFiles;
    hidden: HiddenLines;
    /** Whether it fails the scan. */
    fails: boolean;
  },
) {
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
        {fails ? <span class="tag fails">blocking</span> : null}
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
              <bdi>{line === null ? file : `${file}:${line}`}</bdi>
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
      </ul>
      {lines === null ? null : <Code lines={lines} label={`${file}, line ${line}`} />}
    </li>
  );
}
