/**
 * How data may flow through a server, drawn and said.
 *
 * @module
 */
import type { SecurityReport } from "../../../scan/schema.ts";
import { Prose } from "../../layout/prose.tsx";
import { type DataFlow, dataFlows } from "./flows.ts";

const FLOWS_MAX = 8;
const WIDTH = 520;
const BOX = { width: 190, height: 34, gap: 14 } as const;
/** Characters that fit into a box. */
const LABEL_MAX = 24;

function label(text: string): string {
  const characters = [...text];
  return characters.length <= LABEL_MAX ? text : `${characters.slice(0, LABEL_MAX - 1).join("")}…`;
}

/** Where the boxes of a side stand, by their texts. */
function column(texts: readonly string[], height: number): Map<string, number> {
  const all = [...new Set(texts)];
  const used = all.length * BOX.height + (all.length - 1) * BOX.gap;
  const top = (height - used) / 2;
  return new Map(all.map((text, index) => [text, top + index * (BOX.height + BOX.gap)]));
}

function Boxes({ places, x }: { places: ReadonlyMap<string, number>; x: number }) {
  return (
    <>
      {places.entries().map(([text, y]) => (
        <>
          <rect class="flow-box" x={x} y={y} width={BOX.width} height={BOX.height} rx="6" />
          <text x={x + BOX.width / 2} y={y + BOX.height / 2 + 5} text-anchor="middle">
            {label(text)}
          </text>
        </>
      )).toArray()}
    </>
  );
}

/** A line from one box to another, with its head. */
function Arrow({ flow, from, to }: { flow: DataFlow; from: number; to: number }) {
  const x1 = BOX.width;
  const x2 = WIDTH - BOX.width - 9;
  const [y1, y2] = [from, to].map((y) => y + BOX.height / 2) as [number, number];
  const bend = (x1 + x2) / 2;
  return (
    <g class={`flow flow-${flow.look}`}>
      <path class="flow-line" d={`M${x1} ${y1}C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`} />
      <path class="flow-head" d={`M${x2} ${y2 - 5}l9 5-9 5z`} />
    </g>
  );
}

function Drawing({ flows }: { flows: readonly DataFlow[] }) {
  const sides = [flows.map(({ from }) => from), flows.map(({ to }) => to)] as const;
  const rows = Math.max(...sides.map((side) => new Set(side).size));
  const height = rows * (BOX.height + BOX.gap);
  const [left, right] = [column(sides[0], height), column(sides[1], height)];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${height}`} class="flow-picture" aria-hidden="true">
      {flows.map((flow) => (
        <Arrow flow={flow} from={left.get(flow.from)!} to={right.get(flow.to)!} />
      ))}
      <Boxes places={left} x={0} />
      <Boxes places={right} x={WIDTH - BOX.width} />
    </svg>
  );
}

function Said({ flow, path }: { flow: DataFlow; path: string }) {
  const { from, to, look, finding } = flow;
  return (
    <li>
      <span class={`severity ${look}`}>{look === "declared" ? "its purpose" : look}</span>{" "}
      <bdi>{from}</bdi> → <bdi>{to}</bdi>
      {finding === null ? null : (
        <>
          {": "}
          <a href={`${path}?finding=${finding.id}#findings`}>
            <Prose text={finding.title} />
          </a>
        </>
      )}
    </li>
  );
}

/** The picture with its words; nothing where no finding is about a flow. `path`: of this page. */
export function FlowSection({ report, path }: { report: SecurityReport; path: string }) {
  const flows = dataFlows(report, FLOWS_MAX);
  if (flows.length === 0) return null;
  return (
    <section aria-labelledby="flows">
      <h2 id="flows">How data may flow</h2>
      <figure class="flow-figure">
        <Drawing flows={flows} />
        <figcaption>
          <ul class="compact">{flows.map((flow) => <Said flow={flow} path={path} />)}</ul>
        </figcaption>
      </figure>
    </section>
  );
}
