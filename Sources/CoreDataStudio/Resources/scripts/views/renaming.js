import { h } from "../ui/view.js";
import { checkField } from "../ui/fields.js";
import { showDialog } from "../ui/dialogs.js";
import { kindTitles } from "../model/types.js";
import { modelText, sentence } from "../ui/text.js";

/**
 * Shows what else a new name would change, and asks what becomes of stores that know the old one.
 *
 * @returns {Promise<{includesUnsure: boolean, updatesReferences: boolean, setsRenamingIdentifier: boolean}?>} null: not to be renamed.
 */
export function confirmRename(record, name, references, { isInOtherVersions }) {
    const unsure = references.filter((reference) => reference.certainty === "unsure");
    let includesUnsure = false;
    let setsRenamingIdentifier = isInOtherVersions;
    return showDialog({
        title: `Rename “${record.name}” to “${name}”`, class: "wide",
        body: (redraw) => [
            references.length > 0 && h(
                "p", null,
                `This ${kindTitles[record.kind].toLowerCase()} is mentioned elsewhere. Undo takes back all of it.`
            ),
            references.length > 0 && h("div.references", {
                role: "region", "aria-label": "References", tabindex: "0"
            }, h("table", null,
                h(
                    "thead", null,
                    h("tr", null, ["Where", "Now", "Then"].map((title) => h("th", { scope: "col", key: title }, title)))
                ),
                h("tbody", null, references.map((reference, index) => h("tr", {
                    key: index, class: reference.certainty === "unsure" && !includesUnsure ? "left-out" : ""
                },
                    h("td", null, sentence(reference.title), reference.reason && h("div.quiet", null, sentence(reference.reason))),
                    h(
                        "td", null, h("code", null, modelText(reference.before))
                    ), h("td", null, h("code", null, modelText(reference.after)))))))),
            isInOtherVersions && [
                checkField({
                    label: `Keep “${record.name}” as the renaming identifier`, value: setsRenamingIdentifier,
                    commit: (value) => { setsRenamingIdentifier = value; redraw(); },
                }),
                h(
                    "p.quiet", null,
                    "By it a migration knows that the two are the same; without it, stores of older versions lose what they have here."
                ),
            ],
            unsure.length > 0 && checkField({
                label: `Change the ${unsure.length} unsure one${unsure.length === 1 ? "" : "s"} too`, value: includesUnsure,
                commit: (value) => { includesUnsure = value; redraw(); },
            }),
        ],
        actions: [
            { title: "Cancel", value: null },
            ...(references.length > 0 ? [{
                title: "Rename Without References",
                value: () => ({ includesUnsure: false, updatesReferences: false, setsRenamingIdentifier })
            }] : []),
            {
                title: "Rename", value: () => ({ includesUnsure, updatesReferences: true, setsRenamingIdentifier }),
                isDefault: true
            },
        ],
    });
}
