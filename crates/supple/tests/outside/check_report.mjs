// Opens a report of Supple in Chromium, as a person would, from its file.
//   node check_report.mjs index.html [folder for screenshots]
// PLAYWRIGHT names the folder of playwright-core, CHROMIUM the browser.
import { createRequire } from "node:module";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT ?? "playwright-core");
const [page, shots] = process.argv.slice(2);
if (!page) {
  console.error("usage: node check_report.mjs index.html [folder for screenshots]");
  process.exit(2);
}
const profile = mkdtempSync(join(tmpdir(), "supple-report-"));
const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
const faults = [];
const browser = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", headless: true, args,
});
try {
  for (const [width, height, colorScheme] of [[1280, 900, "light"], [390, 844, "light"], [1280, 900, "dark"]]) {
    const tab = await browser.newPage();
    const here = `${width} px, ${colorScheme}`;
    tab.on("console", (m) => faults.push(`${here}: the browser says: ${m.text()}`));
    tab.on("request", (r) => {
      if (!/^(file|data):/.test(r.url())) faults.push(`${here}: asks for ${r.url()}`);
    });
    await tab.setViewportSize({ width, height });
    await tab.emulateMedia({ colorScheme });
    await tab.goto(pathToFileURL(resolve(page)).href);
    const found = await tab.evaluate(async () => {
      const images = [...document.images];
      await Promise.all(images.map((i) => i.decode().catch(() => {})));
      return {
        images: images.length,
        broken: images.filter((i) => !(i.complete && i.naturalWidth > 0)).map((i) => i.alt),
        nameless: images.filter((i) => !i.alt).length,
        wide: document.documentElement.scrollWidth - document.documentElement.clientWidth,
        // Backgrounds tell whether the page follows the light and dark of its reader.
        paper: getComputedStyle(document.body).backgroundColor,
        lost: [...document.querySelectorAll("a[href^='#']")]
          .filter((a) => !document.querySelector(a.getAttribute("href"))).map((a) => a.textContent),
      };
    });
    if (found.images === 0) faults.push(`${here}: there is no picture`);
    for (const alt of found.broken) faults.push(`${here}: did not load: ${alt}`);
    if (found.nameless) faults.push(`${here}: ${found.nameless} pictures without words`);
    if (found.wide > 0) faults.push(`${here}: the page is ${found.wide} px too wide`);
    for (const name of found.lost) faults.push(`${here}: "${name}" leads nowhere`);
    const level = Math.max(...found.paper.match(/\d+/g).map(Number));
    if ((level > 128) !== (colorScheme === "light")) faults.push(`${here}: the paper is ${found.paper}`);
    if (shots) await tab.screenshot({ path: join(shots, `report-${width}-${colorScheme}.png`), fullPage: true });
    console.log(`${here}: ${found.images} pictures`);
    await tab.close();
  }
} finally {
  await browser.close();
  rmSync(profile, { recursive: true, force: true });
}
for (const fault of faults) console.error(`FAULT ${fault}`);
process.exit(faults.length ? 1 : 0);
