import { post } from "../../net/api.js";
import { showDialog } from "../../ui/dialogs.js";
import { modelText, sentence, visible } from "../../ui/text.js";
import { h } from "../../ui/view.js";
import { grouped, shown } from "../cells.js";
import { deletionWords } from "./deletionWords.js";

/**
 * Shows what others changed of the same objects, side by side, and asks which values are to stay.
 *
 * @param {any[]} conflicts What a save found.
 * @param {{words?: string, action?: string}} [options] What is said, and what the button is called.
 * @returns {Promise<Object<string, Object<string, "mine"|"theirs">>?>} The choices; null where nothing is to be saved yet.
 */
export async function settleConflicts(conflicts, { words = "Nothing is saved yet. Choose the values that are to stay.", action = "Save" } = {}) {
    const choices = Object.fromEntries(conflicts.map((conflict) => [conflict.object, firstChoices(conflict)]));
    const deletions = await previewDeletions(conflicts);
    const isSettled = await showDialog({
        title: "Another program changed the same objects", class: "wide conflicts",
        body: (redraw) => [
            h("p", { key: "words" }, words),
            conflicts.map((conflict) => conflictView(conflict, choices[conflict.object], deletions[conflict.object], redraw)),
        ],
        actions: [{ title: "Not Now", value: false }, { title: action, value: true, isDefault: true }],
    });
    return isSettled ? choices : null;
}

/** What is chosen as long as the person chooses nothing. The name "" stands for the whole object. */
function firstChoices(conflict) {
    if (conflict.isGone) return { "": "theirs" };
    return Object.fromEntries(conflict.properties.map(({ name }) => [name, "mine"]));
}

/** What the deletions would do now: others may have added objects that the delete rules reach. Where that can't be told, the reason is. */
async function previewDeletions(conflicts) {
    const deleted = conflicts.filter((conflict) => conflict.isDeleted && !conflict.isGone);
    const previews = deleted.map(({ object }) => post("store/deletion", { objects: [object] }).catch(({ message }) => ({ failure: message })));
    return Object.fromEntries((await Promise.all(previews)).map((preview, index) => [deleted[index].object, preview]));
}

function conflictView(conflict, choices, preview, redraw) {
    const title = conflict.title ?? conflict.object;
    return h("section.conflict", { key: conflict.object, "aria-label": visible(title) },
        h("h3", null, modelText(title), " ", h("span.quiet", null, conflict.object)),
        conflict.isGone ? h("p", null, "Another program deleted it. Your changes of it are given up.")
            : conflict.isDeleted ? deletion(conflict, choices, preview, redraw)
                : conflict.properties.length === 0 ? h("p", null, "Another program changed other properties. Yours are saved, and theirs stay.")
                    : h("table", null, h("thead", null, h("tr", null, ["Property", "Before", "Yours", "Theirs"].map((text) => h("th", { scope: "col" }, text)))),
                        h("tbody", null, conflict.properties.map((property) => row(conflict, property, choices, redraw)))));
}

function deletion(conflict, choices, preview, redraw) {
    const obstacles = preview.failure ? [`What would be deleted can't be told. ${preview.failure}`] : preview.refusals;
    return [
        obstacles.map((text) => h("p.field-error", { key: text }, sentence(text))),
        obstacles.length === 0 && h("p.deletion-counts", { key: "counts" }, sentence(deletionWords(preview).join(" "))),
        h("div.choices", { key: "choices", role: "radiogroup", "aria-label": "What becomes of the object" },
            choice(`${conflict.object} all`, "Delete it all the same", choices[""] !== "theirs", () => { delete choices[""]; redraw(); }),
            choice(`${conflict.object} all`, "Keep it, with their values", choices[""] === "theirs", () => { choices[""] = "theirs"; redraw(); })),
    ];
}

function row(conflict, property, choices, redraw) {
    const name = `${conflict.object} ${property.name}`;
    const side = (key) => h("td", { class: choices[property.name] === key ? "chosen" : "" }, choice(
        name, valueText(property[key], property), choices[property.name] === key, () => { choices[property.name] = key; redraw(); }
    ));
    return h("tr", { key: property.name }, h("th", { scope: "row" }, modelText(property.name)), h("td", null, sentence(valueText(property.base, property))), side("mine"), side("theirs"));
}

/** A value in a line. Of members it is their titles in their order; of many, the part in which the sides differ. */
function valueText(value, property) {
    if (property.kind !== "toMany") return shown(value, property).text;
    const { count, from, titles } = value;
    const rest = count - from - titles.length;
    return [from > 0 && "…", ...titles, rest > 0 && `… (${grouped(count)} in all)`].filter((part) => part !== false).join(", ") || "None";
}

function choice(name, title, isChosen, choose) {
    return h("label.choice", null, h("input", { type: "radio", name, checked: isChosen, onchange: choose }), h("span", null, sentence(title)));
}
