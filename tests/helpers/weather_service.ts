/**
 * A small weather service on loopback, which the example server `weather` calls.
 *
 * @module
 */

const SKIES = ["clear", "cloudy", "rain", "snow"] as const;

/** A number that is always the same for the same city. */
function seedOf(city: string): number {
  return [...city.toLowerCase()].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0);
}

function dayReport(city: string, day: number) {
  const seed = seedOf(city) + day * 7;
  return { day, temperature: seed % 35 - 5, sky: SKIES[seed % SKIES.length] };
}

/** Answers `/current?city=` and `/forecast?city=&days=` as JSON. */
export function weatherHandler(request: Request): Response {
  const url = new URL(request.url);
  const city = url.searchParams.get("city")?.trim();
  if (!city) return Response.json({ error: "city is missing" }, { status: 400 });
  if (url.pathname === "/current") {
    return Response.json({ city, ...dayReport(city, 0) });
  }
  if (url.pathname === "/forecast") {
    const days = Math.min(Math.max(Number(url.searchParams.get("days") ?? 3) || 3, 1), 14);
    const list = Array.from({ length: days }, (_, index) => dayReport(city, index + 1));
    return Response.json({ city, days: list });
  }
  return Response.json({ error: "not found" }, { status: 404 });
}
