/**
 * The embedded issuer's pages in a browser.
 *
 * @module
 */
import { linkOf } from "./harness.ts";
import { EMAIL, look, type Walk } from "./walk.ts";

/** Signing in, signing up, forgotten passwords, devices, and what does not work. */
export async function accountPages({ site, browser }: Walk): Promise<void> {
  const view = await browser.open(`${site.url}/login?to=/profile`);
  const { page } = view;
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await look(view, "sign-in");
  await page.getByLabel("E-mail address").fill(EMAIL);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("alert").waitFor();
  await look(view, "a refused sign-in");
  await page.goto(`${site.url}/oidc/sign-up`);
  await look(view, "sign-up");
  const before = site.terminal.length;
  await page.getByLabel("E-mail address").fill("grace@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Open the link" }).waitFor();
  await look(view, "sign-up, sent");
  while (site.terminal.length === before) await page.waitForTimeout(20);
  await page.goto(await linkOf(site, "/verify"));
  await page.getByLabel("Password", { exact: true }).waitFor();
  await look(view, "a password to choose");
  for (
    const [path, what] of [
      ["/oidc/forgot", "a forgotten password"],
      ["/oidc/device", "a device's code"],
      ["/oidc/verify?token=cut-off", "a link that does not work"],
      ["/oidc/auth?client_id=nobody", "a sign-in that does not work"],
    ] as const
  ) {
    await page.goto(`${site.url}${path}`);
    await look(view, what);
  }
  await page.getByRole("link", { name: "Berth" }).click();
  await page.getByRole("heading", { name: /MCP servers/ }).waitFor();
  await view.context.close();
}
