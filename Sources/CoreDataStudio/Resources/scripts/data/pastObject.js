import { post } from "../net/api.js";

/** An object as of a transaction. @typedef {{object: string, transaction: number?}} Moment */

/** What history says of an object as it was when a transaction had been saved. `change` events tell that it is here. */
export class PastObject extends EventTarget {
    /** What the server says; null until it is here. @type {any} */
    answer = null;
    /** @type {string?} */
    error = null;
    #moment;
    #titles;

    /** @param {Moment} moment @param {Object<string, string[]>} titles @param {PastObject?} before What is shown until this is here. */
    constructor(moment, titles, before) {
        super();
        [this.#moment, this.#titles] = [moment, titles];
        if (before?.answer?.id === moment.object) this.answer = before.answer;
    }

    /** Reads it, anew if it is here: later transactions may have changed what is known. */
    async read() {
        try {
            // Later transactions leave the one that is shown.
            this.answer = await post("store/as-of", { object: this.#moment.object, transaction: this.number, titles: this.#titles });
            this.error = null;
        } catch (error) {
            this.error = error.message;
        }
        this.dispatchEvent(new Event("change"));
    }

    /** The number of the transaction that is shown. @returns {number?} */
    get number() {
        return this.#moment.transaction ?? this.answer?.transaction?.number ?? null;
    }

    /** The transaction that changed the object next to the one that is shown. @param {"earlier"|"later"} side @returns {number?} */
    next(side) {
        const numbers = (this.answer?.choices ?? []).map((choice) => choice.number);
        const found = side === "earlier" ? numbers.find((each) => each < this.number) : numbers.findLast((each) => each > this.number);
        return found ?? null;
    }
}
