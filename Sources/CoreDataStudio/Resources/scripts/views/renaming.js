import { h } from "../ui/view.js";
import { checkField } from "../ui/fields.js";
import { showDialog } from "../ui/dialogs.js";
import { kindTitles } from "../model/types.js";

/**
 * Shows what else a new name would change.
 *
 * @returns {Promise<{includesUnsure: boolean, updatesReferences: boolean}?>} null: not to be renamed.
 */
export function confirmRename(store, record, name, references) {
    const unsure = references.filter((reference) => reference.certainty === "unsure");
    let includesUnsure = false;
    return showDialog({
        title: `Rename “${record.name}” to “${name}”`, class: "wide",
        body: (redraw) => [
            h("p", null, `This ${kindTitles[record.kind].toLowerCase()} is mentioned elsewhere. Undo takes back all of it.`),
            h("div.references", { role: "region", "aria-label": "References", tabindex: "0" }, h("table", null,
                h("thead", null, h("tr", null, ["Where", "Now", "Then"].map((title) => h("th", { scope: "col", key: title }, title)))),
                h("tbody", null, references.map((reference, index) => h("tr", { key: index, class: reference.certainty === "unsure" && !includesUnsure ? "left-out" : "" },
                    h("td", null, reference.title, reference.reason && h("div.quiet", null, reference.reason)),
                    h("td", null, h("code", null, reference.before)), h("td", null, h("code", null, reference.after))))))),
            unsure.length > 0 && checkField({
                label: `Change the ${unsure.length} unsure one${unsure.length === 1 ? "" : "s"} too`, value: includesUnsure,
                commit: (value) => { includesUnsure = value; redraw(); },
            }),
        ],
        actions: [
            { title: "Cancel", value: null },
            { title: "Rename Without References", value: { includesUnsure: false, updatesReferences: false } },
            { title: "Rename", value: () => ({ includesUnsure, updatesReferences: true }), isDefault: true },
        ],
    });
}
