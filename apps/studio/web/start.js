// Starts the studio on its canvas, and says what is missing where it cannot start.
import load, * as studio from "./supple_studio.js";

const element = (id) => document.getElementById(id);

function fault(cause) {
  element("loading").hidden = true;
  // The first cause is the one that tells something; those after it follow from it.
  if (element("fault").hidden || !element("fault-cause").textContent) element("fault-cause").textContent = cause;
  element("fault").hidden = false;
}

function missing(words) {
  element("loading").hidden = true;
  element("missing-words").textContent = words;
  element("missing").hidden = false;
}

const isOurs = (error) => error instanceof WebAssembly.RuntimeError;
addEventListener("error", (event) => { if (isOurs(event.error)) fault(event.message); });
addEventListener("unhandledrejection", (event) => { if (isOurs(event.reason)) fault(String(event.reason)); });
element("reload").addEventListener("click", () => location.reload());
// A file dropped beside the canvas must not take the place of the page.
for (const name of ["dragover", "drop"]) addEventListener(name, (event) => event.preventDefault());

async function run() {
  if (!navigator.gpu) {
    const why = isSecureContext ? "This browser does not offer it." : "Browsers offer it to pages from this machine or over https alone.";
    return missing(why);
  }
  const adapter = await navigator.gpu.requestAdapter().catch(() => null);
  if (!adapter) return missing("This browser has it, but gives no graphics device to it.");
  try {
    await load({ module_or_path: "supple_studio_bg.wasm" });
    await studio.start(element("studio"));
  } catch (error) {
    return fault(String(error?.message ?? error));
  }
  // The first frame has been drawn when the second begins.
  requestAnimationFrame(() => requestAnimationFrame(() => {
    element("loading").hidden = true;
    element("studio").focus();
  }));
}

// For tests, and for whoever wants to steer the studio from the console: see drive.rs.
window.supple = studio;
run();
