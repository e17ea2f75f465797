import { get, post } from "../net/api.js";
import { keptView } from "../documents/viewMemory.js";
import { columnsOf } from "./columns.js";
import { startEditing } from "./editing/live.js";
import { startFollowing } from "./following.js";
import { HistorySource } from "./historySource.js";
import { Memory } from "./memory.js";
import { Neighbourhood } from "./neighbourhood.js";
import { ObjectTree } from "./objectTree.js";
import { PastObject } from "./pastObject.js";
import { RowSource } from "./rowSource.js";
import { ShownColumns } from "./shownColumns.js";
import { renamedTrail } from "./trail.js";

/**
 * What this window shows of the store.
 *
 * A place is an entity with what was asked of it, the history with its filter, or an object as of a transaction; the trail has
 * the places that led here.
 * @typedef {{entity: null, title: string, filter: import("./historySource.js").HistoryFilter}} HistoryPlace
 * @typedef {{entity: null, title: string, asOf: import("./pastObject.js").Moment}} PastPlace
 * @typedef {{entity: string, title: string, includesSubentities: boolean, predicate: string, sort: {key: string, ascending: boolean}[],
 *   member: {object: string, relationship: string}|null, object: string|null}} Place
 */
export class DataBrowser extends ShownColumns {
    /** @type {any} */
    schema = { name: "", path: "", notes: [], entities: [], hasModel: false, hasMapping: false, hasHistory: false };
    /** @type {Object<string, {own: number, all: number}>} */
    counts = {};
    /** @type {Place[]} */
    trail = [];
    /** @type {RowSource?} */
    source = null;
    /** The changes that are not saved; null where the store is open for reading alone. @type {import("./editing/edits.js").Edits?} */
    edits = null;
    /** What the timeline shows. @type {HistorySource?} */
    history = null;
    /** The object as of a transaction. @type {PastObject?} */
    past = null;
    /** Whether a window that only reads can reach the server. */
    isConnected = true;
    /** Why what is shown is older than the store; null where it is not. @type {string?} */
    problem = null;
    /** All authors that were seen in the history. @type {string[]} */
    authors = [];
    /** The object in the inspector. @type {any} */
    object = null;
    /** @type {"sql"|"tree"|"neighbourhood"|"value"|"changes"|null} */
    panel = null;
    /** The identifiers that new objects have got since they are saved. @type {Map<string, string>} */
    identifiers = new Map();
    /** The value in the panel. @type {{object: string, property: any, value: any}?} */
    viewed = null;
    /** The object in the panel, with what it relates to. @type {ObjectTree?} */
    tree = null;
    /** The object in the panel, with the objects around it. @type {Neighbourhood?} */
    neighbourhood = null;
    /** @type {any} */
    explanation = null;
    showsSidebar = innerWidth >= 700;
    showsInspector = innerWidth >= 1000;
    search = "";
    error = null;
    /** Why the rows are not counted. @type {string?} */
    countError = null;
    /** Which row is the active one. */
    index = 0;

    async load() {
        const [schema, { model, mapping }, memory] = await Promise.all([get("store/schema"), get("opened"), Memory.read()]);
        this.schema = { ...schema, hasModel: model, hasMapping: mapping };
        this.memory = memory;
        this.titles = this.memory.get("titles", {});
        if (schema.isEdited) await startEditing(this);
        else startFollowing(this);
        // The rows that are seen first do not wait for the numbers of all.
        this.count();
        // An older place may have objects that were new at that time.
        addEventListener("popstate", ({ state }) => { if (state?.trail) this.#go(renamedTrail(state.trail, this.renamed), true); });
        const kept = history.state?.trail ?? keptView()?.trail;
        const first = this.entities.find((entity) => !entity.isAbstract) ?? this.entities[0];
        if (kept?.length && kept.every((place) => place.entity === null || this.entity(place.entity))) this.#go(kept, true);
        else if (first) this.openEntity(first.name, { replaces: true });
        else this.changed();
    }

    /** Asks how many objects each entity has. */
    count() {
        const isNews = this.#asking("counts");
        return get("store/counts").then(({ counts, problem }) => {
            if (!isNews()) return;
            [this.counts, this.problem] = [counts, problem ?? null];
            this.changed();
        }, () => { /* there are no numbers then */ });
    }

    /** How often something was asked for, and which answer was the last one that came. @type {Map<string, {asked: number, answered: number}>} */
    #questions = new Map();

    /**
     * Begins to ask for something. Answers overtake each other: one that comes after the answer to a later question is old.
     *
     * @param {string} what @returns {() => boolean} Takes the answer: whether it is news.
     */
    #asking(what) {
        const question = this.#questions.get(what) ?? { asked: 0, answered: 0 };
        this.#questions.set(what, question);
        const turn = ++question.asked;
        return () => {
            const isNews = turn > question.answered;
            if (isNews) question.answered = turn;
            return isNews;
        };
    }

    /** @returns {any[]} */
    get entities() {
        return this.schema.entities;
    }

    entity(name) {
        return this.entities.find((entity) => entity.name === name);
    }

    get place() {
        return this.trail.at(-1);
    }

    subentities(name) {
        return this.entities.filter((entity) => entity.parent === name);
    }

    /** The names of an entity and of all below it. @returns {string[]} */
    entitiesBelow(name) {
        return [name, ...this.subentities(name).flatMap((entity) => this.entitiesBelow(entity.name))];
    }

    // MARK: Where one goes

    openEntity(name, { replaces = false } = {}) {
        this.#go([this.#newPlace(name, name)], replaces);
    }

    /** Shows the members of an object's relationship. */
    openMembers(object, property, title) {
        this.#go([...this.trail, { ...this.#newPlace(property.destination, title), member: { object, relationship: property.name } }]);
    }

    /** Shows one object. */
    openObject(object, title) {
        this.#go([...this.trail, { ...this.#newPlace(object.split("/")[0], title), object }]);
    }

    /** Shows the history, of one object if there is an identifier. @param {string?} [object] */
    openHistory(object = null) {
        const place = { entity: null, title: object ? `History of ${object}` : "History", filter: { author: null, entity: null, object } };
        this.#go(object ? [...this.trail, place] : [place]);
    }

    /** Shows an object as of a transaction; without one as of its newest change. @param {string} object @param {number?} [transaction] */
    openPast(object, transaction = null) {
        this.#go([...this.trail, this.#pastPlace({ object, transaction })]);
    }

    /** Shows the object of this place as of another transaction. @param {number?} transaction */
    chooseMoment(transaction) {
        if (transaction === null) return;
        this.#go([...this.trail.slice(0, -1), this.#pastPlace({ ...this.place.asOf, transaction })], true);
    }

    #pastPlace(asOf) {
        return { entity: null, title: `${asOf.object} in the past`, asOf };
    }

    /** Shows another part of the history. @param {Partial<import("./historySource.js").HistoryFilter>} changes */
    filterHistory(changes) {
        const filter = { ...this.place.filter, ...changes };
        this.#go([...this.trail.slice(0, -1), { ...this.place, title: filter.object ? this.place.title : "History", filter }], true);
    }

    /** Goes back to a place of the trail. */
    back(index) {
        this.#go(this.trail.slice(0, index + 1));
    }

    /** What an object is called since it is saved. @type {(id: string) => string} */
    renamed = (id) => this.identifiers.get(id) ?? id;

    /** Gives the objects of the trail their identifiers of saved ones. */
    renamePlaces() {
        const trail = renamedTrail(this.trail, this.renamed);
        if (JSON.stringify(trail) !== JSON.stringify(this.trail)) this.#go(trail, true);
    }

    /** Asks something else of the same entity. @param {Partial<Place>} changes */
    ask(changes) {
        this.#go([...this.trail.slice(0, -1), { ...this.place, ...changes }], true);
    }

    #newPlace(entity, title) {
        return { entity, title, includesSubentities: true, predicate: "", sort: [], member: null, object: null };
    }

    #go(trail, replaces = false) {
        history[replaces ? "replaceState" : "pushState"]({ trail }, "");
        this.#show(trail);
    }

    #show(trail) {
        const isSameEntity = this.place?.entity === trail.at(-1).entity;
        const { past } = this;
        this.trail = trail;
        // An object that is on its way to the inspector is none of this place.
        this.#inspected = null;
        [this.object, this.error, this.explanation, this.index, this.source, this.history, this.past] = [null, null, null, 0, null, null, null];
        if (this.place.filter) return this.#showHistory(this.place.filter);
        if (this.place.asOf) return this.#showPast(this.place.asOf, past);
        const entity = this.entity(this.place.entity);
        if (!isSameEntity || this.columns.length === 0) this.columns = entity ? columnsOf(entity, Math.max(...this.entitiesBelow(entity.name).map((each) => each.length)), this.memory) : [];
        this.reload();
    }

    #showHistory(filter) {
        const source = new HistorySource(filter);
        [this.history, this.columns, this.panel] = [source, [], null];
        source.addEventListener("change", () => {
            if (this.history !== source) return;
            const seen = source.transactions.map(({ author }) => author).filter(Boolean);
            this.authors = [...new Set([...this.authors, ...seen])].sort();
            this.changed();
        });
        source.more();
    }

    #showPast(asOf, before) {
        const past = new PastObject(asOf, this.titles, before);
        [this.past, this.columns, this.panel] = [past, [], null];
        past.addEventListener("change", () => { if (this.past === past) this.changed(); });
        past.read();
        this.changed();
    }

    /** Reads the rows anew. */
    reload() {
        const names = this.shownColumns.filter((column) => column.kind !== "identifier").map((column) => column.name);
        const source = new RowSource(this.query, names, this.titles, this.#knownTotal());
        source.addEventListener("failure", ({ detail }) => { if (this.source === source) this.set({ error: detail.message }); });
        source.addEventListener("change", () => { if (this.source === source) this.changed(); });
        source.addEventListener("counted", () => { if (this.source === source) this.countError = null; });
        source.addEventListener("uncounted", ({ detail }) => { if (this.source === source) this.set({ countError: detail.message }); });
        [this.source, this.countError] = [source, null];
        if (this.panel === "sql") this.explain();
        this.changed();
    }

    get query() {
        const { entity, includesSubentities, predicate, sort, member, object } = this.place;
        return { entity, includesSubentities, predicate, sort, member, object };
    }

    #knownTotal() {
        const { entity, includesSubentities, predicate, member, object } = this.place;
        if (object && !this.edits) return 1;
        const count = this.counts[entity];
        if (predicate.trim() || member || !count || this.edits) return null;
        return includesSubentities ? count.all : count.own;
    }

    // MARK: One object

    /** Shows an object in the inspector. */
    async inspect(id, index) {
        this.index = index;
        this.changed();
        // Another object may be on its way.
        if (this.#inspected === id && this.object?.id === id) return;
        this.#inspected = id;
        await new Promise((resolve) => { setTimeout(resolve, 60); });
        if (this.#inspected === id) await this.readObject(id);
    }

    /** Reads the object in the inspector, anew if it is there. */
    async readObject(id = this.#inspected) {
        if (!id || !this.showsInspector) return;
        const isNews = this.#asking("object");
        const object = await post("store/object", { object: id, titles: this.titles }).catch((error) => ({ id, error: error.message, values: [] }));
        if (this.#inspected !== id || !isNews()) return;
        this.object = object;
        this.changed();
    }

    #inspected = null;

    /** Takes another identifier for an object that is in the inspector. */
    renameInspected(id) {
        this.#inspected = id;
    }

    forgetInspected() {
        [this.#inspected, this.object] = [null, null];
    }

    /** The identifier of the object in the inspector. @returns {string?} */
    get inspected() {
        return this.#inspected;
    }

    /** Shows an object in the panel, with what it relates to. */
    showTree(object) {
        [this.tree, this.panel] = [new ObjectTree(object, this), "tree"];
        this.tree.addEventListener("change", () => this.changed());
        this.changed();
    }

    /** Shows an object in the panel, with the objects around it. */
    showNeighbourhood(object) {
        [this.neighbourhood, this.panel] = [new Neighbourhood(object, this), "neighbourhood"];
        this.neighbourhood.addEventListener("change", () => this.changed());
        this.changed();
    }

    /** Shows a value in the panel. */
    view(object, property, value) {
        [this.viewed, this.panel] = [{ object, property, value }, "value"];
        this.changed();
    }

    /** Reads anew which value is in the panel. Without one the panel has none. */
    async readViewed() {
        const { viewed } = this;
        if (!viewed) return;
        // Where the studio can't be reached, one sees the value that there was.
        const isNews = this.#asking("viewed");
        const object = await post("store/object", { object: viewed.object, titles: this.titles }).catch(({ status }) => (status ? { values: [] } : null));
        const isShown = this.viewed?.object === viewed.object && this.viewed.property === viewed.property;
        if (!object || !isShown || !isNews()) return;
        const value = object.values.find(({ name }) => name === viewed.property.name)?.value ?? null;
        // The whole of a text that does not fit into a cell may fit into an answer.
        const shown = typeof value === "string" ? { text: value, length: [...value].length } : value;
        this.viewed = shown && { ...viewed, value: shown };
        if (!shown && this.panel === "value") this.panel = null;
        this.changed();
    }

    /** Takes another identifier for the object whose value is in the panel. @param {(id: string?) => string?} renamed */
    renameViewed(renamed) {
        if (this.viewed) this.viewed = { ...this.viewed, object: renamed(this.viewed.object) };
    }

    // MARK: What the store is asked

    async explain() {
        this.panel = "sql";
        this.explanation = null;
        this.changed();
        const { query } = this;
        const explanation = await post("store/explain", query).catch((error) => ({ error: error.message, statements: [] }));
        if (JSON.stringify(query) !== JSON.stringify(this.query)) return;
        this.explanation = explanation;
        this.changed();
    }

    /** @param {Partial<DataBrowser>} values */
    set(values) {
        Object.assign(this, values);
        this.changed();
    }

    changed() {
        this.dispatchEvent(new Event("change"));
    }
}
