import { showDialog } from "../../ui/dialogs.js";
import { modelText, sentence, visible } from "../../ui/text.js";
import { h } from "../../ui/view.js";
import { shown } from "../cells.js";

/**
 * Shows what others changed of the same objects, side by side, and asks which values are to stay.
 *
 * @param {any[]} conflicts What a save found.
 * @param {{words?: string, action?: string}} [options] What is said, and what the button is called.
 * @returns {Promise<Object<string, Object<string, "mine"|"theirs">>?>} The choices; null where nothing is to be saved yet.
 */
export async function settleConflicts(conflicts, { words = "Nothing is saved yet. Choose the values that are to stay.", action = "Save" } = {}) {
    const choices = Object.fromEntries(conflicts.map((conflict) => [conflict.object, firstChoices(conflict)]));
    const isSettled = await showDialog({
        title: "Another program changed the same objects", class: "wide conflicts",
        body: (redraw) => [
            h("p", { key: "words" }, words),
            conflicts.map((conflict) => conflictView(conflict, choices[conflict.object], redraw)),
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

function conflictView(conflict, choices, redraw) {
    const title = conflict.title ?? conflict.object;
    return h("section.conflict", { key: conflict.object, "aria-label": visible(title) },
        h("h3", null, modelText(title), " ", h("span.quiet", null, conflict.object)),
        conflict.isGone ? h("p", null, "Another program deleted it. Your changes of it are given up.")
            : conflict.isDeleted ? deletion(conflict, choices, redraw)
                : conflict.properties.length === 0 ? h("p", null, "Another program changed other properties. Yours are saved, and theirs stay.")
                    : h("table", null, h("thead", null, h("tr", null, ["Property", "Before", "Yours", "Theirs"].map((text) => h("th", { scope: "col" }, text)))),
                        h("tbody", null, conflict.properties.map((property) => row(conflict, property, choices, redraw)))));
}

function deletion(conflict, choices, redraw) {
    return h("div.choices", { role: "radiogroup", "aria-label": "What becomes of the object" },
        choice(`${conflict.object} all`, "Delete it all the same", choices[""] !== "theirs", () => { delete choices[""]; redraw(); }),
        choice(`${conflict.object} all`, "Keep it, with their values", choices[""] === "theirs", () => { choices[""] = "theirs"; redraw(); }));
}

function row(conflict, property, choices, redraw) {
    const name = `${conflict.object} ${property.name}`;
    const side = (key) => h("td", { class: choices[property.name] === key ? "chosen" : "" }, choice(
        name, shown(property[key], property).text, choices[property.name] === key, () => { choices[property.name] = key; redraw(); }
    ));
    return h("tr", { key: property.name }, h("th", { scope: "row" }, modelText(property.name)), h("td", null, sentence(shown(property.base, property).text)), side("mine"), side("theirs"));
}

function choice(name, title, isChosen, choose) {
    return h("label.choice", null, h("input", { type: "radio", name, checked: isChosen, onchange: choose }), h("span", null, sentence(title)));
}
