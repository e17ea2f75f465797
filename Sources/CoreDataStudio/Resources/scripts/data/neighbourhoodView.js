import { iconButton } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { modelText, plainText, sentence } from "../ui/text.js";
import { h } from "../ui/view.js";
import { grouped } from "./cells.js";

const box = { width: 200, height: 40 };
const gap = { x: 64, y: 12 };
const margin = 14;

/** The panel's drawing: an object, the objects around it, and lines between them. A click on an object unfolds it. */
export function neighbourhoodView({ data }) {
    const { objects, links, centre } = data.neighbourhood;
    const places = layOut([...objects.values()]);
    const { width, height } = sizeOf(places);
    return h("div.neighbourhood", { id: "neighbourhood" },
        h("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": `Objects around ${plainText(centre)}` },
            links.map(({ from, to, name }) => h("path.neighbour-link", { key: `${from} ${to}`, d: line(places.get(from), places.get(to)) }, h("title", null, name))),
            [...objects.values()].map((object) => neighbour(data, object, places.get(object.id)))));
}

function neighbour(data, object, place) {
    const { id, title, via, isOpen, isReading, error, rest } = object;
    const words = isReading ? "Reading…" : [via, rest ? `${grouped(rest)} more` : null].filter(Boolean).join(" · ");
    return h("foreignObject", { key: id, x: place.x, y: place.y, width: box.width, height: box.height },
        h("div.neighbour", { class: [id === data.neighbourhood.centre && "centre", isOpen && "unfolded"].filter(Boolean).join(" ") },
            h("button.neighbour-title", {
                type: "button", "aria-expanded": String(isOpen), "data-neighbour": id, title: plainText(id),
                onclick: () => data.neighbourhood.toggle(id),
            }, h("span", null, modelText(title || id)), h("span.quiet", null, error ? sentence(error) : modelText(words || id))),
            iconButton({ title: `Show ${id} among the rows`, icon: icon("right"), action: () => data.openObject(id, title || id) })));
}

/** Each column is as many links away from the centre as its number; its objects stand below each other, around the middle. */
function layOut(objects) {
    const columns = Map.groupBy(objects, ({ column }) => column);
    const tallest = Math.max(...[...columns.values()].map((column) => column.length));
    const step = box.height + gap.y;
    const places = new Map();
    for (const [number, column] of columns) {
        const top = margin + ((tallest - column.length) * step) / 2;
        column.forEach(({ id }, index) => places.set(id, { x: margin + number * (box.width + gap.x), y: top + index * step }));
    }
    return places;
}

function sizeOf(places) {
    const all = [...places.values()];
    return {
        width: Math.max(...all.map(({ x }) => x)) + box.width + margin, height: Math.max(...all.map(({ y }) => y)) + box.height + margin,
    };
}

/** From the side of one box to the side of the other; between boxes of one column around their right sides. */
function line(from, to) {
    const [left, right] = from.x <= to.x ? [from, to] : [to, from];
    const [startY, endY] = [left.y + box.height / 2, right.y + box.height / 2];
    const startX = left.x + box.width;
    if (left.x === right.x) return `M${startX} ${startY}C${startX + gap.x / 2} ${startY} ${startX + gap.x / 2} ${endY} ${startX} ${endY}`;
    const middle = (startX + right.x) / 2;
    return `M${startX} ${startY}C${middle} ${startY} ${middle} ${endY} ${right.x} ${endY}`;
}
