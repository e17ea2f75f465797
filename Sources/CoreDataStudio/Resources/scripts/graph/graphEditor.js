import { exportItems } from "../exchange/exporting.js";
import { h } from "../ui/view.js";
import { badge, icon } from "../ui/icons.js";
import { button, iconButton } from "../ui/fields.js";
import { openMenu } from "../ui/menus.js";
import { visible } from "../ui/text.js";
import { Graph } from "./graph.js";

/** The model in graph style, with its tools. */
export function graphEditor(app) {
    const node = h("div.graph-editor", { key: "graph" },
        tools(app), legend(app),
        h(
            "div.graph-container",
            { key: "canvas", id: "graph", isOpaque: true, ref: (element) => { app.graph = new Graph(app, element); } }
        ),
        app.graph?.isComputing && h(
            "p.graph-busy", { key: "busy", role: "status" }, h("span.spinner", { "aria-hidden": "true" }), "Arranging the graph…"
        ),
        app.store.model.entities.length === 0 && h("p.graph-hint", { key: "hint" }, "Double-click to add an entity."));
    queueMicrotask(() => app.graph?.update());
    return node;
}

function tools(app) {
    const { commands, workspace } = app;
    const isEntity = workspace.selection.length > 0 && workspace.edited?.kind === "entity";
    return h("div.graph-tools", { key: "tools", role: "toolbar", "aria-label": "Graph tools" },
        button({
            title: "Entity", label: "Add Entity", icon: [icon("add"), badge("entity")], class: "small",
            action: () => commands.run("addEntity"), id: "graph-add-entity"
        }),
        button({
            title: "Attribute", label: "Add Attribute", icon: [icon("add"), badge("attribute")], class: "small",
            disabled: !isEntity, action: () => commands.run("addAttribute"), id: "graph-add-attribute"
        }),
        button({
            title: "Relationship", label: "Add Relationship", icon: [icon("add"), badge("relationship")],
            class: "small", disabled: !isEntity, action: () => commands.run("addRelationship"),
            id: "graph-add-relationship"
        }),
        h("span.tool-line"),
        search(app),
        h("span.tool-line"),
        iconButton({ title: "Arrange", icon: icon("arrange"), action: () => commands.run("arrange"), id: "arrange" }),
        iconButton({ title: "Fit", shortcut: "0", icon: icon("fit"), action: () => commands.run("fit"), id: "fit" }),
        iconButton({ title: "Zoom out", icon: icon("remove"), action: () => app.graph.canvas.viewport.zoomBy(0.8) }),
        h("span.zoom", { id: "zoom", role: "status", "aria-label": "Zoom", isOpaque: true }, "100 %"),
        iconButton({ title: "Zoom in", icon: icon("add"), action: () => app.graph.canvas.viewport.zoomBy(1.25) }),
        iconButton({
            title: "Only neighbours of the selected entity", icon: icon("neighbours"), id: "neighbours",
            "aria-haspopup": "menu", "aria-expanded": "false", "aria-pressed": String(Boolean(app.graph?.steps)),
            action: (event) => openMenu(event.currentTarget, neighbourItems(app)),
        }),
        iconButton({
            title: "Dim what is not related to the selected entity", icon: icon("colors"),
            "aria-pressed": String(Boolean(app.graph?.dims)), action: () => app.graph.toggleDimming(), id: "dim"
        }),
        iconButton({
            title: "Export", icon: icon("export"), id: "export", "aria-haspopup": "menu", "aria-expanded": "false",
            action: (event) => openMenu(
                event.currentTarget,
                [
                    { title: "Export as SVG", action: () => commands.run("exportSVG") },
                    { title: "Export as PNG", action: () => commands.run("exportPNG") },
                    ...exportItems(commands)
                ]
            ),
        }));
}

function neighbourItems({ graph }) {
    return ["All Entities", "Direct Neighbours Only", "Neighbours in Two Steps Only"].map((title, steps) => ({
        title, isChecked: graph.steps === steps, action: () => graph.showNeighbours(steps),
    }));
}

function search(app) {
    return h("label.graph-search", { key: "search" }, icon("search"), h("input", {
        type: "search", id: "graph-search", placeholder: "Find", "aria-label": "Find in graph", spellcheck: "false",
        autocomplete: "off", "aria-describedby": "graph-found",
        oninput: (event) => app.graph.finder.find(event.target.value),
        onkeydown: (event) => {
            if (event.key === "Enter") app.graph.finder.go(event.shiftKey ? -1 : 1);
            else if (event.key === "Escape") app.graph.finder.find(event.target.value = "");
            else return;
            event.preventDefault();
        },
    }), h("span.graph-found", { id: "graph-found", role: "status" }, app.graph?.finder.sentence ?? ""));
}

/** Which colour stands for which configuration, or area. */
function legend({ store, graph }) {
    const configurations = store.list(store.model.configurations);
    const [title, items] = configurations.length > 0
        ? ["Colours of configurations", configurations.map(({ name }, index) => ({ name, more: "", hue: index % 8 }))]
        : ["Colours of areas", areaItems(graph?.places.areas ?? [])];
    if (items.length === 0) return null;
    return h("ul.legend", { key: "legend", "aria-label": title }, items.map(({ name, more, hue }) => h(
        "li", { key: hue }, h("span.swatch", { class: `hue-${hue}`, "aria-hidden": "true" }), h("span.legend-name", { title: visible(name) }, visible(name)), more
    )));
}

/** The largest areas, with a name and how many more there are in it; then how many entities are in the others. */
function areaItems(all) {
    const items = all.slice(0, 7).map(({ name, entities }, hue) => ({ name, more: `+ ${entities.length - 1}`, hue }));
    const others = all.slice(7).reduce((sum, { entities }) => sum + entities.length, 0);
    return others > 0 ? [...items, { name: "Others", more: `${others}`, hue: 7 }] : items;
}
