/** Faults of the mail server, while users sign up and sign in. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type BerthProcess, startBerthProcess } from "../helpers/berth_process.ts";
import { preparedDataDir } from "../helpers/data_dir.ts";
import { createServerDatabase } from "../helpers/database.ts";
import { until } from "../helpers/interpreter.ts";
import { type MailServer, startSmtp, textOfMail } from "../helpers/smtp_server.ts";
import { type TcpWay, wayTo } from "../helpers/tcp_way.ts";
import { LONG } from "./harness.ts";
import { PASSWORD, personAt, signIn } from "../web/harness.ts";

const DATABASE = Deno.env.get("TEST_DATABASE_URL");
const ADA = "ada@example.com";
/** Mail leaves behind answers, which it does not hold up; the machine may be busy. */
const ANSWER_MS = 10_000;

interface Bench {
  berth: BerthProcess;
  smtp: MailServer;
  way: TcpWay;
}

/** Asks for a link to sign up with; the page that says that it comes. */
async function askForLink({ berth }: Bench, email: string): Promise<string> {
  const person = personAt({ url: berth.registryUrl });
  const begun = performance.now();
  const page = await person.send(await person.load("/oidc/sign-up"), "/sign-up", { email });
  assert(performance.now() - begun < ANSWER_MS, "The page waited for the mail server");
  assertEquals(page.status, 200, page.html);
  return page.html.replaceAll(email, "*");
}

/** Makes an account by the link in the mail, which comes. */
async function signUp(bench: Bench, email: string): Promise<void> {
  const { berth, smtp } = bench;
  await askForLink(bench, email);
  const mail = () => smtp.received.findLast(({ to }) => to.includes(email));
  await until(() => mail() !== undefined);
  const link = /http\S+\/verify\?token=\S+/.exec(textOfMail(mail()!))![0];
  const person = personAt({ url: berth.registryUrl });
  const chosen = { password: PASSWORD, repeated: PASSWORD };
  const done = await person.send(await person.load(link), "/verify", chosen);
  assertEquals(done.status, 200, done.html);
}

/** Its name, what it does, and whether mail under way waits for its end, longer than tests do. */
type Fault = [name: string, fail: (way: TcpWay) => void, passes: boolean];

function failures({ berth }: Bench): number {
  return berth.log().split('"issuer.mail_failed"').length - 1;
}

/**
 * What `fail` does is told to the operator alone: the page is as ever, who has an account signs in,
 * and who asks again afterwards gets a link that works.
 */
async function suffer(bench: Bench, [fault, fail, passes]: Fault): Promise<void> {
  const { berth, smtp, way } = bench;
  const [before, received] = [failures(bench), smtp.received.length];
  const email = `${fault.replaceAll(" ", ".")}@example.com`;
  const usual = await askForLink(bench, `usual.${email}`);
  await until(() => smtp.received.length === received + 1);
  fail(way);
  try {
    assertEquals(await askForLink(bench, email), usual);
    const profile = await signIn(personAt({ url: berth.registryUrl }), ADA);
    assertStringIncludes(profile.html, "ada");
    assertEquals((await fetch(`${berth.registryUrl}/readyz`)).status, 200);
    if (!passes) await until(() => failures(bench) > before);
  } finally {
    way.mend();
  }
  await until(() => failures(bench) > before);
  assert(!smtp.received.some(({ to }) => to.includes(email)));
  assert(!berth.log().includes("/verify?token="), "The log has a link");
  await signUp(bench, email);
}

Deno.test({
  name: "what befalls the mail server keeps nobody from signing in, and passes by itself",
  ignore: DATABASE === undefined,
  async fn(t) {
    await using stack = new AsyncDisposableStack();
    const database = await createServerDatabase(DATABASE!);
    stack.defer(() => database.drop());
    const smtp = await startSmtp();
    stack.defer(() => smtp.close());
    const { way, url } = await wayTo(smtp.url);
    stack.use(way);
    const dataDir = await preparedDataDir();
    stack.defer(() => Deno.remove(dataDir, { recursive: true }));
    const berth = await startBerthProcess({
      dataDir,
      environment: {
        ROLE: "registry",
        DATABASE_URL: database.url,
        SMTP_URL: url,
        MAIL_FROM: "berth@example.com",
      },
    });
    stack.defer(async () => void await berth.stop("SIGKILL"));
    const bench = { berth, smtp, way };
    await signUp(bench, ADA);
    const faults: Fault[] = [
      ["away", (way) => way.cut(), false],
      ["silent", (way) => way.stall(), !LONG],
      ["cut half-way", (way) => way.cutAfter(120), false],
    ];
    for (const fault of faults) {
      await t.step(`the mail server is ${fault[0]}`, () => suffer(bench, fault));
    }
    await t.step("Berth is told to end while the mail server is silent", async () => {
      way.stall();
      await askForLink(bench, "late@example.com");
      assertEquals(await berth.stop(), 0, berth.log());
    });
  },
});
