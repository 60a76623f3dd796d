/**
 * Starts the real host on endless work, prints the host's process id and waits to be killed.
 *
 * @module
 */
import { startHost } from "../../../src/scan/analysis/process.ts";
import { HostReply } from "../../../workers/analysis/messages.ts";
import { NO_WALLS } from "../../../src/sandbox/walls.ts";

const host = startHost({ walls: NO_WALLS });
let told = false;
host.listen({
  onReply: (given) => {
    const reply = HostReply.parse(given);
    if (reply.type === "ready") {
      // Enough text to keep the parser busy for longer than the test lasts.
      const body = new TextEncoder().encode("x = [" + "1, ".repeat(300_000) + "]\n");
      const files = Array.from({ length: 40 }, (_, i) => ({
        path: `${i}.py`,
        size: body.length,
      }));
      host.send(
        {
          type: "run",
          id: 0,
          analyser: "quality",
          lang: "python",
          entrypoint: "",
          options: {},
          threads: 1,
          files,
        },
        files.map(() => body),
      );
    } else if (reply.type === "file" && !told) {
      told = true;
      Deno.stdout.writeSync(new TextEncoder().encode(`${host.pid}`));
    }
  },
  onEnd: () => {},
});
