import { h } from "../ui/view.js";
import { badge, icon } from "../ui/icons.js";
import { button, iconButton } from "../ui/fields.js";
import { openMenu } from "../ui/menus.js";
import { Graph } from "./graph.js";

/** The model in graph style, with its tools. */
export function graphEditor(app) {
    const node = h("div.graph-editor", { key: "graph" },
        tools(app), legend(app),
        h(
            "div.graph-container",
            { key: "canvas", id: "graph", isOpaque: true, ref: (element) => { app.graph = new Graph(app, element); } }
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
        iconButton({ title: "Arrange", icon: icon("arrange"), action: () => commands.run("arrange"), id: "arrange" }),
        iconButton({ title: "Fit", shortcut: "0", icon: icon("fit"), action: () => commands.run("fit"), id: "fit" }),
        iconButton({ title: "Zoom out", icon: icon("remove"), action: () => app.graph.canvas.viewport.zoomBy(0.8) }),
        h("span.zoom", { id: "zoom", role: "status", "aria-label": "Zoom", isOpaque: true }, "100 %"),
        iconButton({ title: "Zoom in", icon: icon("add"), action: () => app.graph.canvas.viewport.zoomBy(1.25) }),
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
                    { title: "Export as PNG", action: () => commands.run("exportPNG") }
                ]
            ),
        }));
}

/** Which colour stands for which configuration. */
function legend({ store }) {
    const configurations = store.list(store.model.configurations);
    if (configurations.length === 0) return null;
    return h(
        "ul.legend", { key: "legend", "aria-label": "Colours of configurations" },
        configurations.map(({ id, name }, index) => h(
            "li", { key: id }, h("span.swatch", { class: `hue-${index % 8}`, "aria-hidden": "true" }), name
        ))
    );
}
