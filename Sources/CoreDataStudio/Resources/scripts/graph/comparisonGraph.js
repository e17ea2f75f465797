import { h } from "../ui/view.js";
import { Canvas } from "./canvas.js";

/** Two drawings side by side, with what was removed in the one, and added or changed in the other, in colour. */
export function comparisonGraph(result) {
    const pane = (side, label) => h("section.compare-pane", { key: side, "aria-label": label }, h("h3", null, label),
        h(
            "div.graph-container",
            {
                key: `${result.from.version} ${result.to.version} ${side} ${result.changes.length}`, isOpaque: true,
                ref: (element) => draw(element, result, side)
            }
        ));
    return h("div.compare-graphs", { key: "graphs" }, pane(
        "from", `Before: ${result.from.name}`
    ), pane("to", `After: ${result.to.name}`),
        h(
            "ul.legend", { "aria-label": "Colours" },
            ["added", "removed", "changed"].map((status) => h(
                "li", { key: status }, h("span.swatch", { class: status, "aria-hidden": "true" }), status
            ))
        ));
}

function draw(element, result, side) {
    const records = result[side].records;
    for (const [id, record] of Object.entries(records)) record.id = id;
    const get = (id) => records[id];
    const entities = records[result[side].version].entities;
    const canvas = new Canvas(element, side === "from" ? "Graph of the older version" : "Graph of the newer version");
    canvas.take(get, entities, (boxes) => place(boxes, result[side].places ?? {}));
    canvas.draw({ statuses: statuses(result, side, records), canConnect: false, tabStop: entities[0] ?? null });
    new ResizeObserver((_, observer) => {
        if (!element.clientWidth) return;
        canvas.viewport.fit(canvas.bounds, { top: 24, right: 24, bottom: 24, left: 24 });
        observer.disconnect();
    }).observe(element);
    pan(canvas);
}

function place(boxes, places) {
    let x = 0;
    for (const box of boxes.values()) {
        Object.assign(box, places[box.id] ?? { x, y: 0 });
        x += box.width + 80;
    }
}

/** By identifier, what has become of what. */
function statuses({ changes }, side, records) {
    const found = new Map();
    const all = Object.values(records);
    for (const { kind, element, owner, name, formerName } of changes) {
        if ((side === "from" && kind === "added") || (side === "to" && kind === "removed")) continue;
        const shown = side === "from" ? formerName ?? name : name;
        const status = kind === "renamed" ? "changed" : kind;
        if (element === "entity") {
            const record = all.find((other) => other.kind === "entity" && other.name === shown);
            if (record) found.set(record.id, status);
            continue;
        }
        const entity = all.find((other) => other.kind === "entity" && other.name === ownerName(changes, owner, side));
        if (!entity) continue;
        const record = [
            ...entity.attributes, ...entity.relationships, ...entity.fetchedProperties
        ].map((id) => records[id]).find((other) => other?.name === shown);
        if (record) found.set(record.id, status);
        if (!found.has(entity.id)) found.set(entity.id, "changed");
    }
    return found;
}

/** Changes name their owner as it is called now. */
function ownerName(changes, owner, side) {
    if (side === "to") return owner;
    return changes.find((change) => change.element === "entity" && change.name === owner)?.formerName ?? owner;
}

function pan(canvas) {
    let last = null;
    canvas.svg.addEventListener(
        "pointerdown", (event) => { last = event; canvas.svg.setPointerCapture(event.pointerId); }
    );
    canvas.svg.addEventListener("pointermove", (event) => {
        if (!last) return;
        canvas.viewport.panBy(event.clientX - last.clientX, event.clientY - last.clientY);
        last = event;
    });
    canvas.svg.addEventListener("pointerup", () => { last = null; });
}
