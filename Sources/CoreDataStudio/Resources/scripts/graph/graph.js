import { ServerError } from "../net/api.js";
import { configurationNumbers } from "../model/queries.js";
import { showMenu } from "../ui/menus.js";
import { Canvas } from "./canvas.js";
import { download, picture, svgText } from "./exporting.js";
import { Finder } from "./finder.js";
import { Keyboard } from "./keyboard.js";
import { Minimap } from "./minimap.js";
import { neighbourhood } from "./neighbourhood.js";
import { Places } from "./places.js";
import { Pointer } from "./pointer.js";
import { renameField } from "./renameField.js";

/** The model as a drawing that can be edited. */
export class Graph {
    /** Whether what is not related to the selected entity is dimmed. */
    dims = false;
    /** How many links away from the selected entity what is shown may be; 0: all is shown. */
    steps = 0;
    #version = "";
    /** How many layouts are under way: while one is, another version may be chosen. */
    #layouts = 0;
    /** What was shown alone at the last drawing. */
    #shownAlone = "";

    /** @param {any} app @param {HTMLElement} container */
    constructor(app, container) {
        this.app = app;
        this.container = container;
        this.canvas = new Canvas(container, "Graph of the model");
        this.minimap = new Minimap(container, this.canvas);
        this.finder = new Finder(this);
        this.places = new Places(app.store);
        new Pointer(this);
        new Keyboard(this);
        app.workspace.addEventListener("reveal", (event) => this.#reveal(event.detail));
        this.canvas.viewport.addEventListener("change", () => this.#showZoom());
        new ResizeObserver(() => this.#fitFirst()).observe(container);
    }

    get selectedBoxes() {
        return new Set(this.app.workspace.selection.filter((id) => this.app.store.record(id)?.kind === "entity"));
    }

    /** Draws what has changed. */
    update() {
        const { store } = this.app;
        if (this.#version !== store.version) return this.#load();
        if (this.isComputing) return;
        this.#draw();
    }

    /** Whether a layout is under way. */
    get isComputing() {
        return this.#layouts > 0;
    }

    async #load() {
        this.#version = this.app.store.version;
        const { aspect } = this;
        this.container.dataset.aspect = String(aspect);
        await this.#computing(() => this.places.load(aspect));
        if (this.isComputing) return;
        this.#draw();
        this.#needsFit = true;
        this.#fitFirst();
    }

    /** Waits for the layout, with a sign that it is under way. */
    async #computing(work) {
        this.#layouts += 1;
        this.app.workspace.changed();
        try {
            return await work();
        } catch (error) {
            if (!(error instanceof ServerError)) throw error;
            this.app.toasts.show(error.message, { isError: true });
        } finally {
            this.#layouts -= 1;
            this.app.workspace.changed();
        }
    }

    /** What tools and legend cover of the window. */
    get #margins() {
        const editor = this.container.parentElement;
        const covered = (selector) => editor?.querySelector(selector)?.getBoundingClientRect().height ?? 12;
        return { top: covered(".graph-tools") + 30, right: 30, bottom: covered(".legend") + 30, left: 30 };
    }

    /** The shape of what the window has room for, its width by its height, for the layout to fill it. */
    get aspect() {
        const { top, right, bottom, left } = this.#margins;
        const [width, height] = [this.container.clientWidth - left - right, this.container.clientHeight - top - bottom];
        return width > 0 && height > 0 ? Number((width / height).toFixed(3)) : 1.6;
    }

    #needsFit = true;

    #fitFirst() {
        if (!this.#needsFit || this.isComputing || !this.container.clientWidth) return;
        this.#needsFit = false;
        const { keptViewport } = this.app;
        this.app.keptViewport = null;
        if (keptViewport) this.canvas.viewport.look(keptViewport);
        else this.fit();
    }

    #draw() {
        const { store, workspace } = this.app;
        const selection = new Set(workspace.selection);
        const edited = workspace.selection.length ? workspace.edited : null;
        const neighboursOf = edited?.kind === "entity" ? edited.id : null;
        const ids = store.model.entities.filter((id) => store.record(id));
        this.canvas.take((id) => store.record(id), ids, (boxes) => this.places.follow(boxes));
        const only = this.steps && neighboursOf ? neighbourhood(neighboursOf, this.steps, this.canvas.links) : null;
        this.finder.update();
        const options = {
            selection, only, marks: this.#marks(), hues: this.#hues(), neighboursOf, dims: this.dims, tabStop: neighboursOf ?? ids[0] ?? null,
            found: this.finder.text ? new Set(this.finder.matches) : null,
        };
        this.canvas.draw(options);
        this.minimap.draw();
        const shownAlone = only ? [...only].join(" ") : "";
        if (shownAlone !== this.#shownAlone) {
            this.#shownAlone = shownAlone;
            this.fit();
        }
    }

    /** Colours tell configurations, or areas in a model that has none. */
    #hues() {
        const { store } = this.app;
        return store.model.configurations.length > 0 ? configurationNumbers(store) : this.places.areaNumbers;
    }

    #marks() {
        const { store } = this.app;
        const marks = new Map();
        for (const problem of store.problems) {
            if (problem.severity === "note") continue;
            for (let record = store.record(problem.element); record; record = store.record(record.owner)) {
                if (record.kind !== "version" && marks.get(record.id) !== "error") marks.set(record.id, problem.severity);
            }
        }
        return marks;
    }

    select(id, extended = false) {
        this.app.workspace.select(id, { extends: extended });
    }

    /** Selects a relationship; again, the other one of the pair. */
    selectLink(id) {
        const link = this.canvas.links.find((other) => other.id === id);
        const ends = [link?.source.relationship?.id, link?.target.relationship?.id].filter(Boolean);
        const at = ends.indexOf(this.app.workspace.selection.at(-1));
        this.select(ends.length ? ends[(at + 1) % ends.length] : link?.source.box);
    }

    // What dragging does

    follow(ids) {
        for (const id of ids) Object.assign(this.canvas.boxes.get(id), this.places.at(id));
        this.canvas.moved(ids);
        this.minimap.moved(ids);
    }

    drop(ids) {
        this.canvas.reroute();
        return this.app.store.perform(
            this.places.actions([...ids]), { title: ids.size === 1 ? "Move Entity" : "Move Entities" }
        );
    }

    nudge(id, dx, dy) {
        const ids = this.selectedBoxes.has(id) ? this.selectedBoxes : new Set([id]);
        for (const each of ids) { const { x, y } = this.places.at(each); this.places.move(each, x + dx, y + dy); }
        this.follow(ids);
        this.canvas.reroute();
        return this.app.store.perform(
            this.places.actions([...ids]), { title: "Move Entity", merge: `nudge ${[...ids].join(" ")}` }
        );
    }

    beginConnecting(from) {
        const line = document.createElementNS("http://www.w3.org/2000/svg", "path");
        line.setAttribute("class", "connecting");
        this.canvas.world.append(line);
        this.canvas.element(from)?.classList.add("selected");
        return line;
    }

    continueConnecting(line, from, { x, y }) {
        const box = this.canvas.boxes.get(from);
        line.setAttribute(
            "d", `M${box.x + box.width} ${box.y + 15}C${box.x + box.width + 60} ${box.y + 15} ${x - 60} ${y} ${x} ${y}`
        );
    }

    /** Asks which of the two sides has many, at the place where the line ends. */
    askConnecting(line, from, to, at) {
        const choice = (title, cardinality) => ({ title, action: () => this.endConnecting(line, from, to, cardinality) });
        showMenu([
            choice("One to One", { isToMany: false, isInverseToMany: false }),
            choice("One to Many", { isToMany: true, isInverseToMany: false }),
            choice("Many to Many", { isToMany: true, isInverseToMany: true }),
        ], at, { label: "Relationship", onDismiss: () => this.endConnecting(line, from, undefined) });
    }

    /** @param {{isToMany?: boolean, isInverseToMany?: boolean}} [cardinality] */
    async endConnecting(line, from, to, cardinality = {}) {
        line.remove();
        this.update();
        if (!to) return;
        const update = await this.app.store.perform([{ kind: "connect", from, to, ...cardinality }]);
        const created = update?.created?.find((id) => update.changed[id]?.owner === from);
        if (created) this.app.workspace.reveal(created, "name");
    }

    showMarquee(from, to) {
        let frame = this.canvas.world.querySelector(".marquee");
        if (!frame) {
            frame = document.createElementNS("http://www.w3.org/2000/svg", "rect");
            frame.setAttribute("class", "marquee");
            this.canvas.world.append(frame);
        }
        const area = between(from, to);
        for (const [name, value] of Object.entries(area)) frame.setAttribute(name, String(value));
    }

    endMarquee(from, to) {
        this.canvas.world.querySelector(".marquee")?.remove();
        const area = between(from, to);
        const inside = [...this.canvas.boxes.values()].filter((box) => box.x < area.x + area.width && area.x < box.x + box.width && box.y < area.y + area.height && area.y < box.y + box.height);
        this.app.workspace.set({ selection: inside.map(({ id }) => id) });
    }

    // Commands

    fit() {
        this.canvas.viewport.fit(this.canvas.bounds, this.#margins);
    }

    async arrange() {
        const actions = await this.#computing(() => this.places.arrange(this.aspect));
        if (!actions) return;
        this.#draw();
        this.fit();
        await this.app.store.perform(actions, { title: "Arrange Graph" });
    }

    toggleDimming() {
        this.dims = !this.dims;
        this.app.workspace.changed();
    }

    /** @param {number} steps See {@link Graph.steps}. */
    showNeighbours(steps) {
        this.steps = steps;
        this.app.workspace.changed();
    }

    /** Shows a box in the middle, near enough to be read. */
    show(id) {
        const box = this.canvas.boxes.get(id);
        if (!box) return;
        const { viewport } = this.canvas;
        if (viewport.scale < 0.6) viewport.zoomBy(0.6 / viewport.scale);
        viewport.center({ x: box.x + box.width / 2, y: box.y + box.height / 2 });
    }

    /** Where a new entity would stand: in the middle of what one sees. */
    freePlace() {
        const view = this.canvas.viewport.visible;
        return this.places.free(
            this.canvas.boxes, { width: 160, height: 60 },
            { x: view.x + view.width / 2 - 80, y: view.y + view.height / 2 - 30 }
        );
    }

    addEntity({ x, y }) {
        return this.app.editing.addEntity({ x: Math.round(x), y: Math.round(y) });
    }

    rename(id) {
        const record = this.app.store.record(id);
        if (record) renameField(this, record);
    }

    async exportSVG() {
        download(new Blob([await svgText(this.app)], { type: "image/svg+xml" }), `${this.app.store.document.name}.svg`);
    }

    async exportPNG() {
        download(await picture(await svgText(this.app)), `${this.app.store.document.name}.png`);
    }

    #reveal(id) {
        let record = this.app.store.record(id);
        while (record && record.kind !== "entity") record = this.app.store.record(record.owner);
        const box = record && this.canvas.boxes.get(record.id);
        if (box && this.container.isConnected) this.canvas.viewport.reveal(box);
    }

    #showZoom() {
        const field = document.getElementById("zoom");
        if (field) field.textContent = `${Math.round(this.canvas.viewport.scale * 100)} %`;
    }
}

function between(a, b) {
    return { x: Math.min(a.x, b.x), y: Math.min(a.y, b.y), width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) };
}

