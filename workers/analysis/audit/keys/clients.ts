/**
 * Clients that find a service's key in the environment by themselves, and send it where they are told.
 *
 * @module
 */
import type { ObservedCall } from "../flow/observed.ts";
import { type Destination, destinationsIn, textsOf } from "./destinations.ts";

const CLIENTS: readonly [maker: RegExp, key: string][] = [
  [/^openai\.(Async)?OpenAI$/, "OPENAI_API_KEY"],
  [/^anthropic\.(Async)?Anthropic$/, "ANTHROPIC_API_KEY"],
  [/^groq\.(Async)?Groq$/, "GROQ_API_KEY"],
  [/^langchain_openai\.(Chat)?OpenAI$/, "OPENAI_API_KEY"],
  [/^langchain_anthropic\.ChatAnthropic$/, "ANTHROPIC_API_KEY"],
];
const PLACES = ["base_url", "api_base", "openai_api_base", "anthropic_api_url"];
const KEYS = ["api_key", "openai_api_key", "anthropic_api_key", "auth_token"];

/** The key that a client is made with that gets none, and where it is to send it. */
export function impliedKey(
  { names, callee, given: { keywords } }: ObservedCall,
): { keys: string[]; units: string[][]; destinations: Destination[]; inHost: [] } | null {
  const key = CLIENTS.find(([maker]) => maker.test(callee?.name ?? ""))?.[1];
  if (key === undefined || KEYS.some((each) => keywords.has(each))) return null;
  const places = PLACES.map((each) => keywords.get(each)).filter((each) => each !== undefined);
  const destinations = destinationsIn(places.flatMap((each) => textsOf(names, each)));
  return destinations.length === 0
    ? null
    : { keys: [key], units: [[key]], destinations, inHost: [] };
}
