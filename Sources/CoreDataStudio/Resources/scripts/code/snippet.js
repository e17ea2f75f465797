import { h } from "../ui/view.js";
import { icon } from "../ui/icons.js";
import { button } from "../ui/fields.js";
import { get } from "../net/api.js";
import { highlighted } from "./highlight.js";

/** What the server wrote for a request, by request and revision. */
const texts = new Map();

/** The Swift code that runs a fetch request, to be copied. */
export function snippet(app, request) {
    const known = texts.get(request.id);
    if (known?.revision !== app.store.revision) load(app, request.id, app.store.revision, known);
    if (!known?.text) return null;
    return h("section.snippet", { "aria-label": "Code" },
        h("header.section-head", null, h("h2", null, "In Code"), copyButton(app, known.text)),
        h("pre.code-view", { tabindex: "0", "aria-label": "Code of the fetch request" }, highlighted(known.text)));
}

export function copyButton(app, text) {
    return button({
        title: "Copy", icon: icon("copy"), class: "small", action: async () => {
            await navigator.clipboard.writeText(text).then(
                () => app.toasts.show("Copied"),
                () => app.toasts.show("The browser does not let pages copy.", { isError: true })
            );
        },
    });
}

async function load(app, id, revision, known) {
    texts.set(id, { text: known?.text, revision });
    const answer = await get("snippet", { request: id }).catch((error) => ({ text: `// ${error.message}` }));
    if (texts.get(id)?.revision !== revision) return;
    texts.set(id, { text: answer.text, revision });
    app.workspace.changed();
}
