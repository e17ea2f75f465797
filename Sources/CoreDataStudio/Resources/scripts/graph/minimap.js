const namespace = "http://www.w3.org/2000/svg";

/**
 * The whole drawing in a corner, with a frame around what one sees of it. A click or a drag in it moves the view. Where one sees all, it
 * would only be in the way.
 */
export class Minimap {
    /** Fewer boxes are seen at a glance. */
    static least = 12;
    /** @type {Map<string, SVGRectElement>} */
    #boxes = new Map();

    /** @param {HTMLElement} container @param {import("./canvas.js").Canvas} canvas */
    constructor(container, canvas) {
        this.canvas = canvas;
        this.svg = document.createElementNS(namespace, "svg");
        this.svg.setAttribute("class", "minimap");
        this.svg.setAttribute("role", "img");
        this.svg.setAttribute("aria-label", "Overview of the graph");
        this.frame = this.#rectangle("minimap-frame");
        this.svg.append(this.frame);
        container.append(this.svg);
        canvas.viewport.addEventListener("change", () => this.#showView());
        for (const type of ["pointerdown", "pointermove"]) this.svg.addEventListener(type, (event) => this.#point(event));
        this.svg.addEventListener("mousedown", (event) => event.preventDefault());
    }

    /** Draws all boxes that are shown, in their colours. */
    draw() {
        const shown = this.canvas.shownBoxes;
        const ids = new Set(shown.map(({ id }) => id));
        for (const [id, element] of this.#boxes) {
            if (ids.has(id)) continue;
            element.remove();
            this.#boxes.delete(id);
        }
        for (const box of shown) {
            let element = this.#boxes.get(box.id);
            if (!element) {
                element = this.#rectangle("");
                this.#boxes.set(box.id, element);
                this.svg.insertBefore(element, this.frame);
            }
            const looks = this.canvas.element(box.id)?.classList ?? [];
            element.setAttribute("class", ["map-box", ...[...looks].filter((name) => name !== "entity")].join(" "));
            set(element, box);
        }
        const { x, y, width, height } = this.canvas.bounds;
        const margin = Math.max(width, height) * 0.04;
        this.svg.setAttribute("viewBox", `${x - margin} ${y - margin} ${width + 2 * margin} ${height + 2 * margin}`);
        this.#showView();
    }

    /** Moves boxes. @param {Set<string>} ids */
    moved(ids) {
        for (const id of ids) {
            const element = this.#boxes.get(id);
            if (element) set(element, this.canvas.boxes.get(id));
        }
    }

    #showView() {
        const { visible } = this.canvas.viewport;
        if (visible.width <= 0) return;
        set(this.frame, visible);
        const { x, y, width, height } = this.canvas.bounds;
        const seesAll = visible.x <= x && visible.y <= y && visible.x + visible.width >= x + width && visible.y + visible.height >= y + height;
        this.svg.toggleAttribute("hidden", seesAll || this.canvas.boxes.size < Minimap.least);
    }

    #point(event) {
        if (event.buttons !== 1) return;
        if (event.type === "pointerdown") this.svg.setPointerCapture(event.pointerId);
        const matrix = this.svg.getScreenCTM();
        if (!matrix) return;
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
        this.canvas.viewport.center(point);
        event.preventDefault();
    }

    #rectangle(name) {
        const element = document.createElementNS(namespace, "rect");
        element.setAttribute("class", name);
        return element;
    }
}

function set(element, { x, y, width, height }) {
    for (const [name, value] of Object.entries({ x, y, width, height })) element.setAttribute(name, String(value));
}
