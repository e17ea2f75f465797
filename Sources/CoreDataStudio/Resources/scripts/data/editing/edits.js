import { client, get, inTurn, post, send } from "../../net/api.js";
import { follow } from "../../net/events.js";

/**
 * The changes that are not saved. They are the server's, and the same in all windows.
 *
 * `change` events tell that they are others; `store` events that the store has other objects than before; `renamed` events
 * that new objects have the identifiers of saved ones.
 *
 * @typedef {{revision: number, count: number, changes: any[], inserted: Object<string, number>, undo: string?, redo: string?,
 *   recovery: {savedAt: string, count: number}?, journalFailure: string?}} State
 */
export class Edits extends EventTarget {
    /** @type {State} */
    state = { revision: -1, count: 0, changes: [], inserted: {}, undo: null, redo: null, recovery: null, journalFailure: null };
    /** Whether the server can be reached. */
    isConnected = true;
    /** What kept the last save from being done, by object. @type {{object: string?, key: string?, message: string}[]} */
    problems = [];
    /** @type {Object<string, string[]>} */
    titles = {};

    /** Reads the changes, and listens to those of other windows. */
    async start() {
        this.#take(await get("store/changes"));
        follow("store/events", {
            changes: ({ state, client: other, identifiers }) => this.#take(other === client ? this.state : state, identifiers),
            replaced: () => location.reload(),
            store: () => this.dispatchEvent(new Event("store")),
            progress: ({ count, client: other }) => { if (other === client) this.dispatchEvent(new CustomEvent("progress", { detail: count })); },
        }, {
            connection: (isOpen) => { this.isConnected = isOpen; this.dispatchEvent(new Event("connection")); },
            reconnected: async () => {
                // What the studio has now counts, whatever was known before.
                this.state = { ...this.state, revision: -1 };
                this.#take(await get("store/changes"));
                this.dispatchEvent(new Event("store"));
            },
        });
    }

    /** @param {State} state @param {Object<string, string>?} [identifiers] What new objects are called since they are saved. */
    #take(state, identifiers) {
        if (identifiers) this.dispatchEvent(new CustomEvent("renamed", { detail: identifiers }));
        // An answer may come after the news of what another window did later.
        if (state.revision < this.state.revision) return;
        const isSame = state.revision === this.state.revision && state.journalFailure === this.state.journalFailure
            && Boolean(state.recovery) === Boolean(this.state.recovery);
        if (isSame) return;
        this.state = state;
        if (!state.count) this.problems = [];
        this.dispatchEvent(new Event("change"));
    }

    /** How many new objects an entity has, without those of its subentities. */
    insertedCount(entity) {
        return this.state.inserted[entity] ?? 0;
    }

    /** The problems of an object, those included that a save found. */
    problemsOf(id) {
        const own = this.state.changes.find((change) => change.id === id)?.problems ?? [];
        return [...own, ...this.problems.filter((problem) => problem.object === id && !own.some((each) => each.message === problem.message))];
    }

    /**
     * Carries out an action.
     *
     * @param {any} action
     * @returns {Promise<string[]>} The identifiers of the objects that it made.
     */
    async act(action) {
        const { state, created } = await inTurn((turn) => post("store/edit", { action, client, titles: this.titles }, turn));
        this.#take(state);
        return created;
    }

    /** Sets an attribute to the bytes of a file. */
    async setData(object, key, file) {
        this.#take((await inTurn((turn) => send("store/data", { object, key, client }, file, turn))).state);
    }

    /** Sets an attribute to a text of any length. */
    async setText(object, key, text) {
        this.#take((await inTurn((turn) => send("store/text", { object, key, client }, new Blob([text]), turn))).state);
    }

    /**
     * Makes objects of the file that was sent last, or says what would be made. `progress` events tell how far it is.
     *
     * @param {{entity: string, columns: Object<string, string>, key: string?, skipsErrors: boolean, isTrial: boolean}} plan
     */
    async importFile(plan) {
        const answer = await inTurn((turn) => post("store/import", { plan, client, titles: this.titles }, turn));
        this.#take(answer.state);
        return answer;
    }

    /** @param {"undo"|"redo"|"discard"} kind */
    async step(kind) {
        this.#take((await inTurn((turn) => post(`store/${kind}`, { client, titles: this.titles }, turn))).state);
    }

    /**
     * Takes up what an earlier run left, or lets it go.
     *
     * @param {"recover"|"discard"} choice
     * @param {Object<string, Object<string, "mine"|"theirs">>} [choices] What wins, of the conflicts that were told.
     * @returns {Promise<{recovered: boolean, left: string[], conflicts: any[]}>}
     */
    async recover(choice, choices) {
        const answer = await inTurn((turn) => post("store/recovery", { choice, choices, client, titles: this.titles }, turn));
        this.#take(answer.state);
        return answer;
    }

    /**
     * Saves all changes, or none.
     *
     * @param {Object<string, Object<string, "mine"|"theirs">>} [choices] What wins, of the conflicts of the save before.
     */
    async save(choices = {}) {
        const answer = await inTurn((turn) => post("store/save", { choices, client, titles: this.titles }, turn));
        this.problems = answer.problems ?? [];
        this.#take(answer.state, answer.identifiers);
        this.dispatchEvent(new Event("change"));
        return answer;
    }
}
