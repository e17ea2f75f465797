import { get, post } from "../net/api.js";
import { iconButton } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { modelText, plainText } from "../ui/text.js";
import { h } from "../ui/view.js";

const pictures = { model: "table", mapping: "compare", store: "data" };

/** @typedef {{kind: string, location: string, name: string, opened: string, isMissing: boolean}} Recent */

/** What was opened last, the newest first. @returns {Promise<Recent[]>} */
export async function readRecent() {
    return (await get("documents/recent").catch(() => ({ recent: [] }))).recent;
}

/**
 * The documents that were opened last, as a list of buttons.
 *
 * @param {Recent[]} recent
 * @param {{open: (path: string) => void, changed: () => void}} actions
 */
export function recentList(recent, { open, changed }) {
    if (recent.length === 0) return h("p.empty", { key: "none" }, "Nothing was opened yet.");
    return h("ul.recent-list", { key: "list", onkeydown: walk }, recent.map((each) => h("li", { key: each.location, class: each.isMissing ? "missing" : "" },
        h("button.recent", {
            type: "button", title: plainText(each.location), "data-location": each.location, disabled: each.isMissing, onclick: () => open(each.location),
        }, icon(pictures[each.kind] ?? "file"), h("span.recent-words", null, h("span.recent-name", null, modelText(each.name)),
            h("span.quiet.recent-place", null, each.isMissing ? "Not there any more — " : "", modelText(folderOf(each.location))))),
        iconButton({
            title: `Forget ${each.name}`, icon: icon("close"), action: async () => { await post("documents/forget", { location: each.location }); changed(); },
        }))));
}

function folderOf(location) {
    return location.includes("://") ? location : location.slice(0, location.lastIndexOf("/")) || "/";
}

function walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const all = [...event.currentTarget.querySelectorAll(".recent:not(:disabled)")];
    const index = all.indexOf(event.target.closest(".recent"));
    if (index < 0) return;
    all[(index + step + all.length) % all.length]?.focus();
    event.preventDefault();
}
