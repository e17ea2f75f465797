/** The search in the graph: which entities have a text in their name or a property's, and which of them one looks at. */
export class Finder {
    text = "";
    /** @type {string[]} The identifiers of what was found, from the upper left. */
    matches = [];
    /** The place of the one that was shown last; -1 before the first. */
    at = -1;

    /** @param {import("./graph.js").Graph} graph */
    constructor(graph) {
        this.graph = graph;
    }

    /** @param {string} text */
    find(text) {
        this.text = text.trim();
        this.at = -1;
        this.update();
        this.graph.app.workspace.changed();
    }

    /** Looks again, because the model or the places have changed. */
    update() {
        const wanted = this.text.toLocaleLowerCase();
        const has = (name) => name.toLocaleLowerCase().includes(wanted);
        const boxes = wanted ? [...this.graph.canvas.boxes.values()] : [];
        this.matches = boxes.filter((box) => has(box.name) || box.rows.some((row) => has(row.name)))
            .sort((a, b) => Number(has(b.name)) - Number(has(a.name)) || a.y - b.y || a.x - b.x).map(({ id }) => id);
    }

    /** Goes to the next one, or with -1 to the one before. */
    go(step) {
        if (this.matches.length === 0) return;
        this.at = this.at < 0 && step < 0 ? this.matches.length - 1 : (this.at + step + this.matches.length) % this.matches.length;
        const id = this.matches[this.at];
        this.graph.select(id);
        this.graph.show(id);
    }

    /** `2 of 7`, for the eye and for screen readers. */
    get sentence() {
        if (!this.text) return "";
        if (this.matches.length === 0) return "None";
        return this.at < 0 ? `${this.matches.length} found` : `${this.at + 1} of ${this.matches.length}`;
    }
}
