/** What the browser remembers of one store: columns, titles, filters. Nothing of it is needed. */
export class Memory {
    #name;
    #values;

    /** @param {string} store What identifies the store. */
    constructor(store) {
        this.#name = `data ${store}`;
        this.#values = read(this.#name);
    }

    /** @param {string} key @param {any} [otherwise] */
    get(key, otherwise = null) {
        return this.#values[key] ?? otherwise;
    }

    /** @param {string} key @param {any} value */
    set(key, value) {
        this.#values[key] = value;
        try {
            localStorage.setItem(this.#name, JSON.stringify(this.#values));
        } catch { /* a browser that keeps nothing starts afresh each time */ }
    }
}

function read(name) {
    try {
        return JSON.parse(localStorage.getItem(name) ?? "{}");
    } catch {
        return {};
    }
}
