import { bytes } from "../../net/api.js";
import { accept, refuse } from "../../ui/advice.js";
import { showDialog } from "../../ui/dialogs.js";
import { linesOf, withLineEndsOf } from "../../ui/lineEnds.js";
import { matches } from "../../ui/shortcuts.js";
import { h } from "../../ui/view.js";
import { chooseDestination } from "./commands.js";
import { editNext } from "./gridEditing.js";
import { canType, isCut, typedText, typedValue } from "./typedValue.js";

/** The longest text that a dialog has, in bytes. */
const mostEdited = 8 << 20;

/**
 * Edits a cell in its place: Return keeps what was typed, Tab goes on to the next cell, Escape gives up. A text that is
 * long, or has several lines, is edited in a dialog.
 *
 * @returns {boolean} Whether the cell can be edited.
 */
export function editCell(app, grid, { cell, row, column, value }) {
    if (!app.data.edits || row.state === "deleted") return false;
    if (column.kind === "toOne") {
        chooseDestination(app, row.id, column).then(() => grid.root.focus());
        return true;
    }
    if (!canType(column)) return false;
    if (isCut(value) || linesOf(typedText(value)).length > 1) {
        editLongText(app, row.id, column).then(() => grid.root.focus());
        return true;
    }
    new CellEditor(app, grid, cell, row, column, value);
    return true;
}

class CellEditor {
    #isDone = false;

    constructor(app, grid, cell, row, column, value) {
        Object.assign(this, { app, grid, row, column });
        const text = typedText(value);
        this.field = column.type === "boolean" ? choice(text) : line(text);
        // What the field made of the text.
        this.start = this.field.value;
        this.field.setAttribute("aria-label", `${column.name} of ${row.id}`);
        this.field.addEventListener("keydown", (event) => this.#press(event));
        this.field.addEventListener("blur", () => this.#end(true));
        cell.replaceChildren(this.field);
        this.field.focus();
        if (this.field instanceof HTMLInputElement) this.field.select();
    }

    #press(event) {
        if (event.isComposing) return;
        const step = event.key === "Tab" ? (event.shiftKey ? -1 : 1) : 0;
        if (event.key === "Enter" || step) this.#end(true, step);
        else if (event.key === "Escape") this.#end(false);
        else {
            // The window saves, with what is typed.
            if (!matches(event, "mod+s")) event.stopPropagation();
            return;
        }
        event.preventDefault();
        event.stopPropagation();
    }

    async #end(isKept, step = 0) {
        if (this.#isDone) return;
        this.#isDone = true;
        const hadFocus = document.activeElement === this.field;
        if (isKept && this.field.value !== this.start) {
            const refusal = await this.#keep();
            if (refusal && hadFocus) {
                this.#isDone = false;
                this.field.focus();
                return refuse(this.field, refusal);
            }
            if (refusal) this.app.toasts.show(refusal, { isError: true });
        }
        accept(this.field);
        this.field.remove();
        this.grid.refill();
        if (hadFocus) this.grid.root.focus();
        if (step) editNext(this.grid, step);
    }

    /** @returns {Promise<string?>} Why the value is refused. */
    async #keep() {
        const value = typedValue(this.field.value, this.column);
        try {
            await this.app.data.edits.act({ kind: "set", object: this.row.id, key: this.column.name, value });
            return null;
        } catch (error) {
            return error.message;
        }
    }
}

function line(text) {
    const field = document.createElement("input");
    Object.assign(field, { type: "text", className: "cell-editor", value: text, spellcheck: false, autocomplete: "off" });
    return field;
}

function choice(text) {
    const field = document.createElement("select");
    field.className = "cell-editor";
    for (const [value, title] of [["", "–"], ["true", "true"], ["false", "false"]]) field.append(new Option(title, value, false, value === text));
    return field;
}

/** Edits a text that does not fit into a cell, with the line ends that it has. */
export async function editLongText(app, object, property) {
    const start = await wholeText(app, object, property);
    if (start === null) return;
    let text = start;
    const ask = () => showDialog({
        title: `${property.name} of ${object}`, class: "wide",
        body: () => h("textarea.field", {
            rows: 14, value: text, autofocus: true, "aria-label": property.name, spellcheck: "false",
            oninput: ({ target }) => { text = withLineEndsOf(start, target.value); },
        }),
        actions: [{ title: "Cancel", value: false }, { title: "Keep", value: true, isDefault: true }],
    });
    // What is refused stays to be mended.
    while (await ask()) if (text === start || await keepText(app, object, property, text)) return;
}

/** The whole of a text; null where it can't be edited, which is told. @returns {Promise<string?>} */
async function wholeText(app, object, property) {
    try {
        const content = await bytes("store/bytes", { object, key: property.name, count: mostEdited + 1 });
        if (content.length > mostEdited) {
            throw new Error(`${property.name} of ${object} has more than ${mostEdited >> 20} MB. Longer texts can be read here, and not edited.`);
        }
        // A mark of the byte order at its beginning is a part of the text.
        return new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
    } catch (error) {
        app.toasts.show(error.message, { isError: true });
        return null;
    }
}

/** @returns {Promise<boolean>} Whether the text is taken; why it is not is told. */
async function keepText(app, object, property, text) {
    const { edits } = app.data;
    try {
        // A text may be longer than the body of an action.
        if (property.type === "string") await edits.setText(object, property.name, text);
        else await edits.act({ kind: "set", object, key: property.name, value: typedValue(text, property) });
        return true;
    } catch (error) {
        app.toasts.show(error.message, { isError: true });
        return false;
    }
}
