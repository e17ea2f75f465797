import { showDialog } from "../ui/dialogs.js";
import { isInField, matches, shortcutTitle } from "../ui/shortcuts.js";
import { sentence } from "../ui/text.js";
import { h } from "../ui/view.js";
import { documents } from "./documents.js";
import { newModelDialog } from "./newModelDialog.js";
import { openDialog } from "./openDialog.js";
import { saveAsDialog } from "./saveAsDialog.js";

/**
 * What can be done with documents, by name: for the palette, menus and keys.
 *
 * @returns {Object<string, {title: () => string, run: (id?: string) => any, shortcut?: string, isEnabled?: () => boolean}>}
 */
export function documentCommands(app) {
    return {
        newModel: { title: () => "New Model…", run: () => newModelDialog(app) },
        open: { title: () => "Open Document…", shortcut: "mod+o", run: () => openDialog(app) },
        saveAs: { title: () => "Save As…", isEnabled: () => Boolean(documents.own?.isCopy && documents.own.kind === "model"), run: () => saveAsDialog(app) },
        closeDocument: { title: () => "Close Document", shortcut: "alt+w", isEnabled: () => Boolean(documents.current), run: () => closeDocument(app, documents.current) },
        closeOthers: {
            title: () => "Close Other Documents", isEnabled: () => documents.all.length > 1,
            run: (id = documents.current) => closeOthers(app, id),
        },
        previousDocument: { title: () => "Previous Document", shortcut: "alt+pageup", isEnabled: () => documents.all.length > 1, run: () => step(-1) },
        nextDocument: { title: () => "Next Document", shortcut: "alt+pagedown", isEnabled: () => documents.all.length > 1, run: () => step(1) },
    };
}

/** The documents as choices of a palette. */
export function documentChoices() {
    return documents.all.filter(({ id }) => id !== documents.current)
        .map(({ id, name }) => ({ title: name, detail: "Document", run: () => documents.show(id) }));
}

/** What can be done with documents as choices of a palette. */
export function documentCommandChoices(app) {
    return Object.values(documentCommands(app)).filter(({ isEnabled }) => isEnabled?.() ?? true)
        .map(({ title, shortcut, run }) => ({ title: title(), shortcut: shortcut && shortcutTitle(shortcut), run: () => run() }));
}

/** The keys that work on every page. */
export function listenForDocumentKeys(app) {
    const commands = documentCommands(app);
    document.addEventListener("keydown", (event) => {
        if (event.defaultPrevented || document.querySelector("dialog[open], .menu")) return;
        const number = digit(event);
        const found = Object.values(commands).find(({ shortcut }) => shortcut && matches(event, shortcut));
        if (number) {
            const chosen = documents.all[number - 1];
            if (!chosen) return;
            documents.show(chosen.id);
        } else if (found) {
            if (found.isEnabled?.() ?? true) found.run();
        } else return;
        event.preventDefault();
    });
}

/** The digit of Alt and a digit. On a Mac these keys type characters, which a field may be meant to get. */
function digit(event) {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return 0;
    const isPlain = /^[1-9]$/u.test(event.key);
    if (!isPlain && isInField(event)) return 0;
    return Number(isPlain ? event.key : /^Digit([1-9])$/u.exec(event.code)?.[1] ?? 0);
}

function step(by) {
    const ids = documents.all.map(({ id }) => id);
    documents.show(ids[(ids.indexOf(documents.current) + by + ids.length) % ids.length]);
}

/** Closes a document; what is not saved is told first. @param {string} id @returns {Promise<boolean>} Whether it is closed. */
export async function closeDocument(app, id) {
    const name = documents.all.find((each) => each.id === id)?.name;
    try {
        await documents.close(id);
        return true;
    } catch (error) {
        if (error.code !== "unsaved") {
            app.toasts.show(error.message, { isError: true });
            return false;
        }
    }
    const isGivenUp = await showDialog({
        title: `Close ${name}?`, body: () => h("p", null, sentence("It has changes that are not saved. They are lost if you close it.")),
        actions: [{ title: "Keep Open", value: false, isDefault: true }, { title: "Discard and Close", value: true, isDestructive: true }],
    });
    if (!isGivenUp) return false;
    await documents.close(id, true).catch((error) => app.toasts.show(error.message, { isError: true }));
    return true;
}

async function closeOthers(app, id) {
    // The page's own document is the last one: closing it leaves the page.
    const others = documents.all.map((each) => each.id).filter((each) => each !== id);
    for (const each of others.sort((a) => (a === documents.current ? 1 : -1))) if (!await closeDocument(app, each)) return;
}
