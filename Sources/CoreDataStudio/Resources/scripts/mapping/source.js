import { get } from "../net/api.js";
import { h } from "../ui/view.js";

/** The file as saving would write it. */
const shown = { revision: -1, text: "" };

export function sourcePanel(app) {
    const { revision } = app.store;
    if (shown.revision !== revision) read(app, revision);
    return h("div.code-panel", { key: "source" }, h("pre.code-view", { tabindex: "0", "aria-label": "xcmapping.xml", id: "source-text" }, shown.text));
}

async function read(app, revision) {
    shown.revision = revision;
    const answer = await get("mapping/source").catch((error) => ({ text: error.message }));
    if (shown.revision !== revision) return;
    shown.text = answer.text;
    app.workspace.changed();
}
