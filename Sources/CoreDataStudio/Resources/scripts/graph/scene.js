import { typeTitle } from "../model/types.js";
import { boxSize, rowOffset } from "./metrics.js";

/**
 * What is to be drawn of a model: boxes with rows, and links with what is at their ends. A relationship and its inverse
 * are one link. The module `ModelGraph` finds the same.
 *
 * @typedef {{id: string, kind: string, name: string, detail: string, isOptional: boolean}} Row
 * @typedef {{id: string, name: string, isAbstract: boolean, rows: Row[], width: number, height: number, x: number, y: number}} Box
 * @typedef {{isToMany: boolean, isOptional: boolean}} Arrow
 * @typedef {{box: string, row: number|null, arrow: Arrow|null, relationship: any}} End
 * @typedef {{id: string, kind: "relationship"|"inheritance", source: End, target: End, number: number}} Link
 */

/**
 * @param {(id: string|null|undefined) => any} get A record by its identifier.
 * @param {string[]} entityIDs
 * @returns {{boxes: Map<string, Box>, links: Link[]}}
 */
export function makeScene(get, entityIDs) {
    const boxes = new Map(entityIDs.map((id) => [id, makeBox(get, get(id))]));
    const links = entityIDs.flatMap((id) => [
        ...inheritance(get(id), boxes), ...get(id).relationships.map((other) => link(get, boxes, get(other)))
    ])
        .filter(Boolean).map((found, number) => ({ ...found, number }));
    return { boxes, links };
}

function makeBox(get, entity) {
    const row = (record, detail) => ({
        id: record.id, kind: record.kind, name: record.name ?? "", detail, isOptional: Boolean(record.isOptional)
    });
    const list = (ids) => ids.map(get).filter(Boolean);
    const rows = [
        ...list(entity.attributes).map((record) => row(
            record,
            record.type === "composite" ? get(record.composite)?.name ?? record.compositeName ?? "Composite" : record.type === "binary" ? "Binary" : typeTitle(record.type)
        )),
        ...list(entity.relationships).map((record) => row(
            record, get(record.destination)?.name ?? record.destinationName ?? "?"
        )),
        ...list(entity.fetchedProperties).map((record) => row(
            record, get(record.destination)?.name ?? record.destinationName ?? "?"
        )),
    ];
    return {
        id: entity.id, name: entity.name ?? "", isAbstract: Boolean(entity.isAbstract), rows,
        ...boxSize(entity.name ?? "", rows), x: 0, y: 0
    };
}

function inheritance(entity, boxes) {
    if (!boxes.has(entity.parent) || entity.parent === entity.id) return [];
    const end = (box, arrow) => ({ box, row: null, arrow, relationship: null });
    return [{
        id: `${entity.id}-parent`, kind: "inheritance", source: end(entity.id, null),
        target: end(entity.parent, { isToMany: false, isOptional: false })
    }];
}

function link(get, boxes, relationship) {
    if (!relationship) return null;
    const back = relationship.isInverseMutual ? get(relationship.inverse) : null;
    const arrow = ({ isToMany, isOptional }) => ({ isToMany: Boolean(isToMany), isOptional: Boolean(isOptional) });
    if (!back || back.id === relationship.id || !boxes.has(back.owner)) {
        if (!boxes.has(relationship.destination)) return null;
        const target = { box: relationship.destination, row: null, arrow: arrow(relationship), relationship: null };
        return { id: relationship.id, kind: "relationship", source: end(boxes, relationship, null), target };
    }
    if (!isFirst(boxes, relationship, back)) return null;
    return {
        id: relationship.id, kind: "relationship", source: end(boxes, relationship, arrow(back)),
        target: end(boxes, back, arrow(relationship))
    };
}

function end(boxes, relationship, arrow) {
    const row = boxes.get(relationship.owner).rows.findIndex(({ id }) => id === relationship.id);
    return { box: relationship.owner, row, arrow, relationship };
}

/** Of a pair, the relationship that comes first by entity and then by place stands for both. */
function isFirst(boxes, relationship, back) {
    if (relationship.owner === back.owner) {
        const rows = boxes.get(back.owner).rows.map(({ id }) => id);
        return rows.indexOf(relationship.id) < rows.indexOf(back.id);
    }
    const order = [...boxes.keys()];
    return order.indexOf(relationship.owner) < order.indexOf(back.owner);
}

/** Where a link meets a box, from its upper edge. @param {Box} box */
export function endOffset(box, row, kind) {
    if (row === null || row < 0) return kind === "inheritance" ? 10 : 22;
    return rowOffset(box.rows, row);
}
