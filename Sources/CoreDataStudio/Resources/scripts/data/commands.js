import { addObject, deleteObject, duplicateObject, save, step } from "./editing/commands.js";
import { isMovable, moveMember } from "./editing/members.js";
import { listenForPalette } from "./palette.js";
import { isInField, matches } from "../ui/shortcuts.js";
import { plainText } from "../ui/text.js";

/** Opens what a cell leads to: an object, members, a value. */
export function open({ data }, row, column, value) {
    if (column.kind === "toOne" && value) data.openObject(value.id, `${column.name}: ${value.title ?? value.id}`);
    else if (column.kind === "toMany" && value?.count) data.openMembers(row.id, column, `${column.name} of ${titleOf(data, row)}`);
    else if (value && typeof value === "object" && ("bytes" in value || "length" in value)) data.view(row.id, column, value);
    else {
        data.set({ showsInspector: true });
        data.inspect(row.id, data.index);
    }
}

/** What an object of the grid is called. */
export function titleOf(data, row) {
    const keys = data.titleKeys(data.place.entity);
    const names = keys.map((key) => row.cells?.[data.source.columns.indexOf(key)]).filter((text) => typeof text === "string" && text);
    return names.length ? names.join(" ") : row.id;
}

/** The keys that work wherever one does not type. */
export function listenForKeys(app) {
    listenForPalette(app);
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || document.querySelector("dialog[open], .menu")) return;
        if (app.data.edits && pressedForEdits(app, event)) return event.preventDefault();
        if (event.metaKey || event.ctrlKey || event.altKey || isInField(event)) return;
        if (event.key === "/") document.getElementById("filter")?.focus();
        else if (event.key === "Escape" && app.data.panel) app.data.set({ panel: null });
        else return;
        event.preventDefault();
    });
}

/** The keys that change objects. A field that one types in has its own undo. @returns {boolean} Whether it is one. */
function pressedForEdits(app, event) {
    const { data } = app;
    const isInGrid = app.grid?.root === document.activeElement;
    const commands = [
        ["mod+s", () => { finishTyping(app); save(app); }, true], ["mod+z", () => step(app, "undo"), !isInField(event)],
        ["mod+shift+z", () => step(app, "redo"), !isInField(event)], ["mod+y", () => step(app, "redo"), !isInField(event)],
        ["insert", () => addObject(app), !isInField(event) && Boolean(data.source)], ["mod+d", () => duplicateObject(app), isInGrid],
        ["delete", () => deleteObject(app), isInGrid],
        ["alt+arrowup", () => moveMember(app, data.source.row(data.index).id, data.index - 1), isInGrid && isMovable(data)],
        ["alt+arrowdown", () => moveMember(app, data.source.row(data.index).id, data.index + 1), isInGrid && isMovable(data)],
    ];
    const found = commands.find(([shortcut, , isOn]) => isOn && matches(event, shortcut));
    found?.[1]();
    return Boolean(found);
}

/** Gives the value that is being typed. The focus stays; from a cell that is edited it goes to the grid. */
function finishTyping({ grid }) {
    const focused = /** @type {HTMLElement?} */ (document.activeElement);
    focused?.blur();
    const next = focused?.closest("#rows") ? grid.root : focused;
    next?.focus({ preventScroll: true });
}

/** Puts a text on the clipboard. */
export async function copy({ toasts }, text) {
    try {
        await navigator.clipboard.writeText(text);
        toasts.show("Copied");
    } catch {
        toasts.show(`The browser does not let the text be copied: ${plainText(text.slice(0, 80))}`, { isError: true });
    }
}
