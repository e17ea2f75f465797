import { h } from "../ui/view.js";
import { icon } from "../ui/icons.js";
import { button } from "../ui/fields.js";
import { sentence } from "../ui/text.js";

/** What has happened outside of this window, with what can be done about it. */
export function banners(app) {
    const { store } = app;
    const choose = (choice) => store.request("recovery", () => ({ choice }));
    return [recoveryBanner(store, choose), journalBanner(store), disk(app, store), connection(store)];
}

function banner(key, kind, text, ...buttons) {
    return h(
        "div.banner", { key, class: kind, role: kind === "error" ? "alert" : "status", id: `banner-${key}` },
        icon(kind === "note" ? "note" : "warning"), h("span", null, sentence(text)), h("div.spacer"), buttons
    );
}

/** Offers what an earlier run left. @param {any} store @param {(choice: "recover"|"discard") => void} choose */
export function recoveryBanner({ recovery: found, document: info }, choose) {
    if (!found) return null;
    const date = new Date(found.savedAt);
    const time = Number.isNaN(date.getTime()) ? found.savedAt : date.toLocaleString();
    return banner("recovery", "note", found.isOutdated
        ? `Unsaved changes to ${info.name} from ${time} were found: the studio did not end well. The document has been changed by others since.`
        : `Unsaved changes to ${info.name} from ${time} were found: the studio did not end well.`,
    button({ title: "Discard", class: "small", action: () => choose("discard") }), button({
        title: "Recover", class: "small primary", action: () => choose("recover")
    }));
}

/** Tells that unsaved changes are not kept. */
export function journalBanner({ journalFailure }) {
    return journalFailure && banner("journal", "warning", journalFailure);
}

function disk(app, { disk: state, document: info, version }) {
    if (state.status === "same") return null;
    const choose = (choice) => app.store.request("disk", () => ({ choice }));
    if (state.status === "unreadable") return banner(
        "disk", "error", `${info.name} was changed on disk, and can't be read now: ${state.message}`,
        button({ title: "Keep Mine", class: "small", action: () => choose("keep") })
    );
    if (state.status === "missing") return banner(
        "disk", "error", `${info.name} is no longer where it was. Saving writes it anew.`
    );
    return banner("disk", "warning", `${info.name} was changed on disk by something else.`,
        button({ title: "Compare", class: "small", action: () => app.commands.compare(`disk:${version}`, version) }),
        button({ title: "Keep Mine", class: "small", action: () => choose("keep") }),
        button({ title: "Reload", class: "small primary", action: () => choose("reload") }));
}

function ending(end) {
    if (end?.unsaved === "kept") return "The studio has ended. The next start offers the unsaved changes.";
    if (end?.unsaved === "lost") return `The studio has ended. Unsaved changes are lost. ${end.message}`;
    return "The studio has ended. Everything was saved.";
}

function connection({ isConnected, hasEnded, end }) {
    if (hasEnded) return banner(
        "connection", "error", ending(end)
    );
    return isConnected ? null : banner("connection", "warning", "The studio can't be reached. Trying again…");
}
