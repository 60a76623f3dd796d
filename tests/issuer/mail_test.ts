import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { type Mailer, smtpMailer, terminalMailer } from "../../src/issuer/mail.ts";
import { startNode } from "./harness.ts";
import { freePort } from "../helpers/berth_process.ts";
import { startSmtp, textOfMail } from "../helpers/smtp_server.ts";

async function askForLink(mailer: Mailer) {
  const node = await startNode({ overrides: { mailer } });
  const browser = node.browser();
  const page = await browser.submit(await browser.load("/oidc/sign-up"), "/sign-up", {
    email: "ada@example.com",
  });
  await node.deps.background.idle();
  return { node, page };
}

Deno.test("mail: a link goes out by SMTP, and works", async () => {
  const smtp = await startSmtp();
  const { node, page } = await askForLink(
    smtpMailer({ url: smtp.url, from: "Berth <berth@example.com>" }),
  );
  try {
    assertStringIncludes(page.text, "ada@example.com");
    const [mail] = smtp.received;
    assertEquals(mail!.to, ["ada@example.com"]);
    const text = textOfMail(mail!);
    assertStringIncludes(text, "Subject: Confirm your e-mail address for Berth");
    const link = /http:\/\/127\.0\.0\.1:8000\/oidc\/verify\?token=\S+/.exec(text)![0];
    assertEquals((await node.browser().load(link)).status, 200);
  } finally {
    await node.close();
    await smtp.close();
  }
});

Deno.test("mail: a missing server is an event in the log without the link; the page is the same", async () => {
  const url = `smtp://127.0.0.1:${freePort()}`;
  const { node, page } = await askForLink(smtpMailer({ url, from: "berth@example.com" }));
  try {
    assertEquals(page.status, 200);
    assert(
      node.lines.some(({ event, level }) => event === "issuer.mail_failed" && level === "error"),
    );
    assert(!JSON.stringify(node.lines).includes("token="));
  } finally {
    await node.close();
  }
});

Deno.test("mail: without a server the link is on the terminal and not in the log; with neither, sign-up says so", async () => {
  const terminal: string[] = [];
  const { node, page } = await askForLink(terminalMailer((line) => terminal.push(line)));
  try {
    assertStringIncludes(page.text, "terminal");
    const link = /http:\S+/.exec(terminal[0]!)![0];
    assertEquals((await node.browser().load(link)).status, 200);
    assert(!JSON.stringify(node.lines).includes("token="));
  } finally {
    await node.close();
  }
  const without = await startNode({ overrides: { mailer: null } });
  try {
    for (const path of ["/oidc/sign-up", "/oidc/forgot"]) {
      const refused = await without.browser().load(path);
      assertEquals(refused.status, 503);
      assertStringIncludes(refused.text, "SMTP_URL");
    }
  } finally {
    await without.close();
  }
});
