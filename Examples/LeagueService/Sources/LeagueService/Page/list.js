import { send } from "./api.js";

/** Objects of a resource, page by page, kept in order while others change them. */
export class List {
    /**
     * @param {string} name The resource.
     * @param {string[]} order The properties by which the service sorts the list.
     * @param {(list: List, fresh: Set<string>) => void} draw Called after each change, with the ids of what is new.
     */
    constructor(name, order, draw) {
        this.name = name;
        this.order = order;
        this.draw = draw;
        this.items = [];
        this.next = null;
        this.search = "";
        this.team = null;
        this.turn = 0;
        /** Changes that came while a page was read: the page may be older than they are. */
        this.unseen = null;
    }

    /** Reads the first page, or as many objects as are shown. */
    async reload() {
        const turn = ++this.turn;
        const query = new URLSearchParams({ limit: String(Math.min(100, Math.max(25, this.items.length))) });
        if (this.search) query.set("search", this.search);
        if (this.team) query.set("team", this.team);
        await this.read(`/${this.name}?${query}`, turn, () => []);
    }

    async more() {
        if (this.next) await this.read(this.next, this.turn, () => this.items);
    }

    /** Reads a page and puts it behind the objects of `before`. */
    async read(path, turn, before) {
        this.unseen ??= [];
        const page = await send("GET", path);
        // An answer that was overtaken by a later question is of no use.
        if (turn !== this.turn) return;
        const items = before();
        const known = new Set(items.map((item) => item.id));
        this.items = [...items, ...page.items.filter((item) => !known.has(item.id))];
        this.next = page.next;
        const unseen = this.unseen ?? [];
        this.unseen = null;
        for (const change of unseen) this.place(change);
        this.draw(this, new Set(unseen.map((change) => change.id)));
    }

    /** Takes over what the store says of an object. */
    apply(change) {
        this.unseen?.push(change);
        this.place(change);
        this.draw(this, new Set([change.id]));
    }

    place(change) {
        const old = this.items.findIndex((item) => item.id === change.id);
        if (old >= 0) this.items.splice(old, 1);
        if (change.kind !== "delete" && this.shows(change.object)) this.insert(change.object);
    }

    shows(item) {
        if (this.team && item.team?.id !== this.team) return false;
        const words = this.order.map((key) => item[key] ?? "");
        return !this.search || words.some((word) => word.toLowerCase().includes(this.search.toLowerCase()));
    }

    insert(item) {
        const index = this.items.findIndex((other) => this.isBefore(item, other));
        if (index >= 0) this.items.splice(index, 0, item);
        // Behind the last one that is shown, it may belong to a later page.
        else if (!this.next) this.items.push(item);
    }

    isBefore(item, other) {
        for (const key of [...this.order, "id"]) {
            if (item[key] !== other[key]) return item[key] < other[key];
        }
        return false;
    }
}
