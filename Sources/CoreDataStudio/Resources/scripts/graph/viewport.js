/** Where one looks at a drawing, and how near. */
export class Viewport extends EventTarget {
    x = 0;
    y = 0;
    scale = 1;
    /** Below this, names are as large as boxes have room for, and rows are left out. */
    static farScale = 0.5;
    /** @param {SVGSVGElement} svg @param {SVGGElement} world */
    constructor(svg, world) {
        super();
        this.svg = svg;
        this.world = world;
        svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    }

    /** A point of the drawing for one of the window. */
    toWorld(clientX, clientY) {
        const box = this.svg.getBoundingClientRect();
        return { x: (clientX - box.left - this.x) / this.scale, y: (clientY - box.top - this.y) / this.scale };
    }

    /** Whether boxes are drawn as their names alone. */
    get isFar() {
        return this.scale < Viewport.farScale;
    }

    /** What of the drawing is to be seen. */
    get visible() {
        const { width, height } = this.svg.getBoundingClientRect();
        return {
            x: -this.x / this.scale, y: -this.y / this.scale, width: width / this.scale, height: height / this.scale
        };
    }

    panBy(dx, dy) {
        this.x += dx;
        this.y += dy;
        this.apply();
    }

    /** Nearer or farther, with a point of the window staying where it is: the middle, if none is given. */
    zoomBy(factor, clientX, clientY) {
        const box = this.svg.getBoundingClientRect();
        const [px, py] = [
            (clientX ?? box.left + box.width / 2) - box.left, (clientY ?? box.top + box.height / 2) - box.top
        ];
        const scale = Math.min(4, Math.max(0.05, this.scale * factor));
        this.x = px - ((px - this.x) * scale) / this.scale;
        this.y = py - ((py - this.y) * scale) / this.scale;
        this.scale = scale;
        this.apply();
    }

    /**
     * Shows all of a rectangle, not larger than life.
     *
     * @param {{x: number, y: number, width: number, height: number}} bounds
     * @param {{top: number, right: number, bottom: number, left: number}} [margins] What is to stay free, in the window's measure.
     */
    fit(bounds, { top, right, bottom, left } = { top: 48, right: 48, bottom: 48, left: 48 }) {
        const { width, height } = this.svg.getBoundingClientRect();
        if (!width || !height) return;
        const room = { width: width - left - right, height: height - top - bottom };
        const scale = Math.min(room.width / Math.max(bounds.width, 1), room.height / Math.max(bounds.height, 1));
        this.scale = Math.min(1, Math.max(0.05, scale));
        this.x = left + (room.width - bounds.width * this.scale) / 2 - bounds.x * this.scale;
        this.y = top + (room.height - bounds.height * this.scale) / 2 - bounds.y * this.scale;
        this.apply();
    }

    /** Looks where one looked before. @param {{x: number, y: number, scale: number}} place */
    look({ x, y, scale }) {
        Object.assign(this, { x, y, scale });
        this.apply();
    }

    /** Puts a point of the drawing into the middle. */
    center({ x, y }) {
        const { width, height } = this.svg.getBoundingClientRect();
        this.x = width / 2 - x * this.scale;
        this.y = height / 2 - y * this.scale;
        this.apply();
    }

    /** Moves as little as is needed to see a rectangle. */
    reveal({ x, y, width, height }) {
        const view = this.visible;
        const margin = 40 / this.scale;
        const shift = (low, high, from, to) => (low < from + margin ? from + margin - low : high > to - margin ? Math.max(to - margin - high, from + margin - low) : 0);
        const dx = shift(x, x + width, view.x, view.x + view.width);
        const dy = shift(y, y + height, view.y, view.y + view.height);
        if (dx || dy) this.panBy(dx * this.scale, dy * this.scale);
    }

    apply() {
        this.world.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
        this.svg.classList.toggle("is-far", this.isFar);
        this.dispatchEvent(new Event("change"));
    }

    #wheel(event) {
        event.preventDefault();
        const unit = event.deltaMode === 1 ? 20 : 1;
        if (event.ctrlKey || event.metaKey) this.zoomBy(
            Math.exp(-event.deltaY * unit * 0.0022), event.clientX, event.clientY
        );
        else this.panBy(-event.deltaX * unit, -event.deltaY * unit);
    }
}
