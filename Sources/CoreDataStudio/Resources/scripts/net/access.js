/**
 * The secret that proves a request to be this page's. A browser sends the cookie to every port of the host, and so to other
 * servers; this secret stays with the page's origin, of which the port is a part.
 */
const secret = given() ?? kept() ?? "";

/** The headers that every request to the studio carries: the proof that it is ours, and the document that it is about. */
export const access = { "Studio-Page": secret };

/** The document that the page's address names; null for the first one of its kind. */
export const addressed = new URLSearchParams(location.search).get("document");
if (addressed) access["Studio-Document"] = addressed;

/** What the address brings, which is taken out of it and of the history. */
function given() {
    const found = new URLSearchParams(location.hash.slice(1)).get("page");
    if (!found) return null;
    history.replaceState(null, "", location.pathname + location.search);
    // What was kept of another studio's documents is about other documents.
    try { if (kept() !== found) sessionStorage.clear(); sessionStorage.setItem("page", found); } catch { /* such a browser asks for the address after a reload */ }
    return found;
}

/** What this tab was given before it was reloaded. */
function kept() {
    try { return sessionStorage.getItem("page"); } catch { return null; }
}
