import { showDialog } from "../ui/dialogs.js";
import { modelText, sentence } from "../ui/text.js";
import { h } from "../ui/view.js";
import { get } from "../net/api.js";
import { documents } from "./documents.js";

/** Asks for the place of a new model, and for what a draft of it is to be made of; makes and shows it. */
export async function newModelDialog(app) {
    if (document.querySelector("dialog[open]")) return;
    const { path } = await get("documents/folder", { path: "" }).catch(() => ({ path: "" }));
    const values = { path: `${path === "/" ? "" : path}/Model.xcdatamodeld`, source: "" };
    let error = "";
    for (;;) {
        const isWanted = await showDialog({
            title: "New Model", class: "medium",
            body: () => [
                field("new-path", "Place", values.path, (text) => { values.path = text; }, error ? "new-error" : null),
                field("new-source", "Draft of", values.source, (text) => { values.source = text; }, "new-words", "Nothing: the model begins empty"),
                h("p.quiet", { key: "words", id: "new-words" }, "A draft is made of a .sql script, samples in .json or .jsonl, an SQLite file, or a database: postgresql://…"),
                error && h("p.field-error", { key: "error", id: "new-error", role: "alert" }, sentence(error)),
            ],
            actions: [{ title: "Cancel", value: false }, { title: "Create", value: true, isDefault: true }],
        });
        if (!isWanted) return;
        try {
            const { opened, notes } = await documents.makeModel({ path: values.path, source: values.source });
            if (notes.length > 0) await tell(notes);
            return documents.show(opened[0]);
        } catch (failure) {
            error = failure.message;
        }
    }
}

function field(id, label, value, take, describedBy, placeholder = null) {
    return h("label.dialog-field", { key: id }, h("span", null, label), h("input.field", {
        type: "text", id, value, placeholder, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
        "aria-describedby": describedBy, "aria-invalid": describedBy === "new-error" ? "true" : null, oninput: (event) => take(event.target.value),
    }));
}

/** What was decided for the draft, and what has no place in a model. @param {string[]} notes */
function tell(notes) {
    return showDialog({
        title: "Draft", class: "medium",
        body: () => h("ul.draft-notes", { tabindex: "0", "aria-label": "What was decided" }, notes.map((note, index) => h("li", { key: index }, modelText(note)))),
        actions: [{ title: "Show Model", value: true, isDefault: true }],
    });
}
