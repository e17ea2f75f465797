/**
 * Views as values: `h` describes an element, `mount` makes the page look like the description and keeps what stays the
 * same, focus and half-typed text included. All text ends up in text nodes or attributes, never in markup.
 *
 * @typedef {{tag: string, props: Object<string, any>, children: Node_[], key: any, element?: Element}} ElementNode
 * @typedef {{text: string, element?: Text}} TextNode
 * @typedef {ElementNode | TextNode} Node_
 */

const svgNamespace = "http://www.w3.org/2000/svg";
/** What is set as a property of the element, because the attribute only gives its first value. */
const liveProperties = new Set(["value", "checked", "indeterminate", "selected", "disabled", "open", "scrollTop"]);
/**
 * What the page was last told to show in a field, and what the field made of it: a field of one line leaves line ends out,
 * one of several lines has line feeds alone. A field that has another value is being edited.
 *
 * @type {WeakMap<Element, {text: any, value: string}>}
 */
const shownValues = new WeakMap();
const listeners = new WeakMap();

/**
 * An element. Properties that begin with `on` are listeners (`onclick`); `key` tells siblings apart, `ref` is called with
 * a new element. Children may be texts, elements, lists of them, or nothing.
 *
 * @param {string} tag An element's name, with classes after dots: `"div.row.selected"`.
 * @param {Object<string, any>?} [props]
 * @param {...any} children
 * @returns {ElementNode}
 */
export function h(tag, props, ...children) {
    const [name, ...classes] = tag.split(".");
    const all = { ...props };
    const extra = all.class ? [all.class] : [];
    if (classes.length + extra.length) all.class = [...classes, ...extra].join(" ");
    const key = all.key;
    delete all.key;
    return { tag: name, props: all, children: normalized(children), key };
}

/** @returns {Node_[]} */
function normalized(children) {
    return children.flat(Infinity)
        .filter((child) => child !== null && child !== undefined && child !== false && child !== true)
        .map((child) => (typeof child === "object" ? child : { text: String(child) }));
}

/**
 * Shows nodes in a container; what it showed before is changed to them.
 *
 * @param {Element & {shown?: Node_[]}} container
 * @param {...any} nodes
 */
export function mount(container, ...nodes) {
    const next = normalized(nodes);
    patchChildren(container, container.shown ?? [], next);
    container.shown = next;
}

function patchChildren(parent, old, next) {
    const keyed = new Map(old.filter((node) => node.key !== undefined).map((node) => [node.key, node]));
    const unkeyed = old.filter((node) => node.key === undefined);
    const kept = new Set();
    let unkeyedPlace = 0;
    const matches = next.map((node) => {
        const match = node.key !== undefined ? keyed.get(node.key) : unkeyed[unkeyedPlace++];
        if (!match || kept.has(match) || !isSameKind(match, node)) return null;
        kept.add(match);
        return match;
    });
    for (const node of old) if (!kept.has(node)) node.element.remove();
    let before = parent.firstChild;
    next.forEach((node, index) => {
        const match = matches[index];
        if (match) patch(match, node);
        else create(node, parent);
        if (node.element === before) before = before.nextSibling;
        else place(parent, node.element, before);
    });
}

/** Puts an element where it belongs; one that is moved keeps the focus. */
function place(parent, element, before) {
    const isMoved = element.parentNode === parent;
    if (isMoved && parent.moveBefore) return parent.moveBefore(element, before);
    const focused = isMoved && element.contains(document.activeElement) ? document.activeElement : null;
    parent.insertBefore(element, before);
    focused?.focus({ preventScroll: true });
}

function isSameKind(a, b) {
    return a.tag === b.tag;
}

function create(node, parent) {
    if (node.text !== undefined) {
        node.element = document.createTextNode(node.text);
        return;
    }
    const isSVG = node.tag === "svg" || (parent.namespaceURI === svgNamespace && parent.tagName !== "foreignObject");
    node.element = isSVG ? document.createElementNS(svgNamespace, node.tag) : document.createElement(node.tag);
    for (const child of node.children) {
        create(child, node.element);
        node.element.append(child.element);
    }
    setProps(node.element, {}, node.props);
    node.props.ref?.(node.element);
}

function patch(old, node) {
    node.element = old.element;
    if (node.text !== undefined) {
        if (old.text !== node.text) node.element.data = node.text;
        return;
    }
    if (!node.props.isOpaque) patchChildren(node.element, old.children, node.children);
    setProps(node.element, old.props, node.props);
}

function setProps(element, old, props) {
    for (const name of Object.keys(old)) if (!(name in props)) setProp(element, name, null);
    for (const [name, value] of Object.entries(props)) {
        if (value !== old[name] || liveProperties.has(name)) setProp(element, name, value);
    }
}

function setProp(element, name, value) {
    if (name === "ref" || name === "isOpaque") return;
    if (name.startsWith("on")) return setListener(element, name.slice(2), value);
    if (liveProperties.has(name)) return setLive(element, name, value);
    if (value === null || value === undefined || value === false) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
}

function setLive(element, name, value) {
    if (name !== "value") {
        element[name] = value ?? false;
        return;
    }
    const text = value ?? "";
    const shown = shownValues.get(element);
    if (shown?.text === text && (isEdited(element) || element.value === shown.value)) return;
    if (element.value !== text) element.value = text;
    // A list may get the choice later.
    const isList = element instanceof HTMLSelectElement;
    shownValues.set(element, { text, value: isList ? String(text) : element.value });
}

/** One listener an event and element, which can be exchanged without registering again. */
function setListener(element, type, handler) {
    let handlers = listeners.get(element);
    if (!handlers) listeners.set(element, (handlers = {}));
    if (!(type in handlers)) element.addEventListener(type, (event) => handlers[type]?.(event));
    handlers[type] = handler;
}

/**
 * Whether a field holds something else than the page was told to show.
 * @param {any} element
 */
export function isChanged(element) {
    return shownValues.has(element) && element.value !== shownValues.get(element).value;
}

/**
 * Whether a field holds something else than the page was told to show: what its user is typing.
 * @param {any} element
 */
export function isEdited(element) {
    return document.activeElement === element && isChanged(element);
}

/**
 * Gives up what was typed in a field.
 * @param {any} element
 */
export function revert(element) {
    if (shownValues.has(element)) element.value = shownValues.get(element).text;
}
