import { act } from "./commands.js";

/** The to-many relationship whose members a place shows. */
export function relationshipOf(data, place) {
    if (!place?.member) return null;
    const owner = data.entity(place.member.object.split("/")[0]);
    return owner?.properties.find((property) => property.name === place.member.relationship) ?? null;
}

/** Whether the rows stand in the order of their relationship, so that a person can move them. */
export function isMovable(data) {
    const { place } = data;
    return Boolean(data.edits && relationshipOf(data, place)?.isOrdered && place.sort.length === 0 && !place.predicate.trim());
}

/** Moves a member to another place of its relationship. */
export async function moveMember(app, id, to) {
    const { data } = app;
    if (!isMovable(data) || to < 0 || to >= data.source.total) return;
    const { object, relationship: key } = data.place.member;
    const made = await act(app, { kind: "move", object, key, member: id, to });
    if (!made) return;
    app.grid.go(to, app.grid.active.column);
    app.grid.root.focus();
}

/** Takes a member out of the relationship that is shown. It is not deleted. */
export function removeMember(app, id) {
    const { object, relationship: key } = app.data.place.member;
    return act(app, { kind: "remove", object, key, members: [id] });
}

/** Drags a row to another place: the mouse is followed until its button is let go of. */
export function dragRow(app, grid, event, row) {
    if (event.button !== 0 || !isMovable(app.data)) return;
    const node = grid.root;
    const start = event.clientY;
    const line = document.createElement("div");
    line.className = "drop-line";
    let to = null;
    const move = (moved) => {
        if (to === null && Math.abs(moved.clientY - start) < 6) return;
        to = Math.max(0, Math.min(grid.source.total - 1, grid.rowAt(moved.clientY)));
        line.style.transform = `translateY(${grid.edgeOf(to + (to > row ? 1 : 0))}px)`;
        grid.body.append(line);
    };
    const end = () => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", end);
        removeEventListener("pointercancel", end);
        line.remove();
        if (to !== null && to !== row) moveMember(app, grid.source.row(row).id, to);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
    node.focus();
}
