/** Keys that move or widen the selection wherever the focus is, and the focus with it. */

/** The element on the page that stands for a record: a row, a box or an item. @param {string|undefined} id @returns {(HTMLElement|SVGElement)?} */
export function elementOf(id) {
    if (!id) return null;
    const name = CSS.escape(id);
    const places = [`.editor tr[data-row="${name}"]`, `.editor [data-box="${name}"]`, `.sidebar [data-item="${name}"]`];
    return places.map((place) => document.querySelector(place)).find((element) => element?.checkVisibility()) ?? null;
}

/**
 * An arrow key where nothing else has a use for it: hands it to what is selected.
 *
 * @param {any} app @param {KeyboardEvent} event
 */
export function stepSelection({ workspace }, event) {
    const keys = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];
    if (!keys.includes(event.key) || event.ctrlKey || event.metaKey || ownsArrows(event.target)) return;
    const selected = elementOf(workspace.selection.at(-1) ?? workspace.edited?.id);
    if (!selected || selected === event.target || selected.contains(/** @type {Node} */ (event.target))) return;
    event.preventDefault();
    selected.focus();
    const { key, shiftKey, altKey } = event;
    selected.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, altKey, bubbles: true, cancelable: true }));
}

/** Whether arrow keys mean something to an element itself: it scrolls, or is a tab, a separator, a list. */
function ownsArrows(target) {
    const owner = target.closest?.("[tabindex='0'], [role=tab], [role=listbox], [data-row], [data-box], [data-item], dialog");
    return Boolean(owner) && !owner.matches("svg");
}

/** Selects all that stands beside what is selected. @param {any} app */
export function selectAllAround({ workspace, store }) {
    const record = workspace.selected ?? workspace.edited;
    const isProperty = ["attribute", "relationship", "fetchedProperty"].includes(record?.kind);
    const rows = [...document.querySelectorAll(".editor tr[data-row]")].map((row) => row.dataset.row);
    const isInEditor = Boolean(document.activeElement?.closest(".editor"));
    if (rows.length > 0 && (isProperty || isInEditor)) return workspace.selectAll(rows);
    const lists = { fetchRequest: "fetchRequests", configuration: "configurations", composite: "composites" };
    workspace.selectAll([...(store.model[lists[record?.kind] ?? "entities"] ?? [])]);
}
