import { get, post } from "../net/api.js";
import { showDialog, showMessage } from "../ui/dialogs.js";
import { drawSteadily } from "../ui/drawing.js";
import { plainText } from "../ui/text.js";
import { Toasts } from "../ui/toasts.js";
import { mount } from "../ui/view.js";
import { page } from "./page.js";

/** Starts the page of a merge: the conflicts side by side, until the person has settled them or given up. */
async function start() {
    const root = document.getElementById("app");
    const app = { merge: null, end: null, toasts: new Toasts(document.getElementById("toasts")), choose: null, finish: null };
    const draw = () => {
        mount(root, page(app));
        document.title = `Merge of ${plainText(app.merge.name)} – Studio`;
    };
    let last = Promise.resolve();
    // One request waits for the one before it: of two choices the later one counts, and what is written has all of them.
    const ask = (path, body, take) => {
        last = last.then(async () => {
            try {
                take(await post(path, body));
            } catch (error) {
                app.toasts.show(error.message, { isError: true });
            }
            drawSteadily(draw);
        });
        return last;
    };
    app.choose = (conflict, side) => ask("merge/choose", { conflict, side }, (merge) => { app.merge = merge; });
    app.finish = async (writes) => {
        if (!writes && !(await givesUp())) return;
        await ask("merge/finish", { writes }, ({ written }) => { app.end = written ? "written" : "given up"; });
        document.getElementById("end")?.focus();
    };
    addEventListener("beforeunload", (event) => { if (!app.end && app.merge?.settled > 0) event.preventDefault(); });
    try {
        app.merge = await get("merge");
    } catch (error) {
        return showMessage("The merge can't be shown", error.message);
    }
    draw();
}

function givesUp() {
    return showDialog({
        title: "Give up the merge?",
        body: () => "Your choices are lost. The file gets what both sides agree on, with ours for each conflict, and git is told that there are conflicts.",
        actions: [{ title: "Cancel", value: false, isDefault: true }, { title: "Give Up", value: true, isDestructive: true }],
    });
}

start();
