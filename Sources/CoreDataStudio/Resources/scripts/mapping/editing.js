/** The edits, as the views ask for them. */
export class Editing {
    constructor(store, workspace, toasts) {
        Object.assign(this, { store, workspace, toasts });
    }

    /** Sets fields of an element; of a property without a mapping, makes one. */
    set(id, changes, { merge = null } = {}) {
        const [owner, property] = id.split("/");
        if (property) return this.store.perform([{ kind: "addPropertyMapping", owner, name: property, expression: changes.expression ?? null }]);
        return this.store.perform([{ kind: "set", element: id, changes }], { merge });
    }

    /** Texts are checked when they are given: the server says what is wrong with them. */
    refusal() { return null; }

    rename(id, name) { return this.store.perform([{ kind: "rename", element: id, name }]); }

    async add(action, focus) {
        const state = await this.store.perform([action]);
        const created = state?.created?.map((id) => this.store.record(id)).filter(Boolean) ?? [];
        const first = created.find((record) => record.kind === "entityMapping") ?? created[0];
        if (first) this.workspace.select(first.id, { focus });
        return state;
    }

    async fix({ action }) {
        await (action.kind === "addEntityMapping" ? this.add(action) : this.store.perform([action]));
    }

    async delete(record) {
        const order = this.store.root.mappings;
        const next = record.kind === "entityMapping"
            ? order[order.indexOf(record.id) + 1] ?? order[order.indexOf(record.id) - 1] ?? null : record.owner;
        if (await this.store.perform([{ kind: "delete", elements: [record.id] }])) this.workspace.select(next);
    }

    /** Moves an entity mapping by some places. */
    shift(id, distance) {
        const order = this.store.root.mappings;
        const to = order.indexOf(id) + distance;
        if (to >= 0 && to < order.length) return this.move(id, to);
    }

    move(id, to) { return this.store.perform([{ kind: "move", element: id, to }]); }
}
