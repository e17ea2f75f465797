import { showDialog } from "../ui/dialogs.js";
import { checkField, iconButton, selectField } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { modelText } from "../ui/text.js";
import { h } from "../ui/view.js";
import { columnTitle } from "./columns.js";

/** Which columns are shown, in which order, and what objects are called. */
export async function columnsDialog({ data }) {
    const entity = data.entity(data.place.entity);
    const texts = entity.properties.filter((property) => property.kind === "attribute" && property.type === "string").map(({ name }) => name);
    await showDialog({
        title: `Columns of ${entity.name}`, class: "medium",
        body: (redraw) => [
            h("ul.column-list", { role: "list" }, data.columns.map((column) => h("li", { key: column.name }, row(data, column, redraw)))),
            texts.length > 0 && h("label.dialog-field", { key: "title" }, h("span", null, "Title"), selectField({
                label: `What objects of ${entity.name} are called by`, id: "title-keys", value: data.chosenTitle(entity.name)?.join(" ") ?? "",
                choices: [["", `As guessed: ${entity.title.join(" ") || "entity and key"}`], ...texts.map((text) => [text, text])],
                commit: (choice) => { data.setTitle(entity.name, choice ? choice.split(" ") : null); redraw(); },
            })),
        ],
        actions: [{ title: "Done", value: true, isDefault: true }],
    });
}

function row(data, column, redraw) {
    const title = columnTitle(column);
    const isIdentifier = column.kind === "identifier";
    const change = (changes) => { data.setColumn(column.name, changes); redraw(); };
    const shown = data.shownColumns.findIndex((each) => each.name === column.name);
    const move = (event, step) => {
        data.moveColumn(column.name, shown + step);
        redraw();
        keepFocus(event.currentTarget);
    };
    return [
        checkField({ label: `Show ${title}`, value: !column.isHidden, hidesLabel: true, disabled: isIdentifier, commit: (isOn) => change({ isHidden: !isOn }) }),
        h("span.column-name", null, modelText(title)),
        h("span.quiet.column-type", null, column.type ?? column.destination ?? ""),
        iconButton({ title: `Move ${title} up`, icon: icon("moveUp"), disabled: isIdentifier || shown < 2, action: (event) => move(event, -1) }),
        iconButton({ title: `Move ${title} down`, icon: icon("moveDown"), disabled: isIdentifier || shown < 0 || shown === data.shownColumns.length - 1, action: (event) => move(event, 1) }),
        iconButton({ title: column.isFrozen ? `Let ${title} scroll` : `Freeze ${title}`, icon: icon("lock"), "aria-pressed": String(column.isFrozen), disabled: isIdentifier, action: () => change({ isFrozen: !column.isFrozen }) }),
    ];
}

/** Keeps the focus on a button that was pressed; where it can't be pressed again, on another one of its row. */
function keepFocus(pressed) {
    const next = pressed.disabled ? pressed.parentElement.querySelector("button:not(:disabled)") : pressed;
    next?.focus();
}
