import { metrics } from "./metrics.js";
import { endOffset } from "./scene.js";

/**
 * The ways of links round the boxes, as the module `ModelGraph` finds them (`Drawing/Route.swift`).
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {{point: Point, direction: Point, stub: number}} Landing
 * @typedef {{start: Landing, end: Landing, bends: Point[]}} Route
 */
const clearance = 8;
const outside = ({ point, direction, stub }) => ({ x: point.x + direction.x * stub, y: point.y + direction.y * stub });

/** @param {import("./scene.js").Link} link @param {Map<string, import("./scene.js").Box>} boxes @returns {Route} */
export function route(link, boxes) {
    const a = boxes.get(link.source.box);
    const b = boxes.get(link.target.box);
    const { start, end, isDirect } = landings(link, a, b);
    const [from, to] = [outside(start), outside(end)];
    const detour = 14 + ((link.number % 5) - 2) * 2;
    const way = isDirect ? [] : path(from, to, boxes, detour, 4);
    return { start, end, bends: [from, ...way, to] };
}

function landings(link, a, b) {
    const land = (end, box, onRight, stub) => ({
        point: {
            x: onRight ? box.x + box.width : box.x, y: box.y + endOffset(box, end.row, link.kind)
        }, direction: { x: onRight ? 1 : -1, y: 0 }, stub,
    });
    if (a === b) return {
        start: land(link.source, a, true, metrics.stub), end: land(link.target, b, true, metrics.stub), isDirect: true
    };
    const vertical = link.kind === "inheritance" && verticalLandings(a, b);
    if (vertical) return vertical;
    const gap = Math.max(b.x - a.x - a.width, a.x - b.x - b.width);
    if (gap < 24) {
        const onRight = Math.abs(a.x + a.width - b.x - b.width) <= Math.abs(a.x - b.x);
        return {
            start: land(link.source, a, onRight, metrics.stub), end: land(link.target, b, onRight, metrics.stub),
            isDirect: false
        };
    }
    const stub = Math.min(metrics.stub, gap / 2);
    const isRight = a.x + a.width < b.x;
    return { start: land(link.source, a, isRight, stub), end: land(link.target, b, !isRight, stub), isDirect: false };
}

function verticalLandings(child, parent) {
    const overlap = Math.min(child.x + child.width, parent.x + parent.width) - Math.max(child.x, parent.x);
    const gap = Math.max(child.y - parent.y - parent.height, parent.y - child.y - child.height);
    if (overlap <= 40 || gap < 24) return null;
    const isBelow = child.y > parent.y;
    const land = (box, atTop) => ({
        point: {
            x: box.x + box.width / 2, y: atTop ? box.y : box.y + box.height
        }, direction: { x: 0, y: atTop ? -1 : 1 }, stub: Math.min(20, gap / 2),
    });
    return { start: land(child, isBelow), end: land(parent, !isBelow), isDirect: true };
}

function path(start, end, boxes, detour, depth) {
    const obstacle = depth > 0 ? nearest(boxes, start, end) : null;
    if (!obstacle) return [];
    const climb = (y) => Math.abs(start.y - y) + Math.abs(end.y - y);
    const [above, below] = [obstacle.y - detour, obstacle.y + obstacle.height + detour];
    const y = climb(above) < climb(below) ? above : below;
    const [left, right] = [{ x: obstacle.x - detour, y }, { x: obstacle.x + obstacle.width + detour, y }];
    const heading = start.x <= end.x ? 1 : -1;
    const [first, second] = heading > 0 ? [left, right] : [right, left];
    if ((start.x - first.x) * heading > 0) first.x = start.x;
    if ((second.x - end.x) * heading > 0) second.x = end.x;
    if ((second.x - first.x) * heading <= 0) second.x = first.x + heading;
    return [
        ...path(start, first, boxes, detour, depth - 1), first, second, ...path(second, end, boxes, detour, depth - 1)
    ];
}

function nearest(boxes, start, end) {
    let best = null;
    let distance = Infinity;
    for (const box of boxes.values()) {
        if (!crosses(box, start, end)) continue;
        const away = Math.abs(box.x + box.width / 2 - start.x);
        if (away < distance) [best, distance] = [box, away];
    }
    return best;
}

/** Whether the line from point to point comes too near to the box (Liang and Barsky). */
function crosses(box, a, b) {
    const [minX, maxX] = [box.x - clearance, box.x + box.width + clearance];
    const [minY, maxY] = [box.y - clearance, box.y + box.height + clearance];
    // Most boxes are far away.
    if ((a.x < minX && b.x < minX) || (a.x > maxX && b.x > maxX) || (a.y < minY && b.y < minY) || (a.y > maxY && b.y > maxY)) return false;
    let [enter, leave] = [0, 1];
    const [dx, dy] = [b.x - a.x, b.y - a.y];
    for (const [slope, distance] of [[-dx, a.x - minX], [dx, maxX - a.x], [-dy, a.y - minY], [dy, maxY - a.y]]) {
        if (slope === 0) {
            if (distance <= 0) return false;
        } else if (slope < 0) enter = Math.max(enter, distance / slope);
        else leave = Math.min(leave, distance / slope);
    }
    return enter < leave;
}

const number = (value) => Math.round(value * 10) / 10;
const write = ({ x, y }) => `${number(x)} ${number(y)}`;

/** The line as SVG writes it: straight at the boxes, swinging between. @param {Route} way */
export function pathData({ start, end, bends }) {
    let data = `M${write(start.point)}L${write(bends[0])}`;
    for (let index = 0; index + 1 < bends.length; index++) {
        const [from, to] = [bends[index], bends[index + 1]];
        const leave = index === 0 ? start.direction : heading(bends, index);
        const arrive = index + 2 === bends.length ? end.direction : negated(heading(bends, index + 1));
        const far = reach(from, to, leave, arrive);
        data += `C${write(along(from, leave, far))} ${write(along(to, arrive, far))} ${write(to)}`;
    }
    return `${data}L${write(end.point)}`;
}

const negated = ({ x, y }) => ({ x: -x, y: -y });
const along = (point, direction, distance) => ({
    x: point.x + direction.x * distance, y: point.y + direction.y * distance
});

/** At what it goes round, the line runs along the box. */
function heading(bends, index) {
    const [from, to] = index % 2 === 1 ? [index, index + 1] : [index - 1, index];
    return { x: bends[to].x - bends[from].x < 0 ? -1 : 1, y: 0 };
}

function reach(from, to, leave, arrive) {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const ahead = dx * leave.x + dy * leave.y;
    if (ahead < 0) return Math.min(Math.max(36, Math.hypot(dx, dy) * 0.4), 120);
    if (leave.x === arrive.x && leave.y === arrive.y) return Math.min(Math.max(20, Math.abs(dy) * 0.3), 90);
    return Math.max(ahead / 2, Math.min(30, Math.abs(dy) * 0.22));
}
