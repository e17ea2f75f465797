import { Commands } from "./commands.js";
import { documents } from "./documents/documents.js";
import { startDocuments } from "./documents/start.js";
import { keepModelView, restoreModelView } from "./documents/modelView.js";
import { Editing } from "./model/editing.js";
import { Store } from "./model/store.js";
import { Workspace } from "./model/workspace.js";
import { get, ServerError } from "./net/api.js";
import { showDialog, showMessage } from "./ui/dialogs.js";
import { drawingSoon } from "./ui/drawing.js";
import { Toasts } from "./ui/toasts.js";
import { showCutText } from "./ui/cutText.js";
import { plainText } from "./ui/text.js";
import { mount } from "./ui/view.js";
import { elementOf } from "./ui/walking.js";
import { listenForContextMenus } from "./views/contextMenus.js";
import { shell } from "./views/shell.js";

/** Starts the editor: what there is, tied together, and drawn whenever something changes. */
async function start() {
    const root = document.getElementById("app");
    const store = new Store();
    const workspace = new Workspace(store);
    const editing = new Editing(store, workspace);
    const toasts = new Toasts(document.getElementById("toasts"));
    const app = {
        store, workspace, editing, toasts, commands: null, graph: null, hasStore: false, hasMapping: false, isGoingToData: false,
        closedGroups: new Set(["Versioning", "Spotlight"]),
        /** By table, as they were dragged. @type {Map<string, number[]>} */
        columnWidths: new Map(),
    };
    app.commands = new Commands(app);

    const schedule = drawingSoon(() => {
        mount(root, shell(app));
        documents.know(store.isDirty);
        root.setAttribute("aria-busy", String(store.isBusy));
        followFocus(app);
        followSelection(app);
        document.title = `${store.isDirty ? "• " : ""}${plainText(store.document.name)} – Studio`;
    });
    store.addEventListener("change", schedule);
    workspace.addEventListener("change", schedule);
    store.addEventListener("refusal", (event) => refuse(app, event.detail));
    try {
        if (!await startDocuments(app, "model")) return;
        const opened = await get("opened");
        [app.hasStore, app.hasMapping] = [opened.store, opened.mapping];
        await store.load();
        await restoreModelView(app);
    } catch (error) {
        return showMessage("The model can't be shown", error.message);
    }
    store.follow();
    keepModelView(app);
    app.commands.listen();
    listenForContextMenus(app);
    showCutText();
    addEventListener("resize", schedule);
    addEventListener("beforeunload", (event) => { if (store.isDirty && !store.hasEnded && !app.isGoingToData && !documents.isLeaving) event.preventDefault(); });
}

/** Puts the focus into the field that was asked for, once it is there. */
function followFocus({ workspace }) {
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

/** Keys go on where an element was that had the focus and is gone. */
function followSelection({ workspace }) {
    if (!workspace.wantsFocusOnSelection) return;
    workspace.wantsFocusOnSelection = false;
    if (document.activeElement === document.body) elementOf(workspace.selection.at(-1))?.focus({ preventScroll: true });
}

async function refuse({ toasts, editing, commands, store }, error) {
    if (error instanceof ServerError && error.code === "changed-on-disk") {
        const choice = await showDialog({
            title: "The document was changed on disk",
            body: () => error.message,
            actions: [
                { title: "Cancel", value: null }, { title: "Compare", value: "compare", isDefault: true },
                { title: "Replace", value: "replace", isDestructive: true }
            ],
        });
        if (choice === "replace") await editing.save({ overwrites: true });
        if (choice === "compare") commands.compare(`disk:${store.version}`, store.version);
        return;
    }
    toasts.show(error.message, { isError: true });
}

start();
