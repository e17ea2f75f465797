import { post } from "../net/api.js";

/** How long transactions that were recorded since are marked, in milliseconds. */
const freshTime = 4000;

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
    /** Why the newest transactions can't be read. @type {string?} */
    newerError = null;
    #isFollowing = false;
    /** Whether transactions were recorded since the newest ones were asked for. */
    #isBehind = false;

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
        if (this.#isBehind && !this.#isFollowing) this.newer();
    }

    /** Reads the transactions that were recorded since, and marks them. The others stay. */
    async newer() {
        this.#isBehind = true;
        if (this.#isFollowing || (this.isReading && this.transactions.length === 0)) return;
        this.#isFollowing = true;
        try {
            while (this.#isBehind) {
                this.#isBehind = false;
                await this.#readNewer();
            }
            this.newerError = null;
        } catch (error) {
            this.newerError = error.message;
        }
        this.#isFollowing = false;
        this.#changed();
    }

    async #readNewer() {
        const known = this.transactions[0]?.number;
        // Where nothing is known, the first part is what is new.
        if (known === undefined) {
            [this.#next, this.hasMore, this.error] = [null, true, null];
            return this.more();
        }
        const found = [];
        for (let before = null; ;) {
            const { transactions, next } = await post("store/history", { ...this.#filter, before });
            found.push(...transactions.filter(({ number }) => number > known));
            if (next === null || next <= known) break;
            before = next;
        }
        const fresh = found.map((each) => ({ ...each, isFresh: true }));
        this.transactions = [...fresh, ...this.transactions];
        setTimeout(() => {
            for (const each of fresh) each.isFresh = false;
            this.#changed();
        }, freshTime);
    }

    #changed() {
        this.dispatchEvent(new Event("change"));
    }
}
