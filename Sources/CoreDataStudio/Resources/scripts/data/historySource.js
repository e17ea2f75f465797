import { post } from "../net/api.js";

/** Which transactions are shown. @typedef {{author: string?, entity: string?, object: string?}} HistoryFilter */

/** The history of a store, read from its end on, a part at a time. */
export class HistorySource extends EventTarget {
    /** The newest first. @type {any[]} */
    transactions = [];
    /** @type {string?} */
    error = null;
    isReading = false;
    hasMore = true;
    /** The transactions that the user opened or closed, by number. @type {Map<number, boolean>} */
    opened = new Map();
    #filter;
    /** The number that the next part comes before. */
    #next = null;

    /** @param {HistoryFilter} filter */
    constructor(filter) {
        super();
        this.#filter = filter;
    }

    /** Reads the next part. */
    async more() {
        if (this.isReading || !this.hasMore) return;
        this.isReading = true;
        this.#changed();
        try {
            const { transactions, next } = await post("store/history", { ...this.#filter, before: this.#next });
            this.transactions = [...this.transactions, ...transactions];
            this.#next = next;
            this.hasMore = next !== null;
        } catch (error) {
            [this.error, this.hasMore] = [error.message, false];
        }
        this.isReading = false;
        this.#changed();
    }

    #changed() {
        this.dispatchEvent(new Event("change"));
    }
}
