/**
 * Rows that can be dragged to another place of their list. The keyboard does the same with Alt and the arrow keys.
 */
let dragged = null;

/**
 * The properties that make a row draggable.
 *
 * @param {string} id @param {string} owner The record that lists it. @param {string} list The list's name, or the kind.
 * @param {number} index @param {(id: string, to: number) => any} move
 */
export function reorderable(id, owner, list, index, move) {
    const group = `${owner}.${list}`;
    const accepts = () => dragged && dragged.group === group && dragged.id !== id;
    return {
        draggable: "true",
        ondragstart: (event) => {
            if (event.target.closest("input, select, textarea")) return event.preventDefault();
            dragged = { id, group, index };
            event.dataTransfer.effectAllowed = "move";
            event.dataTransfer.setData("text/plain", id);
        },
        ondragend: (event) => { dragged = null; clear(event.currentTarget); },
        ondragover: (event) => {
            if (!accepts()) return;
            event.preventDefault();
            event.currentTarget.dataset.drop = dragged.index < index ? "after" : "before";
        },
        ondragleave: (event) => clear(event.currentTarget),
        ondrop: (event) => {
            clear(event.currentTarget);
            if (!accepts()) return;
            event.preventDefault();
            move(dragged.id, index);
        },
    };
}

function clear(element) {
    delete element?.dataset.drop;
}
