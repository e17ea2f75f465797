import { mount } from "../ui/view.js";
import { shown } from "./cells.js";
import { isNew } from "./editing/picker.js";
import { thumbnail } from "./pictures.js";
import { editActive } from "./editing/gridEditing.js";
import { headRow } from "./gridHeader.js";
import { stepOf } from "./gridKeys.js";
import { rowHeight, RowScroll } from "./rowScroll.js";
import { colorOf, swatchElement } from "./valueMarks.js";

/** Rows that are made before they come into sight. */
const margin = 8;

/**
 * Rows and columns of any number: only what is seen is on the page. It is one stop of the Tab key; arrow keys walk from
 * cell to cell.
 *
 * @typedef {{select: (row: any, index: number) => void, open: (row: any, column: any, value: any) => void,
 *   sort: (column: any, isAdded: boolean) => void, menu: (cell: {row: any, column: any, value: any}|{column: any}, at: any) => void,
 *   resize: (column: any, width: number) => void, move: (column: any, to: number) => void,
 *   edit: (at: {cell: HTMLElement, row: any, column: any, value: any}) => boolean, drag: (event: any, row: number) => void}} Actions
 */
export class Grid {
    /** @type {import("./rowSource.js").RowSource?} */
    source = null;
    /** @type {import("./columns.js").Column[]} */
    columns = [];
    active = { row: 0, column: 0 };
    /** Row elements by the number of their row. @type {Map<number, HTMLElement & {shownRow?: any}>} */
    #rows = new Map();
    #scroll = new RowScroll();
    #isScheduled = false;

    /** @param {HTMLElement} root @param {Actions} actions */
    constructor(root, actions) {
        [this.root, this.actions] = [root, actions];
        this.head = element("div", "grid-head", { role: "rowgroup" });
        this.body = element("div", "grid-body", { role: "rowgroup" });
        root.append(this.head, this.body);
        root.addEventListener("scroll", () => this.#follow(), { passive: true });
        root.addEventListener("keydown", (event) => this.#press(event));
        this.body.addEventListener("click", (event) => this.#click(event));
        this.body.addEventListener("dblclick", (event) => { if (!this.edit()) this.#open(this.#cellAt(event)); });
        this.body.addEventListener("pointerdown", (event) => this.#drag(event));
        this.body.addEventListener("contextmenu", (event) => this.#menu(event));
        new ResizeObserver(() => this.#schedule()).observe(root);
    }

    /** Shows other rows, from the first one on. */
    show(source, columns, sort, label) {
        this.source?.end();
        [this.source, this.active] = [source, { row: 0, column: Math.min(this.active.column, columns.length - 1) }];
        this.root.setAttribute("aria-label", label);
        this.arrange(columns, sort);
        this.scrollToStart();
        source.addEventListener("change", () => this.source === source && this.draw());
        source.addEventListener("faded", () => { for (const cell of this.body.querySelectorAll(".fresh")) cell.classList.remove("fresh"); });
        this.draw();
        this.#select();
    }

    /** Takes other columns, or other widths of them. */
    arrange(columns, sort) {
        [this.columns, this.sort] = [columns, sort];
        for (const row of this.#rows.values()) row.remove();
        this.#rows.clear();
        this.#layOut();
        this.draw();
    }

    #layOut() {
        this.root.style.setProperty("--columns", this.columns.map((column) => `${column.width}px`).join(" "));
        const width = this.columns.reduce((sum, column) => sum + column.width, 0);
        this.head.style.width = this.body.style.width = `${width}px`;
        let left = 0;
        this.lefts = this.columns.map((column) => {
            const place = left;
            left += column.width;
            return column.isFrozen ? place : null;
        });
        this.root.style.scrollPaddingLeft = `${this.#frozenWidth}px`;
        this.#drawHead();
    }

    /** How much of the rows the frozen columns lie over. */
    get #frozenWidth() {
        return this.columns.filter((column) => column.isFrozen).reduce((sum, column) => sum + column.width, 0);
    }

    #drawHead() {
        mount(this.head, headRow(this));
        [...this.head.firstElementChild.children].forEach((node, index) => this.freeze(node, index));
    }

    /** Has the cell of a frozen column stay where it is. */
    freeze(node, index) {
        node.style.left = this.lefts[index] === null ? "" : `${this.lefts[index]}px`;
    }

    // MARK: What is seen

    get #view() {
        return Math.max(rowHeight, this.root.clientHeight - this.head.offsetHeight);
    }

    /** How many rows are seen at once. */
    get page() {
        return Math.max(1, Math.floor(this.#view / rowHeight) - 1);
    }

    #follow() {
        this.#scroll.follow(this.root.scrollTop);
        this.#schedule();
    }

    #schedule() {
        if (this.#isScheduled) return;
        this.#isScheduled = true;
        requestAnimationFrame(() => { this.#isScheduled = false; this.draw(); });
    }

    draw() {
        if (!this.source) return;
        const { source } = this;
        this.#scroll.measure(source.total, this.#view);
        this.body.style.height = `${this.#scroll.height}px`;
        this.root.setAttribute("aria-rowcount", String(source.isTotalKnown ? source.total + 1 : -1));
        this.root.setAttribute("aria-colcount", String(this.columns.length));
        const first = Math.floor(this.#scroll.top / rowHeight);
        const last = first + Math.ceil(this.#view / rowHeight);
        source.want(first - margin, last + margin);
        this.#place(Math.max(0, first - margin), Math.min(source.total - 1, last + margin));
        this.#mark();
        this.onDraw?.(first, Math.min(last, source.total));
    }

    #place(first, last) {
        const spare = [];
        for (const [index, row] of this.#rows) {
            if (index >= first && index <= last) continue;
            this.#rows.delete(index);
            spare.push(row);
        }
        const offset = this.root.scrollTop - this.#scroll.top;
        for (let index = first; index <= last; index += 1) {
            let row = this.#rows.get(index);
            if (!row) {
                row = spare.pop() ?? this.#newRow();
                this.#rows.set(index, row);
                row.shownRow = null;
            }
            row.style.transform = `translateY(${index * rowHeight + offset}px)`;
            this.#fill(row, index);
        }
        for (const row of spare) row.remove();
    }

    #newRow() {
        const row = element("div", "grid-row", { role: "row" });
        this.columns.forEach((column, index) => {
            const cell = element("div", "", { role: "gridcell", "aria-colindex": String(index + 1) });
            this.freeze(cell, index);
            row.append(cell);
        });
        this.body.append(row);
        return row;
    }

    #fill(row, index) {
        const value = this.source.row(index);
        if (row.shownRow === (value ?? "none") && row.dataset.index === String(index)) return;
        row.shownRow = value ?? "none";
        const isSame = row.dataset.id === value?.id;
        row.dataset.index = String(index);
        row.id = `row-${index}`;
        row.setAttribute("aria-rowindex", String(index + 2));
        row.dataset.id = value?.id ?? "";
        row.classList.toggle("waiting", !value);
        row.dataset.state = value?.state ?? "";
        this.columns.forEach((column, place) => {
            const cell = row.children[place];
            // What one is typing stays.
            if (!isSame || !cell.querySelector(".cell-editor")) this.#fillCell(cell, value, column, index, place);
        });
    }

    #fillCell(cell, row, column, index, place) {
        const content = row ? this.#content(row, column) : { text: "" };
        cell.id = `cell-${index}-${place}`;
        cell.textContent = content.text;
        const value = row?.cells && this.value(row, column);
        const picture = value?.bytes && thumbnail(row.id, column.name, value);
        if (picture) cell.prepend(picture);
        const color = column.kind === "attribute" ? colorOf(value) : null;
        if (color) cell.prepend(swatchElement(color));
        cell.className = ["grid-cell", column.isNumber && "number", column.isFrozen && "frozen", content.class,
            row?.changed?.includes(column.name) && "changed", isFresh(row, column) && "fresh"].filter(Boolean).join(" ");
        if (content.title) cell.title = content.title;
        else cell.removeAttribute("title");
    }

    #content(row, column) {
        if (column.kind === "identifier") return { text: isNew(row.id) ? "new" : row.id, class: "identifier" };
        if (row.isMissing) return { text: "missing", class: "no-value" };
        return shown(row.cells[this.source.columns.indexOf(column.name)], column);
    }

    /** The value behind a cell. */
    value(row, column) {
        return column.kind === "identifier" ? row.id : row.cells?.[this.source.columns.indexOf(column.name)];
    }

    // MARK: The active cell

    #mark() {
        this.body.querySelector(".active")?.classList.remove("active");
        this.body.querySelector("[aria-selected=true]")?.removeAttribute("aria-selected");
        const row = this.#rows.get(this.active.row);
        const cell = row?.children[this.active.column];
        if (!cell || !this.source.total) return this.root.removeAttribute("aria-activedescendant");
        row.setAttribute("aria-selected", "true");
        cell.classList.add("active");
        this.root.setAttribute("aria-activedescendant", cell.id);
    }

    /** Makes a cell the active one, and brings it into sight. */
    go(row, column) {
        const { source } = this;
        if (!source?.total) return;
        this.active = { row: Math.max(0, Math.min(row, source.total - 1)), column: Math.max(0, Math.min(column, this.columns.length - 1)) };
        const top = this.active.row * rowHeight;
        if (top < this.#scroll.top) this.root.scrollTop = this.#scroll.position(top);
        else if (top + rowHeight > this.#scroll.top + this.#view) this.root.scrollTop = this.#scroll.position(top + rowHeight - this.#view);
        this.#reveal(this.active.column);
        this.draw();
        this.#select();
    }

    #reveal(column) {
        if (this.columns[column].isFrozen) return;
        const left = this.columns.slice(0, column).reduce((sum, each) => sum + each.width, 0);
        const right = left + this.columns[column].width;
        if (left - this.#frozenWidth < this.root.scrollLeft) this.root.scrollLeft = left - this.#frozenWidth;
        else if (right > this.root.scrollLeft + this.root.clientWidth) this.root.scrollLeft = right - this.root.clientWidth;
    }

    /** Tells which row is the active one, now or as soon as it is here. */
    #select() {
        const { source, active: { row: index } } = this;
        const row = source.row(index);
        if (row) return this.actions.select(row, index);
        source.addEventListener("change", () => {
            if (this.source === source && this.active.row === index && source.row(index)) this.actions.select(source.row(index), index);
        }, { once: true });
    }

    #cellAt(event) {
        const cell = event.target.closest(".grid-cell");
        const row = cell?.parentElement;
        if (!row) return null;
        return { row: Number(row.dataset.index), column: [...row.children].indexOf(cell), cell };
    }

    #click(event) {
        const at = this.#cellAt(event);
        if (!at || event.target.closest(".cell-editor")) return;
        this.go(at.row, at.column);
        if (at.cell.matches(".link-cell, .count-cell")) this.#open(at);
    }

    #open(at) {
        const row = at && this.source.row(at.row);
        if (!row) return;
        this.actions.open(row, this.columns[at.column], this.value(row, this.columns[at.column]));
    }

    // MARK: Editing

    /** Edits the active cell. @returns {boolean} Whether it can be edited. */
    edit() {
        return editActive(this);
    }

    /** The element of a cell, if it is on the page. @returns {HTMLElement?} */
    cell(row, column) {
        return /** @type {HTMLElement?} */ (this.#rows.get(row)?.children[column]) ?? null;
    }

    /** Brings the first row into sight. */
    scrollToStart() {
        this.root.scrollTop = this.#scroll.position(0);
    }

    /** Where one looks. */
    get view() {
        return { ...this.active, top: this.#scroll.top, left: this.root.scrollLeft };
    }

    /** Looks where one looked before. @param {{row: number, column: number, top: number, left: number}} view */
    lookAt({ row, column, top, left }) {
        this.go(row, column);
        this.root.scrollTop = this.#scroll.position(top);
        this.root.scrollLeft = left;
        this.draw();
    }

    /** Draws all cells anew. */
    refill() {
        for (const row of this.#rows.values()) row.shownRow = null;
        this.draw();
    }

    /** The number of the row at a height of the window. */
    rowAt(y) {
        const top = this.root.getBoundingClientRect().top + this.head.offsetHeight;
        return Math.floor((y - top + this.#scroll.top) / rowHeight);
    }

    /** How far from the body's top the upper edge of a row is. */
    edgeOf(row) {
        return row * rowHeight + this.root.scrollTop - this.#scroll.top;
    }

    #drag(event) {
        const at = this.#cellAt(event);
        if (at && this.columns[at.column].kind === "identifier") this.actions.drag(event, at.row);
    }

    #menu(event) {
        const at = this.#cellAt(event);
        if (!at) return;
        event.preventDefault();
        this.go(at.row, at.column);
        this.#showMenu({ x: event.clientX, y: event.clientY });
    }

    #showMenu(at) {
        const row = this.source?.row(this.active.row);
        const column = this.columns[this.active.column];
        if (row) this.actions.menu({ row, column, value: this.value(row, column) }, at);
        else if (column) this.actions.menu({ column }, at);
    }

    #press(event) {
        if (event.target !== this.root) return;
        const step = stepOf(event, this);
        if (step) this.go(step.row, step.column);
        else if (event.key === "F2") this.edit();
        else if (event.key === "Enter") { if (!this.edit()) this.#open(this.active); }
        else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) {
            this.#showMenu(this.root.querySelector(".active") ?? this.root);
        } else return;
        event.preventDefault();
        event.stopPropagation();
    }
}

/** Whether a cell shows what another program has saved a moment ago. */
function isFresh(row, column) {
    return row?.freshUntil > performance.now() && row.fresh.includes(column.name);
}

function element(tag, name, attributes) {
    const made = document.createElement(tag);
    made.className = name;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
}
