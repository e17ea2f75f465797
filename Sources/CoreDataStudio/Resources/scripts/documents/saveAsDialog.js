import { showDialog } from "../ui/dialogs.js";
import { sentence } from "../ui/text.js";
import { h } from "../ui/view.js";
import { get } from "../net/api.js";
import { documents } from "./documents.js";

/** Asks where a copy that was dropped into the window is to be saved. */
export async function saveAsDialog(app) {
    const { path } = await get("documents/folder", { path: "" }).catch(() => ({ path: "" }));
    let text = `${path === "/" ? "" : path}/${documents.own.name}`;
    let error = "";
    for (;;) {
        const isWanted = await showDialog({
            title: "Save as", class: "medium",
            body: () => [
                h("p", { key: "words" }, "This is a copy of what was dropped into the window. Name the place where it is to be saved."),
                h("input.field", {
                    key: "path", type: "text", id: "save-path", "aria-label": "Path", value: text, spellcheck: "false", autocomplete: "off", "aria-invalid": error ? "true" : null,
                    "aria-describedby": error ? "save-error" : null, oninput: (event) => { text = event.target.value; },
                }),
                error && h("p.field-error", { key: "error", id: "save-error", role: "alert" }, sentence(error)),
            ],
            actions: [{ title: "Cancel", value: false }, { title: "Save", value: true, isDefault: true }],
        });
        if (!isWanted) return;
        try {
            documents.isLeaving = true;
            return await documents.saveAs(text);
        } catch (failure) {
            documents.isLeaving = false;
            error = failure.message;
        }
    }
}
