import { iconButton, selectField, textField } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { showDialog } from "../ui/dialogs.js";
import { h } from "../ui/view.js";
import { apply } from "./filterBar.js";

/** The button that searches for words, for an entity whose texts the store has an index of. */
export function wordSearchButton(app) {
    const searched = app.data.entity(app.data.place.entity)?.searched ?? [];
    return searched.length > 0 && iconButton({
        title: "Search for Words", icon: icon("search"), id: "word-search", action: () => searchWords(app, searched),
    });
}

async function searchWords(app, searched) {
    let [words, key] = ["", ""];
    const isWanted = await showDialog({
        title: "Search for Words", body: () => [
            h("label.dialog-field", null, h("span", null, "Words"), textField({
                label: "Words", value: words, commit: (text) => { words = text; }, id: "words",
            })),
            h("label.dialog-field", null, h("span", null, "In"), selectField({
                label: "In", value: key, commit: (choice) => { key = choice; },
                choices: [["", "All that is searched"], ...searched.map((name) => [name, name])],
            })),
            h("p.quiet", null, "All words must be there. bir* is the beginning of a word, \"larry bird\" in quotes are words side by side."),
        ],
        actions: [{ title: "Cancel", value: false }, { title: "Search", value: true, isDefault: true }],
    });
    if (isWanted && words.trim()) apply(app, `${key || "SELF"} matchesText: ${quoted(words.trim())}`);
}

/** A text as a predicate has it. */
function quoted(text) {
    return `"${text.replaceAll("\\", "\\\\").replaceAll("\"", "\\\"")}"`;
}
