/** What keys do in the graph: walk from box to box, move boxes, zoom. */
export class Keyboard {
    /** @param {import("./graph.js").Graph} graph */
    constructor(graph) {
        this.graph = graph;
        graph.canvas.svg.addEventListener("keydown", (event) => this.#press(event));
        graph.canvas.svg.addEventListener("focusin", (event) => {
            const id = event.target.closest?.("[data-box]")?.dataset.box;
            if (id && event.target.matches(":focus-visible")) graph.canvas.viewport.reveal(graph.canvas.boxes.get(id));
        });
    }

    #press(event) {
        const id = event.target.closest("[data-box]")?.dataset.box;
        const direction = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
        const { graph } = this;
        const { viewport } = graph.canvas;
        if (direction && id && event.shiftKey) graph.nudge(id, direction[0] * 10, direction[1] * 10);
        else if (direction && id) this.#walk(id, direction);
        else if (event.key === "Enter" && id) graph.rename(id);
        else if (event.key === "F2" && id) graph.rename(id);
        else if (event.key === " " && id) graph.select(id, event.ctrlKey || event.metaKey);
        else if ((event.key === "+" || event.key === "=") && !event.ctrlKey) viewport.zoomBy(1.25);
        else if (event.key === "-" && !event.ctrlKey) viewport.zoomBy(0.8);
        else return;
        event.preventDefault();
        event.stopPropagation();
    }

    /** To the nearest box in a direction: what is aslant counts as farther away. */
    #walk(id, [dx, dy]) {
        const { boxes } = this.graph.canvas;
        const center = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
        const from = center(boxes.get(id));
        let best = null;
        let distance = Infinity;
        for (const box of boxes.values()) {
            const to = center(box);
            const [ahead, aside] = [
                (to.x - from.x) * dx + (to.y - from.y) * dy,
                Math.abs((to.x - from.x) * dy) + Math.abs((to.y - from.y) * dx)
            ];
            if (box.id === id || ahead <= 0) continue;
            const away = ahead + aside * 2.5;
            if (away < distance) [best, distance] = [box.id, away];
        }
        if (!best) return;
        this.graph.select(best);
        this.graph.canvas.viewport.reveal(boxes.get(best));
        this.graph.canvas.element(best)?.focus();
    }
}
