import { container, inspected } from "./queries.js";
import { SelectionHistory } from "./selectionHistory.js";

/**
 * What this window shows: selection, editor style, panels. Nothing of it is in the document.
 */
export class Workspace extends EventTarget {
    /** @type {string[]} Identifiers, the last one the main one. */
    selection = [];
    /** @type {"table"|"graph"} */
    style = "table";
    /** @type {"problems"|"code"|"source"|null} */
    panel = null;
    panelHeight = 240;
    showsSidebar = true;
    showsInspector = true;
    search = "";
    /** What was copied. @type {string[]} */
    clipboard = [];
    /** @type {any} What is compared, where versions are. */
    comparison = null;
    /** @type {{element: string, field: string}?} The field to go to as soon as it is on the page. */
    wantedFocus = null;
    /** Whether the selected element gets the focus, should nothing have it. */
    wantsFocusOnSelection = false;
    /** Where a range begins that is selected with Shift. @type {string?} */
    #anchor = null;
    #history;

    /** @param {import("./store.js").Store} store */
    constructor(store) {
        super();
        this.store = store;
        this.#history = new SelectionHistory(store);
        this.#restore();
        store.addEventListener("update", (event) => this.#follow(event.detail));
        store.addEventListener("reload", () => { this.#history.restart(); this.#dropRemoved(); });
    }

    /** The main element of the selection. @returns {any} */
    get selected() {
        return this.store.record(this.selection.at(-1));
    }

    /** What the editor shows: the selection's entity, fetch request and so on. @returns {any} */
    get edited() {
        return container(
            this.store, this.selection.at(-1)
        ) ?? this.store.record(this.store.model.entities[0]) ?? this.store.model;
    }

    /** What the inspector shows. @returns {any} */
    get inspected() {
        return inspected(this.store, this.selection.at(-1)) ?? this.edited;
    }

    /** @param {string|null|undefined} id @param {{extends?: boolean, focus?: string?}} [options] */
    select(id, { extends: extended = false, focus = null } = {}) {
        if (!id) this.selection = [];
        else if (!extended) this.selection = [id];
        else if (this.selection.includes(id)) this.selection = this.selection.filter((other) => other !== id);
        else this.selection = [...this.selection, id];
        this.#anchor = id ?? null;
        if (id && focus) this.wantedFocus = { element: id, field: focus };
        this.changed();
    }

    /**
     * Selects from where the last selection began to an element, as a click with Shift does.
     *
     * @param {string} id @param {string[]} list What stands between, in its order.
     */
    selectTo(id, list) {
        const from = list.indexOf(this.#anchor ?? "");
        const to = list.indexOf(id);
        if (from < 0 || to < 0) return this.select(id);
        const range = list.slice(Math.min(from, to), Math.max(from, to) + 1);
        this.selection = [...range.filter((other) => other !== id), id];
        this.changed();
    }

    /** Selects several; the last one stays the main one, if it is among them. @param {string[]} ids */
    selectAll(ids) {
        const main = this.selection.at(-1);
        this.selection = ids.includes(main) ? [...ids.filter((id) => id !== main), main] : [...ids];
        this.#anchor = ids[0] ?? null;
        this.changed();
    }

    /** Selects what a click on it means: with Shift up to it, with Control it too. @param {MouseEvent|KeyboardEvent} event @param {string} id @param {string[]} list */
    selectBy(event, id, list) {
        if (event.shiftKey) this.selectTo(id, list);
        else this.select(id, { extends: event.metaKey || event.ctrlKey });
        this.dispatchEvent(new CustomEvent("reveal", { detail: id }));
    }

    /** Shows something in the place where it can be edited, with the field that is meant. */
    reveal(id, field = null) {
        this.comparison = null;
        if (innerWidth > 900) this.showsInspector = true;
        this.select(id, { focus: field });
        this.dispatchEvent(new CustomEvent("reveal", { detail: id }));
    }

    /** @param {Partial<Workspace>} values */
    set(values) {
        Object.assign(this, values);
        this.#keep();
        this.changed();
    }

    changed() {
        this.dispatchEvent(new Event("change"));
    }

    #follow(update) {
        const selection = this.#history.follow(update, this.selection);
        if (selection !== this.selection) {
            this.selection = selection;
            this.#anchor = selection.at(-1) ?? null;
            this.wantsFocusOnSelection = true;
        }
        this.#dropRemoved();
    }

    #dropRemoved() {
        const kept = this.selection.filter((id) => this.store.record(id));
        if (kept.length === this.selection.length) return;
        this.selection = kept;
        this.changed();
    }

    #keep() {
        const { style, panel, panelHeight, showsSidebar, showsInspector } = this;
        try {
            localStorage.setItem(
                "workspace", JSON.stringify({ style, panel, panelHeight, showsSidebar, showsInspector })
            );
        } catch { /* a browser that keeps nothing starts afresh each time */ }
    }

    #restore() {
        try {
            const kept = JSON.parse(localStorage.getItem("workspace") ?? "{}");
            for (const name of ["style", "panel", "panelHeight", "showsSidebar", "showsInspector"]) {
                if (name in kept) this[name] = kept[name];
            }
        } catch { /* as above */ }
        if (innerWidth < 900) this.showsInspector = false;
        if (innerWidth < 700) this.showsSidebar = false;
    }
}
