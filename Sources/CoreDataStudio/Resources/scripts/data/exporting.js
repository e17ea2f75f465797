import { documents } from "../documents/documents.js";
import { post } from "../net/api.js";
import { showDialog } from "../ui/dialogs.js";
import { selectField } from "../ui/fields.js";
import { sentence } from "../ui/text.js";
import { h } from "../ui/view.js";
import { grouped } from "./cells.js";

/** Exports what the grid shows: its objects, in its order, with its columns. */
export async function exportDialog({ data, toasts }) {
    let format = data.memory.get("format", "csv");
    const { total, isTotalKnown } = data.source;
    const columns = data.shownColumns.filter((column) => column.kind !== "identifier").map(({ name }) => name);
    // The export is of what the store has.
    const unsaved = data.edits?.state.count ?? 0;
    const isWanted = await showDialog({
        title: `Export ${data.place.entity}`,
        body: () => [
            h("p", null, sentence(`${isTotalKnown ? grouped(total) : "All"} ${total === 1 && isTotalKnown ? "object" : "objects"} with ${columns.length} columns, in the order that is shown.`)),
            unsaved > 0 && h("p", { id: "export-unsaved" }, `${grouped(unsaved)} ${unsaved === 1 ? "change that is not saved is" : "changes that are not saved are"} left out.`),
            h("label.dialog-field", null, h("span", null, "Format"), selectField({
                label: "Format", value: format, choices: [["csv", "CSV"], ["json", "JSON"], ["jsonl", "JSON lines"], ["sqlite", "SQLite"]], commit: (choice) => { format = choice; },
            })),
            h("p.quiet", null, "Of to-many relationships the number of members is written."),
        ],
        actions: [{ title: "Cancel", value: false }, { title: "Export", value: true, isDefault: true }],
    });
    if (!isWanted) return;
    data.memory.set("format", format);
    try {
        const { address } = await post("store/export", { query: data.query, columns, format });
        download(documents.current ? `${address}&document=${documents.current}` : address);
    } catch (error) {
        toasts.show(error.message, { isError: true });
    }
}

/** Has the browser save what an address answers with. @param {string} address @param {string} [name] */
export function download(address, name = "") {
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    document.body.append(link);
    link.click();
    link.remove();
}
