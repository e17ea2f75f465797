import { arranged, keepColumns } from "./columns.js";

/** The columns of the entity that is shown, what sorts by them, and what objects are called by. */
export class ShownColumns extends EventTarget {
    /** @type {import("./columns.js").Column[]} */
    columns = [];
    /** The attributes that make titles, by entity; only those that a person chose. @type {Object<string, string[]>} */
    titles = {};

    get shownColumns() {
        return this.columns.filter((column) => !column.isHidden).map((column) => ({ ...column, sortKey: this.#sortKey(column) }));
    }

    /** Objects sort by key, to-ones by the title of what they lead to, and to-manys by their number. */
    #sortKey(column) {
        if (column.kind === "identifier") return "objectID";
        if (column.kind !== "toOne") return column.name;
        const [title] = this.titleKeys(column.destination);
        return title ? `${column.name}.${title}` : column.name;
    }

    titleKeys(name) {
        return this.chosenTitle(name) ?? this.entity(name)?.title ?? [];
    }

    /** The attributes that a person chose for the titles of an entity; null where they are guessed. @returns {string[]?} */
    chosenTitle(name) {
        return this.titles[name]?.length ? this.titles[name] : null;
    }

    /** Has objects of an entity called by some attributes. @param {string} name @param {string[]?} keys null for those that are guessed. */
    setTitle(name, keys) {
        const change = ({ [name]: _, ...others }) => (keys ? { ...others, [name]: keys } : others);
        this.titles = change(this.titles);
        this.memory.update("titles", {}, change);
        this.reload();
    }

    /** Changes one column. */
    setColumn(name, changes) {
        this.columns = arranged(this.columns.map((column) => (column.name === name ? { ...column, ...changes } : column)));
        this.#keepColumns("isHidden" in changes);
    }

    /** Moves a column to where another one is, which is shown. */
    moveColumn(name, to) {
        const target = this.shownColumns[to];
        const moved = this.columns.find((column) => column.name === name);
        if (!target || !moved || target.name === name) return;
        const isForward = this.columns.indexOf(moved) < this.columns.findIndex((column) => column.name === target.name);
        const rest = this.columns.filter((column) => column !== moved);
        const place = rest.findIndex((column) => column.name === target.name) + (isForward ? 1 : 0);
        this.columns = arranged([...rest.slice(0, place), { ...moved, isFrozen: target.isFrozen }, ...rest.slice(place)]);
        this.#keepColumns(false);
    }

    #keepColumns(needsRows) {
        keepColumns(this.entity(this.place.entity), this.columns, this.memory);
        if (needsRows) return this.reload();
        this.dispatchEvent(new Event("columns"));
        this.changed();
    }

    /** Sorts by a column: up, then down, then no more. With `isAdded` the other columns go on sorting. */
    sortBy(column, isAdded) {
        if (column.kind === "toMany") return;
        const key = column.sortKey;
        const old = this.place.sort.find((each) => each.key === key);
        const next = !old ? [{ key, ascending: true }] : old.ascending ? [{ key, ascending: false }] : [];
        const others = this.place.sort.filter((each) => each.key !== key);
        if (!isAdded) return this.ask({ sort: next });
        const place = this.place.sort.indexOf(old);
        const sort = old && next.length ? this.place.sort.map((each, index) => (index === place ? next[0] : each)) : [...others, ...next];
        this.ask({ sort });
    }
}
