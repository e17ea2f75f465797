import { post, send } from "../net/api.js";
import { showMessage } from "../ui/dialogs.js";
import { sentence } from "../ui/text.js";
import { h, mount } from "../ui/view.js";
import { documents } from "./documents.js";

/** A file that was dropped, with the folders that it was in. @typedef {{path: string, file: File}} Dropped */

/** Has files and folders that are dropped into the window opened, as copies: a browser tells no paths. */
export function listenForDrops(app) {
    let depth = 0;
    const hint = document.createElement("div");
    hint.id = "drop-hint";
    hint.setAttribute("role", "status");
    const show = (text) => {
        if (text && !hint.isConnected) document.body.append(hint);
        if (text) mount(hint, h("p", null, sentence(text)));
        else hint.remove();
    };
    // What a field or a value takes is not the window's.
    const isOurs = (event) => event.dataTransfer?.types.includes("Files") && !event.defaultPrevented && !document.querySelector("dialog[open]");
    addEventListener("dragenter", (event) => {
        if (!isOurs(event)) return;
        depth += 1;
        show("Drop to open a copy");
    });
    addEventListener("dragleave", (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        depth = Math.max(0, depth - 1);
        if (depth === 0) show("");
    });
    addEventListener("dragover", (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        if (!isOurs(event)) return show("");
        show("Drop to open a copy");
        event.preventDefault();
        event.dataTransfer.dropEffect = "copy";
    });
    addEventListener("drop", async (event) => {
        depth = 0;
        show("");
        if (!isOurs(event)) return;
        event.preventDefault();
        // The entries are gone as soon as this turn ends.
        const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.() ?? null).filter(Boolean);
        const files = entries.length ? [] : [...event.dataTransfer.files].map((file) => ({ path: file.name, file }));
        try {
            await openDropped([...files, ...(await Promise.all(entries.map(filesOf))).flat()], show);
        } catch (error) {
            app.toasts.show(error.message, { isError: true });
        } finally {
            show("");
        }
    });
}

/** All files of an entry, those of its folders included. @returns {Promise<Dropped[]>} */
async function filesOf(entry) {
    const path = entry.fullPath.replace(/^\//u, "");
    if (entry.isFile) return [{ path, file: await new Promise((resolve, reject) => { entry.file(resolve, reject); }) }];
    const reader = entry.createReader();
    const found = [];
    // A reader gives some at a time.
    for (;;) {
        const part = await new Promise((resolve, reject) => { reader.readEntries(resolve, reject); });
        if (part.length === 0) break;
        found.push(...part);
    }
    return (await Promise.all(found.map(filesOf))).flat();
}

/** @param {Dropped[]} files @param {(text: string) => void} tell */
async function openDropped(files, tell) {
    if (files.length === 0) throw new Error("There are no files in what was dropped.");
    const { drop } = await post("documents/drop", {});
    try {
        for (const [index, { path, file }] of files.entries()) {
            tell(files.length === 1 ? `Reading ${file.name}…` : `Reading file ${index + 1} of ${files.length}…`);
            await send("documents/file", { drop, path }, file);
        }
    } catch (error) {
        post("documents/drop/cancel", { drop }).catch(() => { /* it goes with the studio */ });
        throw error;
    }
    await documents.open({ drop }, (failures) => {
        tell("");
        return showMessage("Not all that was dropped can be opened", ...failures);
    });
}
