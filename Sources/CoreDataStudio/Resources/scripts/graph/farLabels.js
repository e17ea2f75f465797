import { visible } from "../ui/text.js";
import { textWidth } from "./metrics.js";

const namespace = "http://www.w3.org/2000/svg";
/** Letters of fewer pixels can't be read. */
const leastSize = 9;
/** Letters of a name are this much wider in bold than they are reckoned. */
const boldness = 1.14;
const lineHeight = 1.1;
/** How far the halo of a name reaches beyond its letters. */
const halo = 0.15;

/**
 * The names of boxes as they are read from afar: `CustomerOrderLine` in three lines, as large as the box has room for, and large enough
 * to be read. Where a name would lie over another, that of the box with fewer links is left out, as on a map.
 */
export class FarLabels {
    /** @type {Map<string, SVGTextElement>} */
    #elements = new Map();

    /** @param {SVGGElement} world */
    constructor(world) {
        this.layer = document.createElementNS(namespace, "g");
        this.layer.setAttribute("class", "far-labels");
        this.layer.setAttribute("aria-hidden", "true");
        world.append(this.layer);
    }

    /**
     * @param {import("./scene.js").Box[]} boxes @param {number} scale The size of the drawing on the page.
     * @param {(id: string) => number} weight Of two names that meet, that with more of it is shown.
     * @param {(id: string) => Iterable<string>} classesOf
     */
    draw(boxes, scale, weight, classesOf) {
        const taken = [];
        const shown = new Map();
        for (const box of [...boxes].sort((a, b) => weight(b.id) - weight(a.id) || a.y - b.y || a.x - b.x)) {
            const { lines, size: room, widest } = labelOf(box);
            const size = Math.max(room, leastSize / scale);
            const half = { x: ((widest * boldness) / 2 + halo) * size, y: (lines.length * lineHeight * size) / 2 };
            const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
            const meets = (other) => Math.abs(other.x - x) < other.half.x + half.x && Math.abs(other.y - y) < other.half.y + half.y;
            if (taken.some(meets)) continue;
            taken.push({ x, y, half });
            shown.set(box.id, { lines, size });
        }
        for (const [id, element] of this.#elements) {
            if (shown.has(id)) continue;
            element.remove();
            this.#elements.delete(id);
        }
        for (const box of boxes) {
            const label = shown.get(box.id);
            if (label) this.#show(box, label, classesOf(box.id));
        }
    }

    /** Moves the name of a box. */
    move(box) {
        this.#elements.get(box.id)?.setAttribute("transform", `translate(${box.x + box.width / 2} ${box.y + box.height / 2})`);
    }

    #show(box, { lines, size }, classes) {
        let element = this.#elements.get(box.id);
        if (!element) {
            element = document.createElementNS(namespace, "text");
            this.#elements.set(box.id, element);
            this.layer.append(element);
        }
        element.setAttribute("class", ["far-label", ...[...classes].filter((name) => name !== "entity")].join(" "));
        element.setAttribute("font-size", size.toFixed(1));
        this.move(box);
        if (element.textContent === lines.join("") && element.childElementCount === lines.length) return;
        element.replaceChildren(...lines.map((line, index) => {
            const part = document.createElementNS(namespace, "tspan");
            part.setAttribute("x", "0");
            part.setAttribute("dy", index === 0 ? `${0.35 - ((lines.length - 1) * lineHeight) / 2}em` : `${lineHeight}em`);
            part.textContent = line;
            return part;
        }));
    }
}

/** A name in the lines in which it is largest. @param {import("./scene.js").Box} box */
function labelOf({ name, width, height }) {
    const words = wordsOf(visible(name));
    let best = { lines: [""], size: 0, widest: 0 };
    for (let count = 1; count <= Math.min(words.length, 4); count++) {
        const lines = spread(words, count);
        const widest = Math.max(...lines.map((line) => textWidth(line, 1)), 0.1);
        const size = Math.min((width - 18) / (widest * boldness), (height - 10) / (lines.length * lineHeight), 64);
        if (size > best.size) best = { lines, size, widest };
    }
    return best;
}

/** Where a name may be broken: before capitals, behind underscores and spaces. Long words are broken anywhere. */
function wordsOf(name) {
    const words = name.split(/(?<=[\p{Ll}\d])(?=\p{Lu})|(?<=[_\s])/u).filter(Boolean).flatMap((word) => word.match(/.{1,14}/gu) ?? []);
    // A name as long as a page has no place on a map.
    return words.length > 8 ? [...words.slice(0, 7), "…"] : words;
}

/** Words in a number of lines, the widest of which is as narrow as can be. */
function spread(words, count) {
    if (count === 1) return [words.join("")];
    let best = null;
    for (let end = 1; end <= words.length - count + 1; end++) {
        const lines = [words.slice(0, end).join(""), ...spread(words.slice(end), count - 1)];
        const widest = Math.max(...lines.map((line) => textWidth(line, 1)));
        if (!best || widest < best.widest) best = { lines, widest };
    }
    return best.lines;
}
