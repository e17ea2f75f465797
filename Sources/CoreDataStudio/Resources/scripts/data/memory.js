import { get, post } from "../net/api.js";

/** How long changes are collected before they are sent. */
const pause = 200;

/** What the studio remembers of one store: columns, titles, filters. Nothing of it is needed. */
export class Memory {
    #values;
    #timer = 0;

    /** @param {Object<string, any>} values */
    constructor(values) {
        this.#values = values;
        addEventListener("pagehide", () => this.#send(true));
    }

    /** What was remembered. A studio that can't tell starts afresh. */
    static async read() {
        const { values } = await get("store/memory").catch(() => ({ values: {} }));
        return new Memory(values);
    }

    /** @param {string} key @param {any} [otherwise] */
    get(key, otherwise = null) {
        return this.#values[key] ?? otherwise;
    }

    /** @param {string} key @param {any} value */
    set(key, value) {
        this.#values[key] = value;
        this.#timer ||= setTimeout(() => this.#send(), pause);
    }

    #send(isLast = false) {
        if (!this.#timer) return;
        clearTimeout(this.#timer);
        this.#timer = 0;
        post("store/remember", { values: this.#values }, { keepalive: isLast }).catch(() => { /* the next start is afresh then */ });
    }
}
