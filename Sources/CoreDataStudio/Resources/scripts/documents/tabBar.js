import { drawSteadily } from "../ui/drawing.js";
import { iconButton } from "../ui/fields.js";
import { icon } from "../ui/icons.js";
import { showMenu } from "../ui/menus.js";
import { reorderable } from "../ui/reordering.js";
import { shortcutTitle } from "../ui/shortcuts.js";
import { modelText, plainText } from "../ui/text.js";
import { h, mount } from "../ui/view.js";
import { documents } from "./documents.js";
import { closeDocument, documentCommands } from "./commands.js";

/** The pictures of the kinds; a kind without one has that of a file. */
const pictures = { model: "table", mapping: "compare", store: "data" };

/** Draws the tabs along the upper edge, and again whenever the documents change. */
export function showTabs(app) {
    const bar = document.getElementById("documents");
    const panel = document.getElementById("app");
    const draw = () => {
        mount(bar, tabs(app));
        panel.setAttribute("role", "tabpanel");
        if (documents.current) panel.setAttribute("aria-labelledby", `tab-${documents.current}`);
        else panel.setAttribute("aria-label", "Start");
    };
    documents.addEventListener("change", () => drawSteadily(draw));
    draw();
    document.querySelector(".document-tab[aria-selected=true]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function tabs(app) {
    return [
        documents.all.length > 0 && h("div.document-tabs", { role: "tablist", "aria-label": "Documents", key: "tabs", onkeydown: (event) => press(app, event) },
            documents.all.map((each, index) => tab(app, each, index))),
        documents.all.length === 0 && h("span.no-documents", { key: "none" }, "No document is open"),
        iconButton({
            title: "Open…", shortcut: shortcutTitle("mod+o"), icon: icon("add"), id: "open-document", action: () => documentCommands(app).open.run(),
            oncontextmenu: (event) => { event.preventDefault(); addMenu(app, { x: event.clientX, y: event.clientY }); },
        }),
        h("div.spacer", { key: "spacer" }),
    ];
}

function tab(app, each, index) {
    const { id, kind, name, location, isCopy } = each;
    const isCurrent = id === documents.current;
    const isUnsaved = documents.isUnsaved(each);
    const words = [name, { model: "model", mapping: "mapping model", store: "store" }[kind] ?? kind, isCopy && "copy", isUnsaved && "not saved"].filter(Boolean).join(", ");
    const isStop = isCurrent || (!documents.current && index === 0);
    return h("div.document-tab", {
        key: id, id: `tab-${id}`, role: "tab", tabindex: isStop ? "0" : "-1", "aria-selected": String(isCurrent), "aria-controls": "app",
        "aria-label": plainText(words), "aria-keyshortcuts": index < 9 ? `Alt+${index + 1}` : null,
        title: plainText(`${location}${index < 9 ? ` (${shortcutTitle(`alt+${index + 1}`)})` : ""}`), "data-document": id,
        onclick: () => documents.show(id),
        onauxclick: (event) => { if (event.button === 1) { event.preventDefault(); closeDocument(app, id); } },
        oncontextmenu: (event) => { event.preventDefault(); menu(app, each, index, { x: event.clientX, y: event.clientY }); },
        ...reorderable(id, "documents", "tabs", index, (dragged, to) => move(app, dragged, to)),
    }, icon(pictures[kind] ?? "file"), h("span.document-name", null, modelText(name)), isCopy && h("span.document-copy", { key: "copy" }, "Copy"),
    h("span.document-end", null, isUnsaved && h("span.unsaved-dot", { key: "dot", "aria-hidden": "true" }),
        h("span.document-close", { "aria-hidden": "true", title: "Close", onclick: (event) => { event.stopPropagation(); closeDocument(app, id); } }, icon("close"))));
}

function addMenu(app, at) {
    const { open, newModel } = documentCommands(app);
    showMenu([
        { title: open.title(), shortcut: shortcutTitle(open.shortcut), action: () => open.run() },
        { title: newModel.title(), action: () => newModel.run() },
    ], at);
}

async function move(app, id, to) {
    await documents.move(id, to).catch((error) => app.toasts.show(error.message, { isError: true }));
    document.getElementById(`tab-${id}`)?.focus();
}

function menu(app, { id }, index, at) {
    const commands = documentCommands(app);
    showMenu([
        { title: "Close", shortcut: shortcutTitle("delete"), action: () => closeDocument(app, id) },
        { title: "Close Others", isDisabled: documents.all.length < 2, action: () => commands.closeOthers.run(id) },
        null,
        { title: "Move Left", isDisabled: index === 0, action: () => move(app, id, index - 1) },
        { title: "Move Right", isDisabled: index === documents.all.length - 1, action: () => move(app, id, index + 1) },
    ], at);
}

/** Arrow keys walk, Return shows, Delete closes, and Alt with an arrow key moves the tab. */
function press(app, event) {
    const ids = documents.all.map(({ id }) => id);
    const index = ids.indexOf(event.target.dataset?.document);
    if (index < 0) return;
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step && event.altKey) move(app, ids[index], index + step);
    else if (event.altKey || event.ctrlKey || event.metaKey) return;
    else if (step) focus(ids[(index + step + ids.length) % ids.length]);
    else if (event.key === "Home") focus(ids[0]);
    else if (event.key === "End") focus(ids.at(-1));
    else if (event.key === "Enter" || event.key === " ") documents.show(ids[index]);
    else if (event.key === "Delete" || event.key === "Backspace") closeDocument(app, ids[index]);
    else if (event.key === "ContextMenu" || (event.key === "F10" && event.shiftKey)) menu(app, documents.all[index], index, event.target);
    else return;
    event.preventDefault();
    event.stopPropagation();
}

function focus(id) {
    for (const each of document.querySelectorAll(".document-tab")) each.tabIndex = each.dataset.document === id ? 0 : -1;
    document.getElementById(`tab-${id}`)?.focus();
}
