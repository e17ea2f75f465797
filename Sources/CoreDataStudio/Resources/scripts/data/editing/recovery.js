import { showDialog, showMessage } from "../../ui/dialogs.js";
import { button } from "../../ui/fields.js";
import { icon } from "../../ui/icons.js";
import { sentence } from "../../ui/text.js";
import { h } from "../../ui/view.js";
import { grouped } from "../cells.js";
import { settleConflicts } from "./conflictDialog.js";

/** What an earlier run left, and why changes are not kept on disk. */
export function journalBanners(app) {
    const { recovery, journalFailure } = app.data.edits.state;
    return [
        recovery && h("div.banner.note", { key: "recovery", role: "status", id: "banner-recovery" }, icon("note"), h("span", null, sentence(words(recovery))),
            h("div.spacer"), button({ title: "Discard", class: "small", id: "recovery-discard", action: () => discard(app) }),
            button({ title: "Recover", class: "small primary", id: "recovery-recover", action: () => recover(app) })),
        journalFailure && h("div.banner.warning", { key: "journal", role: "status", id: "banner-journal" }, icon("warning"), h("span", null, sentence(journalFailure))),
    ];
}

function words({ savedAt, count }) {
    const date = new Date(savedAt);
    const time = Number.isNaN(date.getTime()) ? savedAt : date.toLocaleString();
    return `Unsaved changes of ${grouped(count)} ${count === 1 ? "object" : "objects"} from ${time} were found: they were not saved when the studio ended.`;
}

async function recover(app, choices) {
    try {
        const { recovered, left, conflicts } = await app.data.edits.recover("recover", choices);
        if (!recovered) {
            const settled = await settleConflicts(conflicts, { words: "Nothing is recovered yet. Choose the values that are to stay.", action: "Recover" });
            return settled ? recover(app, { ...choices, ...settled }) : undefined;
        }
        app.data.set({ panel: "changes" });
        if (left.length) showMessage("Not everything could be recovered", ...left);
        else app.toasts.show("Recovered. Nothing is saved yet.");
    } catch (error) {
        app.toasts.show(error.message, { isError: true });
    }
}

async function discard(app) {
    const isMeant = await showDialog({
        title: "Discard what was not saved?", body: () => h("p", null, "The changes of the earlier run are given up. This can't be undone."),
        actions: [{ title: "Cancel", value: false, isDefault: true }, { title: "Discard", value: true, isDestructive: true }],
    });
    if (!isMeant) return;
    await app.data.edits.recover("discard").catch((error) => app.toasts.show(error.message, { isError: true }));
}
