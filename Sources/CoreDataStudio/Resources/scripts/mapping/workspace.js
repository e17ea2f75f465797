/** What this window shows of the mapping model. */
export class Workspace extends EventTarget {
    #selected = null;
    showsSidebar = innerWidth > 700;
    showsInspector = innerWidth > 900;
    /** @type {"problems"|"job"|"source"|null} */
    panel = null;
    panelHeight = 240;
    /** A field that is to have the focus. @type {{element: string, field: string}?} */
    wantedFocus = null;

    constructor(store) {
        super();
        this.store = store;
    }

    /** The element that is selected; the mapping model where it is gone. */
    get selected() { return this.store.record(this.#selected) ?? this.store.root; }

    /** The entity mapping that is shown. */
    get entityMapping() {
        const record = this.selected;
        if (record?.kind === "entityMapping") return record;
        return this.store.record(record?.owner)?.kind === "entityMapping" ? this.store.record(record.owner) : null;
    }

    /** @param {string?} id @param {{focus?: string}} [options] */
    select(id, { focus } = {}) {
        this.#selected = id;
        if (focus && id) this.wantedFocus = { element: id, field: focus };
        this.changed();
    }

    /** Shows an element and the field that something is said about. */
    reveal(id, field) {
        if (this.store.record(id)) {
            this.set({ showsInspector: innerWidth > 900 || !["expression"].includes(field) ? true : this.showsInspector });
            this.select(id, field ? { focus: field } : {});
        }
    }

    set(values) {
        Object.assign(this, values);
        this.changed();
    }

    changed() { this.dispatchEvent(new Event("change")); }
}
