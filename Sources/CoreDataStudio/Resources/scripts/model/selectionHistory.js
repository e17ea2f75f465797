import { client } from "../net/api.js";

/**
 * What was selected around each step of undo. Undo and redo select it again where the step brings it back, or where
 * they take away what is selected now; otherwise the selection stays as it is.
 */
export class SelectionHistory {
    /** @type {Map<number, {before: string[], after: string[]?}>} */
    #steps = new Map();
    /** The steps that would be undone and redone, when it was looked last. */
    #undo = null;
    #redo = null;

    /** @param {import("./store.js").Store} store */
    constructor(store) {
        this.store = store;
    }

    /** Forgets what is not in the history any more. */
    restart() {
        [this.#undo, this.#redo] = [this.store.undoStep, this.store.redoStep];
    }

    /**
     * What is to be selected after an update.
     *
     * @param {any} update @param {string[]} selection What is selected now, removed elements included.
     * @returns {string[]}
     */
    follow(update, selection) {
        const { undoStep, redoStep } = this.store;
        const [undone, redone] = [this.#undo, this.#redo];
        [this.#undo, this.#redo] = [undoStep, redoStep];
        if (update.client !== client) return selection;
        if (undone !== null && redoStep === undone) {
            const step = this.#steps.get(undone);
            if (!step) return selection;
            step.after = selection;
            return this.#selection(update, selection, step.before);
        }
        if (redone !== null && undoStep === redone) {
            return this.#selection(update, selection, this.#steps.get(redone)?.after ?? selection);
        }
        if (undoStep !== null && undoStep !== undone) this.#steps.set(undoStep, { before: selection, after: null });
        return selection;
    }

    #selection(update, selection, wanted) {
        const created = new Set(update.created ?? []);
        const isBack = (id) => {
            for (let each = id; each; each = this.store.record(each)?.owner) if (created.has(each)) return true;
            return false;
        };
        const isThere = (id) => Boolean(this.store.record(id));
        if (selection.every(isThere) && !wanted.some((id) => isThere(id) && isBack(id))) return selection;
        const found = wanted.filter(isThere);
        return found.length > 0 ? found : selection;
    }
}
