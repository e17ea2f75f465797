/**
 * What the mouse, the pen and fingers do in the graph: select, drag boxes, pan, relate one entity to another.
 */
export class Pointer {
    #drag = null;

    /** @param {import("./graph.js").Graph} graph */
    constructor(graph) {
        this.graph = graph;
        const { svg } = graph.canvas;
        svg.addEventListener("pointerdown", (event) => this.#down(event));
        // Otherwise the browser looks for text to select at each move, which takes longer than all else.
        svg.addEventListener("mousedown", (event) => event.preventDefault());
        svg.addEventListener("pointermove", (event) => this.#move(event));
        svg.addEventListener("pointerup", (event) => this.#up(event));
        svg.addEventListener("pointercancel", () => this.#cancel());
        // On a Mac a press with Control is also that of the other button.
        svg.addEventListener("contextmenu", (event) => {
            if (!this.#drag?.from) return;
            event.preventDefault();
            event.stopImmediatePropagation();
        });
        svg.addEventListener("dblclick", (event) => this.#doubleClick(event));
    }

    #down(event) {
        if (event.button > 1) return;
        const { graph } = this;
        const { svg, viewport } = graph.canvas;
        const target = /** @type {Element} */ (event.target);
        const start = { x: event.clientX, y: event.clientY };
        // A field that has the focus gives its value when it loses it.
        if (!svg.contains(document.activeElement)) document.activeElement?.blur();
        svg.setPointerCapture(event.pointerId);
        const connect = target.closest("[data-connect]");
        const box = target.closest("[data-box]");
        const link = target.closest("[data-link]");
        if (connect) this.#drag = {
            kind: "connect", from: connect.dataset.connect, start, line: graph.beginConnecting(connect.dataset.connect)
        };
        else if (box && event.button === 0 && event.ctrlKey) this.#drag = { kind: "control", from: box.dataset.box, start };
        else if (box && event.button === 0) this.#drag = this.#boxDrag(
            event, box.dataset.box, target.closest("[data-row]")?.dataset.row, start
        );
        else if (link && event.button === 0) this.#drag = { kind: "pan", link: link.dataset.link, start, last: start };
        else if (event.shiftKey) this.#drag = { kind: "marquee", start, from: viewport.toWorld(start.x, start.y) };
        else this.#drag = { kind: "pan", start, last: start };
    }

    #boxDrag(event, id, row, start) {
        const { graph } = this;
        const extended = event.shiftKey || event.metaKey || event.ctrlKey;
        const isSelected = graph.selectedBoxes.has(id);
        if (!isSelected || extended) graph.select(id, extended);
        const moved = new Set(graph.selectedBoxes.has(id) ? graph.selectedBoxes : [id]);
        const origins = new Map([...moved].map((each) => [each, { ...graph.places.at(each) }]));
        graph.canvas.element(id)?.focus({ preventScroll: true });
        return { kind: "box", id, row, start, moved, origins, hasMoved: false };
    }

    #move(event) {
        const drag = this.#drag;
        if (!drag) return;
        drag.now = { x: event.clientX, y: event.clientY };
        if (drag.frame) return;
        // One drawing a frame, however many events there are.
        drag.frame = requestAnimationFrame(() => { drag.frame = 0; if (this.#drag === drag) this.#follow(drag); });
    }

    #follow(drag) {
        const { graph } = this;
        const { viewport } = graph.canvas;
        const [dx, dy] = [drag.now.x - drag.start.x, drag.now.y - drag.start.y];
        if (!drag.hasMoved && Math.hypot(dx, dy) < 3) return;
        drag.hasMoved = true;
        if (drag.kind === "control") Object.assign(drag, { kind: "connect", asks: true, line: graph.beginConnecting(drag.from) });
        if (drag.kind === "pan") {
            viewport.panBy(drag.now.x - drag.last.x, drag.now.y - drag.last.y);
            drag.last = drag.now;
        } else if (drag.kind === "box") {
            for (const [id, origin] of drag.origins) graph.places.move(
                id, origin.x + dx / viewport.scale, origin.y + dy / viewport.scale
            );
            graph.follow(drag.moved);
        } else if (drag.kind === "connect") graph.continueConnecting(
            drag.line, drag.from, viewport.toWorld(drag.now.x, drag.now.y)
        );
        else if (drag.kind === "marquee") graph.showMarquee(drag.from, viewport.toWorld(drag.now.x, drag.now.y));
    }

    #up(event) {
        const drag = this.#drag;
        if (!drag) return;
        if (drag.frame) cancelAnimationFrame(drag.frame);
        drag.now = { x: event.clientX, y: event.clientY };
        this.#follow(drag);
        this.#drag = null;
        const { graph } = this;
        const { viewport } = graph.canvas;
        if (drag.kind === "connect") {
            const target = document.elementsFromPoint(event.clientX, event.clientY).map((element) => element.closest("[data-box]")).find(Boolean);
            const to = drag.hasMoved ? target?.dataset.box : undefined;
            if (drag.asks && to) graph.askConnecting(drag.line, drag.from, to, drag.now);
            else graph.endConnecting(drag.line, drag.from, to);
        } else if (drag.kind === "marquee") graph.endMarquee(drag.from, viewport.toWorld(drag.now.x, drag.now.y));
        else if (drag.hasMoved) {
            if (drag.kind === "box") graph.drop(drag.moved);
        } else if (drag.kind === "control") graph.select(drag.from, true);
        else if (drag.kind === "box") {
            if (drag.row) graph.select(drag.row);
            else if (graph.selectedBoxes.size === 1) graph.select(drag.id);
        } else if (drag.link) graph.selectLink(drag.link);
        else graph.select(null);
    }

    #cancel() {
        const drag = this.#drag;
        this.#drag = null;
        if (drag?.kind === "box") {
            for (const [id, origin] of drag.origins) this.graph.places.move(id, origin.x, origin.y);
            this.graph.follow(drag.moved);
        } else if (drag?.kind === "connect") this.graph.endConnecting(drag.line, drag.from, undefined);
    }

    #doubleClick(event) {
        // The click before it has captured the pointer: what was meant is what is under it.
        const under = document.elementsFromPoint(event.clientX, event.clientY);
        const row = under.map((element) => element.closest("[data-row]")).find(Boolean);
        const box = under.map((element) => element.closest("[data-box]")).find(Boolean);
        if (row) this.graph.rename(row.dataset.row);
        else if (box) this.graph.rename(box.dataset.box);
        else this.graph.addEntity(this.graph.canvas.viewport.toWorld(event.clientX, event.clientY));
    }
}
