import { documents } from "../documents/documents.js";
import { startDocuments } from "../documents/start.js";
import { showMessage } from "../ui/dialogs.js";
import { drawingSoon } from "../ui/drawing.js";
import { plainText } from "../ui/text.js";
import { Toasts } from "../ui/toasts.js";
import { mount } from "../ui/view.js";
import { Commands } from "./commands.js";
import { Editing } from "./editing.js";
import { shell } from "./shell.js";
import { MappingStore } from "./store.js";
import { Workspace } from "./workspace.js";

/** Starts the mapping editor: what there is, tied together, and drawn whenever something changes. */
async function start() {
    const root = document.getElementById("app");
    const toasts = new Toasts(document.getElementById("toasts"));
    const store = new MappingStore();
    const workspace = new Workspace(store);
    const app = { store, workspace, toasts, editing: new Editing(store, workspace, toasts), commands: null, closedGroups: new Set(), isLeaving: false };
    app.commands = new Commands(app);
    const schedule = drawingSoon(() => {
        mount(root, shell(app));
        documents.know(store.isDirty);
        root.setAttribute("aria-busy", String(store.isBusy));
        followFocus(workspace);
        document.title = `${store.isDirty ? "• " : ""}${plainText(store.document.name)} – Studio`;
    });
    store.addEventListener("change", schedule);
    workspace.addEventListener("change", schedule);
    store.addEventListener("refusal", ({ detail }) => toasts.show(detail, { isError: true }));
    try {
        if (!await startDocuments(app, "mapping")) return;
        await store.load();
    } catch (error) {
        return showMessage("The mapping model can't be shown", error.message);
    }
    workspace.select(store.root.mappings[0] ?? null);
    documents.addEventListener("change", schedule);
    store.follow();
    app.commands.listen();
    addEventListener("beforeunload", (event) => { if (store.isDirty && !app.isLeaving && !documents.isLeaving && store.isConnected) event.preventDefault(); });
}

/** Puts the focus into the field that was asked for, once it is there. */
function followFocus(workspace) {
    const wanted = workspace.wantedFocus;
    if (!wanted) return;
    const selector = `[data-element="${CSS.escape(wanted.element)}"][data-field="${CSS.escape(wanted.field)}"]`;
    const fields = [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
    const field = fields.find((element) => element.closest(".editor")) ?? fields[0];
    if (!field) return;
    workspace.wantedFocus = null;
    field.scrollIntoView({ block: "nearest" });
    field.focus();
    field.select?.();
}

start();
