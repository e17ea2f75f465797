import { access, addressed } from "../net/access.js";
import { closing, get, post } from "../net/api.js";

/**
 * A document of the studio: what its tab shows.
 *
 * @typedef {{id: string, kind: string, page: string, name: string, location: string, isCopy: boolean, isUnsaved: boolean, isEdited: boolean}} Document_
 */

/** The documents of the studio, the same in all windows. `change` events tell that they are others. */
export class Documents extends EventTarget {
    /** @type {Document_[]} */
    all = [];
    /** Whether stores may be opened to be changed. */
    editsStores = false;
    /** The document of this page; null on the page where nothing is open. @type {string?} */
    current = null;
    /** Whether the page goes to another document: what is unsaved stays with the studio. */
    isLeaving = false;
    /** What the page itself knows to be unsaved, before the studio tells. @type {boolean?} */
    ownUnsaved = null;

    /** Reads the documents, and finds that of this page. @param {string?} [kind] The kind that the page shows. */
    async load(kind = null) {
        this.#take(await get("documents"));
        const found = kind && (this.all.find(({ id }) => id === addressed) ?? (addressed ? null : this.all.find((document) => document.kind === kind)));
        if (found) this.#settle(found);
        else if (kind && (addressed || this.all.length)) this.leaveClosed();
        return this;
    }

    /** From now on the page is about this document, whatever becomes of the others. */
    #settle({ id }) {
        this.current = id;
        access["Studio-Document"] = id;
        history.replaceState(history.state, "", `${location.pathname}?document=${id}`);
    }

    #take({ documents, editsStores }) {
        [this.all, this.editsStores] = [documents, editsStores];
        this.dispatchEvent(new Event("change"));
    }

    /** Takes what the studio tells. */
    take(list) {
        this.#take(list);
        if (this.current && !this.own) this.leaveClosed();
    }

    /** Reads the documents anew; a studio that has ended is told of by what one does next. */
    async refresh() {
        const list = await get("documents").catch(() => null);
        if (list) this.take(list);
    }

    /** The document of this page. @returns {Document_|undefined} */
    get own() {
        return this.all.find(({ id }) => id === this.current);
    }

    /** Whether a document has changes that are not saved. @param {Document_} document */
    isUnsaved(document) {
        return document.id === this.current && this.ownUnsaved !== null ? this.ownUnsaved : document.isUnsaved;
    }

    /** Tells what the page knows of its own document. @param {boolean} isUnsaved */
    know(isUnsaved) {
        if (this.ownUnsaved === isUnsaved) return;
        this.ownUnsaved = isUnsaved;
        this.dispatchEvent(new Event("change"));
    }

    // MARK: What is done with them

    /** Shows a document. @param {string} id */
    show(id) {
        const document = this.all.find((each) => each.id === id);
        if (document && id !== this.current) this.#go(`${document.page}?document=${id}`);
    }

    #go(address, replaces = false) {
        if (this.isLeaving) return;
        this.isLeaving = true;
        if (replaces) location.replace(address);
        else location.assign(address);
    }

    /** Goes to another document, for that of this page is closed. @param {number} [place] Where its tab was. */
    leaveClosed(place = 0) {
        const next = this.all[Math.min(place, this.all.length - 1)];
        this.#go(next ? `${next.page}?document=${next.id}` : "/start", true);
    }

    /**
     * Opens what a request names, and shows it.
     *
     * @param {{path?: string, drop?: string, edit?: boolean}} request
     * @param {(failures: string[]) => Promise<any>} [tell] Tells of those that can't be opened, before the others are shown.
     */
    async open(request, tell) {
        const { opened, failures = [] } = await post("documents/open", request);
        this.#take(await get("documents"));
        if (failures.length) await tell?.(failures);
        this.show(opened.at(-1));
        return opened;
    }

    /**
     * Makes a model, of a draft if a source is named.
     *
     * @param {{path: string, source?: string}} request
     * @returns {Promise<{opened: string[], notes: string[]}>} Its document, which is not shown yet, and what was decided.
     */
    async makeModel(request) {
        const made = await post("documents/new", request);
        this.#take(await get("documents"));
        return made;
    }

    /** Closes a document. @param {string} id @param {boolean} [discard] Whether unsaved changes are given up. */
    async close(id, discard = false) {
        const place = this.all.findIndex((document) => document.id === id);
        // The page goes before the studio tells it that its document is closed.
        const isOwn = id === this.current;
        if (isOwn) this.current = null;
        const close = () => post("documents/close", { document: id, discard });
        try {
            if (isOwn) this.dispatchEvent(new Event("closing"));
            this.#take(await (isOwn ? closing(close) : close()));
        } catch (error) {
            if (isOwn) this.current = id;
            throw error;
        }
        if (isOwn) this.leaveClosed(place);
    }

    /** Moves a tab. @param {string} id @param {number} to */
    async move(id, to) {
        const ids = this.all.map((document) => document.id).filter((each) => each !== id);
        ids.splice(Math.min(Math.max(0, to), ids.length), 0, id);
        this.#take(await post("documents/order", { documents: ids }));
    }

    /** Saves a copy at a place, and goes on with it there. @param {string} path */
    async saveAs(path) {
        const { opened } = await post("documents/save-as", { document: this.current, path });
        this.#take(await get("documents"));
        this.current = null;
        this.isLeaving = false;
        this.show(opened[0]);
    }
}

/** Those of this page. */
export const documents = new Documents();
