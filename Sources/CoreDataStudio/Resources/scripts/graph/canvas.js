import { mount } from "../ui/view.js";
import { boxContent, linkContent, linkTitle } from "./drawing.js";
import { FarLabels } from "./farLabels.js";
import { route } from "./routes.js";
import { plainText } from "../ui/text.js";
import { makeScene } from "./scene.js";
import { Viewport } from "./viewport.js";

const namespace = "http://www.w3.org/2000/svg";

/** A drawing of a model on the page: keeps the elements of boxes and links, and draws what has changed. */
export class Canvas {
    /** @type {Map<string, import("./scene.js").Box>} */
    boxes = new Map();
    /** @type {import("./scene.js").Link[]} */
    links = [];
    /** @type {Map<string, SVGGElement>} */
    #boxElements = new Map();
    /** @type {Map<string, SVGGElement>} */
    #linkElements = new Map();
    /** What each box looks like, so that only those that change are drawn. */
    #looks = new Map();
    /** The area that each link covers. */
    #linkAreas = new Map();
    #hidden = new Set();
    /** The boxes that are shown alone; null: all. @type {Set<string>?} */
    #only = null;
    /** The boxes with names that come before all others from afar. @type {Set<string>} */
    #wanted = new Set();
    /** How many links each box has. @type {Map<string, number>} */
    #degrees = new Map();
    /** The scale for which the names from afar were placed last. */
    #labelledScale = 0;

    /** @param {HTMLElement} container @param {string} label */
    constructor(container, label) {
        this.svg = document.createElementNS(namespace, "svg");
        this.svg.setAttribute("class", "graph");
        this.svg.setAttribute("role", "group");
        this.svg.setAttribute("aria-label", label);
        // The boxes are where the focus goes.
        this.svg.setAttribute("tabindex", "-1");
        this.world = document.createElementNS(namespace, "g");
        this.linkLayer = document.createElementNS(namespace, "g");
        this.boxLayer = document.createElementNS(namespace, "g");
        this.world.append(this.linkLayer, this.boxLayer);
        this.svg.append(this.world);
        container.append(this.svg);
        this.viewport = new Viewport(this.svg, this.world);
        this.labels = new FarLabels(this.world);
        this.viewport.addEventListener("change", () => {
            this.#cull();
            if (this.viewport.scale !== this.#labelledScale) this.#label();
        });
    }

    /**
     * Finds the boxes and links that there are; `draw` is to follow.
     *
     * @param {(id: string|null|undefined) => any} get @param {string[]} entityIDs
     * @param {(boxes: Map<string, import("./scene.js").Box>) => void} place Gives the boxes their places.
     */
    take(get, entityIDs, place) {
        const { boxes, links } = makeScene(get, entityIDs);
        [this.boxes, this.links] = [boxes, links];
        this.#degrees = new Map();
        for (const { source, target } of links) {
            for (const id of [source.box, target.box]) this.#degrees.set(id, (this.#degrees.get(id) ?? 0) + 1);
        }
        place(boxes);
    }

    /**
     * Draws what there is.
     *
     * @param {{only?: Set<string>|null, found?: Set<string>|null, selection?: Set<string>, marks?: Map<string, string>, hues?: Map<string, number>, statuses?: Map<string, string>, canConnect?: boolean, neighboursOf?: string|null, dims?: boolean, tabStop?: string|null}} [options]
     */
    draw(options = {}) {
        this.#only = options.only ?? null;
        this.#wanted = new Set([...(options.selection ?? []), ...(options.found ?? [])]);
        this.#drawBoxes(options);
        this.#drawLinks(options);
        this.#cull();
        this.#label();
    }

    /** Places the names that are read from afar. */
    #label() {
        this.#labelledScale = this.viewport.scale;
        if (!this.viewport.isFar) return;
        const weight = (id) => (this.#wanted.has(id) ? this.links.length * 2 : 0) + (this.#degrees.get(id) ?? 0);
        this.labels.draw(this.shownBoxes, this.viewport.scale, weight, (id) => this.#boxElements.get(id)?.classList ?? []);
    }

    /** Leaves out what is far outside of what one sees: painting takes time even there. */
    #cull() {
        const { x, y, width, height } = this.viewport.visible;
        if (!width) return;
        const [left, top, right, bottom] = [x - width / 3, y - height / 3, x + width * 4 / 3, y + height * 4 / 3];
        const isFar = (area) => area.x > right || area.y > bottom || area.x + area.width < left || area.y + area.height < top;
        for (const [id, element] of this.#boxElements) {
            const isOfUse = !isFar(this.boxes.get(id)) || element.getAttribute("tabindex") === "0" || element.contains(document.activeElement);
            this.#show(element, this.#isShown(id) && isOfUse);
        }
        for (const { id, source, target } of this.links) {
            const isBetween = this.#isShown(source.box) && this.#isShown(target.box);
            this.#show(this.#linkElements.get(id), isBetween && !isFar(this.#linkAreas.get(id)));
        }
    }

    #isShown(id) {
        return this.#only?.has(id) ?? true;
    }

    /** The boxes that are shown, be they in sight or not. */
    get shownBoxes() {
        return [...this.boxes.values()].filter(({ id }) => this.#isShown(id));
    }

    #show(element, isShown) {
        if (isShown !== this.#hidden.has(element)) return;
        element.style.display = isShown ? "" : "none";
        if (isShown) this.#hidden.delete(element);
        else this.#hidden.add(element);
    }

    /** The rectangle around all boxes that are shown. */
    get bounds() {
        const all = this.shownBoxes;
        if (all.length === 0) return { x: 0, y: 0, width: 1, height: 1 };
        const [x, y] = [Math.min(...all.map((box) => box.x)), Math.min(...all.map((box) => box.y))];
        return {
            x, y, width: Math.max(...all.map((box) => box.x + box.width)) - x,
            height: Math.max(...all.map((box) => box.y + box.height)) - y
        };
    }

    /** Moves boxes, and the links that end at them. @param {Set<string>} ids */
    moved(ids) {
        for (const id of ids) {
            this.#setPlace(id);
            this.labels.move(this.boxes.get(id));
        }
        for (const link of this.links) if (ids.has(link.source.box) || ids.has(link.target.box)) this.#drawLink(link);
    }

    /** Draws all links, because boxes that were moved may stand in their way, or do so no longer. */
    reroute() {
        for (const link of this.links) this.#drawLink(link);
    }

    element(id) {
        return this.#boxElements.get(id);
    }

    #setPlace(id) {
        const { x, y } = this.boxes.get(id);
        this.#boxElements.get(id).setAttribute("transform", `translate(${x} ${y})`);
    }

    #drawBoxes(options) {
        keep(this.#boxElements, new Set(this.boxes.keys()), this.#looks);
        for (const [id, box] of this.boxes) {
            let element = this.#boxElements.get(id);
            if (!element) {
                element = document.createElementNS(namespace, "g");
                element.setAttribute("data-box", id);
                this.#boxElements.set(id, element);
                this.boxLayer.append(element);
            }
            this.#drawBox(box, element, options);
        }
    }

    #drawBox(
        box, element,
        {
            selection = new Set(), marks = new Map(), hues = new Map(), statuses = new Map(), canConnect = true,
            neighboursOf = null, dims = false, tabStop = null, found = null
        }
    ) {
        const isNear = neighboursOf === box.id || this.#isNeighbour(box.id, neighboursOf);
        const classes = ["entity", `hue-${(hues.get(box.id) ?? 0) % 8}`, box.isAbstract ? "abstract" : "", selection.has(box.id) ? "selected" : "", neighboursOf === box.id ? "current" : "",
            neighboursOf && neighboursOf !== box.id && isNear ? "neighbour" : "", (dims && neighboursOf && !isNear) || (found && !found.has(box.id)) ? "dim" : "", found?.has(box.id) ? "found" : "", statuses.get(box.id) ?? ""].filter(Boolean).join(" ");
        element.setAttribute("class", classes);
        if (selection.has(box.id)) this.#raise(element);
        element.setAttribute("tabindex", tabStop === box.id ? "0" : "-1");
        element.setAttribute("role", "button");
        element.setAttribute("aria-pressed", String(selection.has(box.id)));
        element.setAttribute("aria-label", plainText(this.#description(box)));
        this.#setPlace(box.id);
        const rows = new Map(box.rows.filter(({ id }) => statuses.has(id)).map(({ id }) => [id, statuses.get(id)]));
        const look = JSON.stringify([
            box.name, box.rows, [...selection].filter((id) => box.rows.some((row) => row.id === id)),
            [box.id, ...box.rows.map(({ id }) => id)].map((id) => marks.get(id)), [...rows]
        ]);
        if (this.#looks.get(box.id) === look) return;
        this.#looks.set(box.id, look);
        mount(element, boxContent(box, { selection, marks, canConnect, rowStatus: rows }));
    }

    /** Puts a box in front of those that may cover it. */
    #raise(element) {
        if (this.boxLayer.lastChild === element) return;
        if (this.boxLayer.moveBefore) this.boxLayer.moveBefore(element, null);
        else if (!element.contains(document.activeElement)) this.boxLayer.append(element);
    }

    #isNeighbour(id, other) {
        return other !== null && this.links.some(({ source, target }) => (source.box === id && target.box === other) || (source.box === other && target.box === id));
    }

    #description(box) {
        const count = (kind, title) => {
            const found = box.rows.filter((row) => row.kind === kind).length;
            return `${found} ${title}${found === 1 ? "" : "s"}`;
        };
        return `${box.isAbstract ? "Abstract entity" : "Entity"} ${box.name}, ${count("attribute", "attribute")}, ${count("relationship", "relationship")}`;
    }

    #drawLinks({ selection = new Set(), neighboursOf = null, dims = false, statuses = new Map() }) {
        keep(this.#linkElements, new Set(this.links.map(({ id }) => id)));
        for (const link of this.links) {
            let element = this.#linkElements.get(link.id);
            if (!element) {
                element = document.createElementNS(namespace, "g");
                element.setAttribute("data-link", link.id);
                this.#linkElements.set(link.id, element);
                this.linkLayer.append(element);
            }
            const touches = neighboursOf && (link.source.box === neighboursOf || link.target.box === neighboursOf);
            const isSelected = selection.has(link.source.relationship?.id) || selection.has(link.target.relationship?.id);
            const status = statuses.get(link.source.relationship?.id) ?? statuses.get(link.target.relationship?.id);
            element.setAttribute(
                "class",
                [
                    "link", link.kind, isSelected ? "selected" : "", touches ? "near" : "",
                    dims && neighboursOf && !touches ? "dim" : "", status ?? ""
                ].filter(Boolean).join(" ")
            );
            this.#drawLink(link);
        }
    }

    #drawLink(link) {
        const way = route(link, this.boxes);
        this.#linkAreas.set(link.id, areaAround([way.start.point, way.end.point, ...way.bends]));
        mount(this.#linkElements.get(link.id), linkContent(link, way, linkTitle(link, this.boxes)));
    }
}

function areaAround(points) {
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    const [x, y] = [Math.min(...xs) - 20, Math.min(...ys) - 20];
    return { x, y, width: Math.max(...xs) + 20 - x, height: Math.max(...ys) + 20 - y };
}

/** Takes away the elements of what is no longer there. */
function keep(elements, ids, looks) {
    for (const [id, element] of elements) {
        if (ids.has(id)) continue;
        element.remove();
        elements.delete(id);
        looks?.delete(id);
    }
}

