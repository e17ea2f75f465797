import { isInField } from "../ui/shortcuts.js";
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
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || document.querySelector("dialog[open], .menu") || event.metaKey || event.ctrlKey) return;
        if (event.altKey || isInField(event)) return;
        if (event.key === "/") document.getElementById("filter")?.focus();
        else if (event.key === "Escape" && app.data.panel) app.data.set({ panel: null });
        else return;
        event.preventDefault();
    });
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
