import { elementOf } from "../ui/walking.js";
import { isInField, shortcutTitle } from "../ui/shortcuts.js";
import { showMenu } from "../ui/menus.js";

/** Menus of what one points at: entities, properties, the graph's boxes, and the paper between. */

const separator = null;
const propertyKinds = new Set(["attribute", "relationship", "fetchedProperty"]);
/** What has a menu. */
const things = "[data-row], [data-inherited], [data-item], [data-box]";

/** Listens to the right button, and to the keys that stand for it. @param {any} app */
export function listenForContextMenus(app) {
    document.addEventListener("contextmenu", (event) => {
        const target = /** @type {Element} */ (event.target);
        if (event.defaultPrevented || target.closest("dialog, .menu") || isTyping(event)) return;
        open(app, target, { x: event.clientX, y: event.clientY }, event);
    });
    document.addEventListener("keydown", (event) => {
        const isMenuKey = event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey);
        const focused = document.activeElement ?? document.body;
        if (!isMenuKey || event.defaultPrevented || focused.closest("dialog, .menu") || isInField(event)) return;
        const thing = focused.closest(things) ?? elementOf(app.workspace.selection.at(-1));
        if (thing) open(app, thing, below(thing), event);
    });
}

/** A field that has the focus keeps the browser's menu, for its text. */
function isTyping(event) {
    return isInField(event) && document.activeElement === event.target;
}

function below(element) {
    const box = element.getBoundingClientRect();
    return { x: box.left + Math.min(24, box.width / 2), y: Math.min(box.bottom, box.top + 30) };
}

function open(app, target, at, event) {
    const { workspace, store } = app;
    const thing = target.closest(things);
    const inherited = store.record(thing?.dataset.inherited);
    const link = target.closest("[data-link]");
    if (link) app.graph.selectLink(link.dataset.link);
    const id = link ? workspace.selection.at(-1) : thing && (thing.dataset.row ?? thing.dataset.item ?? thing.dataset.box);
    const record = inherited ?? store.record(id);
    const items = inherited ? inheritedItems(app, inherited) : record ? itemsOf(app, record) : itemsOfPlace(app, target);
    if (!items) return;
    event.preventDefault();
    if (record && !inherited && !workspace.selection.includes(id)) workspace.select(id);
    if (!inherited && (thing instanceof HTMLElement || thing instanceof SVGElement)) thing.focus({ preventScroll: true });
    showMenu(items(), at, { label: record ? `Menu of ${record.name}` : "Context menu" });
}

/** @returns {() => any[]} Made after the element is selected, because commands look at the selection. */
function itemsOf(app, record) {
    const command = commandItem(app);
    const edits = () => [command("copy"), command("paste"), command("duplicate"), { ...command("delete"), isDestructive: true }];
    const moves = () => [command("moveUp"), command("moveDown")];
    if (record.kind === "entity") {
        return () => [
            command("rename"), separator, command("addAttribute"), command("addRelationship"), command("addFetchedProperty"),
            command("addSubentity"), separator, ...edits(), separator, ...moves(), separator, otherStyle(app)
        ];
    }
    if (propertyKinds.has(record.kind)) {
        return () => [command("rename"), ...relationshipItems(app, record), separator, ...edits(), separator, ...moves(), separator, otherStyle(app)];
    }
    return () => [command("rename"), separator, ...edits(), separator, ...moves()];
}

/** What is inherited is edited where it stands. */
function inheritedItems({ store, workspace }, record) {
    return () => [{ title: `Show in ${store.record(record.owner)?.name}`, action: () => workspace.reveal(record.id, "name") }];
}

function relationshipItems({ store, workspace, editing }, record) {
    if (record.kind === "attribute") return [];
    const destination = store.record(record.destination);
    return [
        destination && { title: "Go to Destination", action: () => workspace.reveal(destination.id) },
        record.kind === "relationship" && record.inverse
            && { title: "Go to Inverse", action: () => workspace.reveal(record.inverse) },
        record.kind === "relationship" && destination && !record.inverse
            && { title: "Create Inverse", action: () => editing.add({ kind: "addInverse", relationship: record.id }) },
    ].filter(Boolean);
}

/** The menu of what is no element: the graph's paper and the free part of the sidebar. */
function itemsOfPlace(app, target) {
    const command = commandItem(app);
    if (target.closest(".graph-container")) {
        return () => [command("addEntity"), command("paste"), separator, command("selectAll"), separator, command("fit"), command("arrange")];
    }
    if (!target.closest(".sidebar-lists")) return null;
    return () => [command("addEntity"), command("addFetchRequest"), command("addConfiguration"), command("addComposite"), separator, command("paste")];
}

function otherStyle({ commands, workspace }) {
    const isGraph = workspace.style === "graph";
    return { title: isGraph ? "Show in Table" : "Show in Graph", action: () => {
        const id = workspace.selection.at(-1);
        commands.run(isGraph ? "table" : "graph");
        if (id) requestAnimationFrame(() => workspace.reveal(id));
    } };
}

function commandItem({ commands }) {
    return (id) => {
        const { title, isEnabled, key, shortcut } = commands.get(id);
        const keys = shortcut ?? key;
        return {
            title: title(), isDisabled: !(isEnabled?.() ?? true), action: () => commands.run(id),
            shortcut: keys && shortcutTitle(keys),
        };
    };
}
