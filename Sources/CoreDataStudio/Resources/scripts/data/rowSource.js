import { post } from "../net/api.js";

const blockSize = 100;
/** How many blocks are kept. */
const mostBlocks = 80;
/** How long values that others saved are marked, in milliseconds. */
const freshTime = 4000;
/** How many requests are under way at once. */
const mostRequests = 2;

/**
 * The rows of a query, read in blocks as they come into sight.
 *
 * `change` events tell that rows, or their number, have come; `failure` events tell why they have not. `counted` and
 * `uncounted` events tell it of their number.
 */
export class RowSource extends EventTarget {
    /** How many rows there are, as far as one knows. */
    total = 0;
    /** Whether that is all. */
    isTotalKnown = false;
    #blocks = new Map();
    #pending = new Set();
    /** @type {number[]} */
    #wanted = [];
    #hasEnded = false;
    /** Blocks that may have other rows by now. @type {Set<number>} */
    #stale = new Set();
    /** Blocks in which values are marked that are others than one saw. @type {Set<number>} */
    #marking = new Set();
    /** The rows as one saw them before the store changed, by their objects. @type {Map<string, any>} */
    #old = new Map();
    /** What was staged here since then, by object: no other program has saved it. @type {Map<string, Set<string>>} */
    #staged = new Map();
    #fading = 0;
    /** What objects are called that were new when their rows were asked for. @type {(id: string) => string} */
    #renamed = (id) => id;

    /** @param {any} query @param {string[]} columns @param {Object<string, string[]>} titles @param {number?} total */
    constructor(query, columns, titles, total = null) {
        super();
        [this.query, this.columns, this.titles] = [query, columns, titles];
        if (total !== null) [this.total, this.isTotalKnown] = [total, true];
    }

    /** A row, if it is here. @returns {{id: string, cells?: any[], isMissing?: boolean}|undefined} */
    row(index) {
        return this.#blocks.get(Math.floor(index / blockSize))?.[index % blockSize];
    }

    /** Reads what is missing of some rows, and gives up what was wanted before. */
    want(first, last) {
        const end = this.isTotalKnown ? Math.max(0, this.total - 1) : Math.max(last, 0);
        const blocks = [];
        for (let block = Math.floor(Math.max(0, first) / blockSize); block <= Math.floor(Math.min(last, end) / blockSize); block += 1) {
            if (!this.#blocks.has(block) || this.#stale.has(block)) blocks.push(block);
        }
        this.#wanted = blocks;
        this.#next();
    }

    /**
     * Reads everything anew, as it is wanted. Until then the old rows stay.
     *
     * @param {{marks?: boolean}} [options] Whether values that are others than before are marked.
     */
    refresh({ marks = false } = {}) {
        this.#stale = new Set(this.#blocks.keys());
        if (marks) this.#keepOld();
        this.#age += 1;
        this.isCounting = false;
        this.#isTotalStale = true;
    }

    /** Keeps the rows that one sees. Where the store changes once more before they are read, those of before count. */
    #keepOld() {
        for (const [block, rows] of this.#blocks) {
            if (this.#marking.has(block)) continue;
            this.#marking.add(block);
            for (const row of rows) this.#old.set(row.id, row);
        }
    }

    #age = 0;
    /** Of which age the last number of rows is. */
    #countedAge = 0;
    #isTotalStale = false;

    /** Reads no more. */
    end() {
        this.#hasEnded = true;
        this.#wanted = [];
    }

    #next() {
        while (this.#pending.size < mostRequests && !this.#hasEnded) {
            const block = this.#wanted.find((each) => !this.#pending.has(each));
            if (block === undefined) return;
            this.#wanted = this.#wanted.filter((each) => each !== block);
            this.#read(block);
        }
    }

    async #read(block) {
        this.#pending.add(block);
        const age = this.#age;
        try {
            const answer = await post("store/rows", {
                query: this.query, from: block * blockSize, count: blockSize, columns: this.columns, titles: this.titles
            });
            if (this.#hasEnded) return;
            const isStale = age !== this.#age;
            if (isStale) {
                this.#stale.add(block);
                for (const row of answer.rows) row.id = this.#renamed(row.id);
            } else this.#stale.delete(block);
            this.#keep(block, answer.rows, isStale);
            this.#take(answer.total, block * blockSize + answer.rows.length, isStale);
            this.dispatchEvent(new Event("change"));
        } catch (error) {
            if (!this.#hasEnded) this.dispatchEvent(new CustomEvent("failure", { detail: error }));
            this.#hasEnded = true;
        } finally {
            this.#pending.delete(block);
            this.#next();
        }
    }

    #keep(block, rows, isStale) {
        this.#keepMarks(block, rows);
        if (!isStale && this.#marking.delete(block)) this.#markFresh(rows);
        if (this.#marking.size === 0) {
            this.#old.clear();
            if (!isStale) this.#staged.clear();
        }
        this.#blocks.set(block, rows);
        if (this.#blocks.size > mostBlocks) this.#forget(this.#blocks.keys().next().value);
    }

    #forget(block) {
        this.#blocks.delete(block);
        this.#marking.delete(block);
    }

    /** Marks last their time, however often the rows are read anew. */
    #keepMarks(block, rows) {
        const marked = new Map(this.#blocks.get(block)?.filter((row) => row.freshUntil > performance.now()).map((row) => [row.id, row]));
        for (const row of rows) {
            const old = marked.get(row.id);
            if (old) [row.fresh, row.freshUntil] = [old.fresh.filter((name) => !row.changed?.includes(name)), old.freshUntil];
        }
    }

    /** Takes what is staged here, or was before it was saved. @param {{id: string, properties: {name: string}[]}[]} changes */
    noteStaged(changes) {
        for (const { id, properties } of changes) {
            this.#staged.set(id, new Set([...(this.#staged.get(id) ?? []), ...properties.map(({ name }) => name)]));
        }
    }

    /** Marks the values that are others than those of the same object before, but for those that were staged here. */
    #markFresh(rows) {
        let isAnyFresh = false;
        for (const row of rows) {
            const [old, staged] = [this.#old.get(row.id), this.#staged.get(row.id)];
            const isMadeHere = !old?.cells && (row.state === "inserted" || staged);
            if (isMadeHere) continue;
            const isStaged = (name) => [row.changed, old?.changed].some((names) => names?.includes(name)) || staged?.has(name);
            const fresh = this.columns.filter((name, index) => !isStaged(name) && !isSame(old?.cells?.[index], row.cells?.[index]));
            // A row that came into being is marked as a whole.
            if (!old?.cells) fresh.push(...this.columns, "");
            if (fresh.length === 0) continue;
            row.fresh = [...(row.fresh ?? []), ...fresh];
            row.freshUntil = performance.now() + freshTime;
            isAnyFresh = true;
        }
        if (!isAnyFresh) return;
        clearTimeout(this.#fading);
        this.#fading = setTimeout(() => this.dispatchEvent(new Event("faded")), freshTime);
    }

    /** Gives objects other identifiers. @param {(id: string) => string} renamed */
    renameRows(renamed) {
        this.#renamed = renamed;
        for (const row of [...this.#blocks.values()].flat()) row.id = renamed(row.id);
        this.#old = new Map([...this.#old].map(([id, row]) => [renamed(id), row]));
        this.#staged = new Map([...this.#staged].map(([id, names]) => [renamed(id), names]));
    }

    /** @param {number?} total @param {number} seen Which row was the last one that came. @param {boolean} isStale */
    #take(total, seen, isStale) {
        if (total !== null) {
            [this.total, this.isTotalKnown, this.#isTotalStale] = [total, true, isStale];
            this.dispatchEvent(new Event("counted"));
            return this.#trim();
        }
        if (!this.isTotalKnown) this.total = Math.max(this.total, seen);
        if (!this.isTotalKnown || this.#isTotalStale) this.#count();
    }

    /** Forgets rows behind the last one. */
    #trim() {
        for (const block of [...this.#blocks.keys()]) if (block * blockSize >= Math.max(1, this.total)) this.#forget(block);
    }

    async #count() {
        if (this.isCounting) return;
        this.isCounting = true;
        const age = this.#age;
        try {
            const { total } = await post("store/total", this.query);
            if (this.#hasEnded || age < this.#countedAge) return;
            this.#countedAge = age;
            this.#take(total, 0, age !== this.#age);
            this.dispatchEvent(new Event("change"));
        } catch (error) {
            if (this.#hasEnded || age !== this.#age) return;
            // The next rows that are read have them counted again.
            this.isCounting = false;
            this.dispatchEvent(new CustomEvent("uncounted", { detail: error }));
        }
    }
}

/** Whether two values that the server sent are the same. The members of an object come in any order. */
function isSame(a, b) {
    if (a === b || !a || !b || typeof a !== "object" || typeof b !== "object") return a === b;
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
