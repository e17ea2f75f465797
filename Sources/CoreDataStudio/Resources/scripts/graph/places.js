import { get } from "../net/api.js";

/**
 * Where the boxes stand: as the model has it, or as the layout says as long as none was moved.
 */
export class Places {
    /** @type {Map<string, {x: number, y: number}>} */
    #places = new Map();
    /** What the model had when it was looked at last. @type {Map<string, string>} */
    #stored = new Map();
    /** What the layout placed otherwise than the model has it, and what the model had. @type {Map<string, {stored: string, place: {x: number, y: number}}>} */
    #layout = new Map();
    /** Entities that are linked more with each other than with the rest. @type {{name: string, entities: string[]}[]} */
    areas = [];
    /** Whether what is shown is not (all) in the model. */
    isProvisional = false;

    /** @param {import("../model/store.js").Store} store */
    constructor(store) {
        this.store = store;
    }

    at(id) {
        return this.#places.get(id) ?? { x: 0, y: 0 };
    }

    move(id, x, y) {
        this.#places.set(id, { x: Math.round(x), y: Math.round(y) });
    }

    /** Finds places for a version that is shown for the first time. @param {number} aspect Of the window: its width by its height. */
    async load(aspect) {
        const { store } = this;
        const { version } = store;
        const answer = await get("graph/places", { version, aspect });
        // Meanwhile another version may have been chosen, which asks for itself.
        if (store.version !== version) return;
        this.#places = new Map(Object.entries(answer.places));
        this.#stored = new Map(store.list(store.model.entities).map(({ id, position }) => [id, written(position)]));
        this.areas = answer.areas;
        this.isProvisional = !answer.areStored;
        const moved = this.isProvisional ? [...this.#places] : [];
        this.#layout = new Map(moved.map(([id, place]) => [id, { stored: this.#stored.get(id) ?? "", place }]));
    }

    /** Takes over what the model has of places now. @param {Map<string, import("./scene.js").Box>} boxes */
    follow(boxes) {
        for (const id of boxes.keys()) {
            const position = this.store.record(id)?.position;
            if (this.#stored.get(id) === written(position) && this.#places.has(id)) continue;
            this.#stored.set(id, written(position));
            const layout = this.#layout.get(id);
            // The first move was undone: the model says again what it said when the layout placed the box otherwise.
            const isTakenBack = layout?.stored === written(position);
            if (isTakenBack) this.#places.set(id, layout.place);
            else if (position) this.#places.set(id, { x: position.x, y: position.y });
            else if (!this.#places.has(id)) this.#places.set(id, this.free(boxes, boxes.get(id)));
            if (isTakenBack || !position) this.isProvisional = true;
        }
        for (const id of [...this.#places.keys()]) if (!boxes.has(id)) { this.#places.delete(id); this.#stored.delete(id); }
        for (const [id, box] of boxes) Object.assign(box, this.at(id));
    }

    /** A place where nothing stands, with room to grow: near the middle of what is looked at, or else below. */
    free(boxes, { width, height }, { x, y } = this.#corner()) {
        const placed = [...boxes.values()].filter(({ id }) => this.#places.has(id)).map((box) => ({ ...box, ...this.at(box.id) }));
        const [beside, below] = [72, 150];
        const isFree = (left, top) => placed.every((box) => left + width + beside < box.x || box.x + box.width + beside < left
            || top + height + below < box.y || box.y + Math.max(box.height, 60) + below < top);
        for (let ring = 0; ring < 60; ring++) {
            for (let step = -ring; step <= ring; step++) {
                for (const [dx, dy] of [[ring, step], [step, ring], [-ring, step], [step, -ring]]) {
                    const [left, top] = [x + dx * 60, y + dy * 48];
                    if (isFree(left, top)) return { x: Math.round(left), y: Math.round(top) };
                }
            }
        }
        return { x: Math.round(x), y: Math.round(Math.max(0, ...placed.map((box) => box.y + box.height)) + 40) };
    }

    #corner() {
        const all = [...this.#places.values()];
        if (all.length === 0) return { x: 0, y: 0 };
        return { x: Math.min(...all.map(({ x }) => x)), y: Math.max(...all.map(({ y }) => y)) };
    }

    /** The number of the colour of each entity: the seven largest areas have one of their own. @returns {Map<string, number>} */
    get areaNumbers() {
        const colour = new Map(this.areas.flatMap(({ entities }, number) => entities.map((id) => [id, Math.min(number, 7)])));
        if (this.areas.length === 0) return colour;
        return new Map(this.store.model.entities.map((id) => [id, colour.get(id) ?? 7]));
    }

    /** The actions that put what was moved into the model; all of it, where the model had none of what is shown. */
    actions(moved) {
        const ids = this.isProvisional ? [...this.#places.keys()] : moved;
        this.isProvisional = false;
        const positions = Object.fromEntries(ids.map((id) => [id, this.at(id)]));
        for (const id of ids) this.#stored.set(id, written(this.at(id)));
        return [{ kind: "place", positions }];
    }

    /** Lays everything out anew, in the shape of the window. @param {number} aspect */
    async arrange(aspect) {
        const { version } = this.store;
        const answer = await get("graph/places", { version, placement: "automatic", aspect });
        if (this.store.version !== version) return null;
        for (const [id, place] of Object.entries(answer.places)) this.#places.set(id, place);
        this.areas = answer.areas;
        return this.actions([...this.#places.keys()]);
    }
}

function written(position) {
    return position ? `${position.x} ${position.y}` : "";
}
