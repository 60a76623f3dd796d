/**
 * The section of the security page about the build: whether the server runs here, why not, and what
 * to do.
 *
 * @module
 */
import { type Build, listedBuild, otherSentence } from "../../../scan/build_schema.ts";
import type { SecurityReport } from "../../../scan/schema.ts";
import { plural } from "../../../text/plural.ts";
import { RunsHere } from "../../layout/runs.tsx";

const TOOLS_SHOWN = 20;
const LACKED = {
  program: "Another program",
  socket: "A socket",
  thread: "A low-level thread",
  package: "A package",
} as const;

function Problem({ problem }: { problem: NonNullable<Build["problem"]> }) {
  const { message, file, line, hint, variables } = problem;
  return (
    <>
      {file === null ? null : (
        <p>
          In <code>{line === null ? file : `${file}:${line}`}</code>
        </p>
      )}
      <pre class="pre"><bdi>{message}</bdi></pre>
      {variables.length === 0 ? null : (
        <p>
          Environment variables: {variables.map((name, index) => (
            <>
              {index === 0 ? "" : ", "}
              <code>{name}</code>
            </>
          ))}
        </p>
      )}
      <p>
        <strong>What to do:</strong> {hint}.
      </p>
    </>
  );
}

function Listed({ build, report }: { build: Build; report: SecurityReport }) {
  const { tools_listed: listed } = build;
  const { built = [] } = report.tool_discovery;
  const names = built.slice(0, TOOLS_SHOWN);
  const more = built.length - names.length;
  return (
    <>
      <p>
        It started {listed === null
          ? "and listed no tools, or more than a list may have"
          : `and listed ${plural(listed, "tool")}`}.
      </p>
      {names.length === 0 ? null : (
        <p>
          Not found in the source, so served with a mark: {names.map(({ name }, index) => (
            <>
              {index === 0 ? "" : ", "}
              <code>{name}</code>
            </>
          ))}
          {more > 0 ? ` and ${more} more` : ""}
        </p>
      )}
    </>
  );
}

/** What tools of a server that starts need and do not find. */
function Lacks({ lacks }: { lacks: NonNullable<Build["lacks"]> }) {
  return (
    <>
      <p>Its code uses what sessions do not have, and fails there:</p>
      <ul>
        {lacks.slice(0, TOOLS_SHOWN).map(({ kind, subject, file, line, tool }) => (
          <li>
            {LACKED[kind]}: <code>{subject}</code>
            {file === null ? null : (
              <>
                , <code>{`${file}:${line}`}</code>
              </>
            )}
            {tool === null ? null : (
              <>
                , in the tool <code>{tool}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** Whether the server runs here; nothing in reports without a build. */
export function BuildSection({ report }: { report: SecurityReport }) {
  const build = report.compatibility?.build;
  if (build === undefined) return null;
  const { runs, problem, profile } = build;
  const other = otherSentence(report.compatibility?.other_build);
  return (
    <section aria-labelledby="build">
      <h2 id="build">Does it run here?</h2>
      <p>
        <RunsHere build={listedBuild(build)} full />
      </p>
      {runs === "yes" ? <Listed build={build} report={report} /> : null}
      {build.lacks === undefined ? null : <Lacks lacks={build.lacks} />}
      {problem === null ? null : <Problem problem={problem} />}
      {other === null ? null : (
        <p>
          <bdi>{other}</bdi>.
        </p>
      )}
      <p class="quiet">
        After the scan, Berth starts a server once without network and variables
        {profile === null ? "" : `, in the ${profile} profile`}. The outcome is not part of the
        verdict.
      </p>
    </section>
  );
}
