import { listenForDocumentKeys } from "./commands.js";
import { documents } from "./documents.js";
import { listenForDrops } from "./dropping.js";
import { showTabs } from "./tabBar.js";

/**
 * Starts what all pages have: the tabs, their keys, and what is dropped into the window.
 *
 * @param {any} app Has `toasts`.
 * @param {string?} [kind] The kind of document that the page shows.
 * @returns {Promise<boolean>} Whether there is one; if not, the page goes to another one.
 */
export async function startDocuments(app, kind = null) {
    await documents.load(kind);
    showTabs(app);
    listenForDocumentKeys(app);
    listenForDrops(app);
    return Boolean(documents.current) || !kind;
}
