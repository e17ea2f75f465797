/**
 * A property of the source that is dragged onto one of the destination makes up its value. The keyboard does the same in the
 * table: there one types the expression.
 */

/** What a property of the source does when it is pressed. @param {any} app @param {{name: string, kind: string}} property */
export function draggable(app, property) {
    return {
        onpointerdown: (event) => {
            if (event.button !== 0) return;
            const row = event.currentTarget;
            /** @type {HTMLElement?} */
            let target = null;
            const mark = (next) => {
                if (target) delete target.dataset.drop;
                target = next;
                if (target) target.dataset.drop = "on";
            };
            const end = () => {
                mark(null);
                delete row.dataset.dragged;
                row.onpointermove = row.onpointerup = row.onpointercancel = null;
            };
            row.setPointerCapture(event.pointerId);
            row.onpointermove = ({ clientX, clientY }) => {
                row.dataset.dragged = "";
                mark(rowAt(clientX, clientY, property));
            };
            row.onpointerup = () => {
                const name = target?.dataset.property;
                end();
                if (name) drop(app, property, name);
            };
            row.onpointercancel = end;
        },
    };
}

/** The property of the destination at a point, if it can have the value. */
function rowAt(x, y, { kind }) {
    const row = /** @type {HTMLElement?} */ (document.elementFromPoint(x, y)?.closest(".map-column.destination .map-row"));
    return row?.dataset.kind === (kind === "relationship" ? "relationship" : "attribute") ? row : null;
}

function drop({ store, workspace, editing }, property, name) {
    const mapping = workspace.entityMapping;
    const record = store.list(mapping.properties).find((each) => each.name === name);
    editing.set(record?.id ?? `${mapping.id}/${name}`, { expression: expressionOf(property) });
}

/** The value of a property of the source object; of a relationship, what its objects have become. */
function expressionOf({ name, kind }) {
    if (kind !== "relationship") return `$source.${name}`;
    return `FUNCTION($manager, "destinationInstancesForSourceRelationshipNamed:sourceInstances:", "${name}", $source.${name})`;
}

/** A click on a property of the destination goes to its expression. */
export function clickable(property) {
    return { onclick: () => /** @type {HTMLElement?} */ (document.querySelector(`tr[data-name="${CSS.escape(property.name)}"] textarea`))?.focus() };
}
