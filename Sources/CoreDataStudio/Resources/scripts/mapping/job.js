import { button, selectField } from "../ui/fields.js";
import { showDialog } from "../ui/dialogs.js";
import { icon } from "../ui/icons.js";
import { modelText, sentence, visible } from "../ui/text.js";
import { h } from "../ui/view.js";

/** How far a dry run or a migration is, and what came of it. */
export function jobPanel(app) {
    const { job } = app.store;
    if (!job) return h("div.job", { key: "job" }, h("p.empty", null, "A dry run tries the mapping on a copy of the store. The store stays as it is."), start(app));
    return h("div.job", { key: "job" }, heading(job), job.state === "running" && running(app, job), job.report && report(app, job.report), job.state !== "running" && start(app));
}

function start({ commands, store }) {
    return h("div.map-actions", { key: "start" }, store.stores.length > 1 && storeChoice(store), button({ title: "Dry Run", class: "small", id: "start-dry-run", action: () => commands.run("dryRun") }),
        store.opened?.isEdited && button({ title: "Migrate…", class: "small", id: "start-migration", action: () => commands.run("migrate") }));
}

/** Which of the open stores is meant. */
function storeChoice(store) {
    const title = ({ name, location }) => (store.stores.filter((other) => other.name === name).length > 1 ? location : name);
    return h("div.job-store", { key: "store" }, selectField({
        id: "job-store", element: "job", field: "store", label: "Store", value: store.opened.id,
        choices: store.stores.map((each) => [each.id, title(each)]), commit: (id) => store.choose(id),
    }));
}

function heading(job) {
    const [picture, text] = words(job, job.store);
    return h("p.job-state", { key: "state", role: "status", id: "job-state", class: job.state, "data-state": job.state, "data-job": job.kind }, h("span.mark", { class: picture }, icon(picture === "good" ? "check" : picture)), h("span", null, sentence(text)));
}

function words(job, name) {
    const failures = job.report?.failures.length ?? 0;
    const losses = job.report?.lines.filter(({ kind }) => kind === "loss").length ?? 0;
    if (job.state === "running") return ["note", job.kind === "migration" ? `${name} is being migrated.` : `The mapping is tried on a copy of ${name}.`];
    if (job.state === "cancelled") return ["warning", `It was ended. ${name} is as it was.`];
    if (job.state === "failed") return ["error", `${job.message} ${name} is as it was.`];
    if (job.kind === "migration") return ["good", `${name} is migrated.${job.backup ? ` What it was is in ${job.backup}.` : ""}`];
    if (failures) return ["error", `The migration of ${name} would fail: ${failures === 1 ? "one thing stands" : `${failures} things stand`} against it.`];
    return losses ? ["warning", `The migration of ${name} would succeed, and values or objects would be lost.`] : ["good", `The migration of ${name} would succeed, and nothing would be lost.`];
}

function running({ store }, job) {
    const percent = Math.round(job.fraction * 100);
    return h("div.job-progress", { key: "progress" },
        h("progress", { max: "100", value: String(percent), "aria-label": "Progress" }), h("span.quiet", null, job.mapping ? modelText(`${percent} %, ${job.mapping}`) : `${percent} %`),
        button({ title: "Stop", class: "small", id: "stop-job", action: () => store.ask("cancel") }));
}

function report(app, { steps, lines, failures, result }) {
    const losses = lines.filter(({ kind }) => kind === "loss");
    return h("div.job-report", { key: "report" },
        failures.length > 0 && list("Against It", "failures", failures.map(failureWords), "error"),
        losses.length > 0 && list("Lost", "losses", losses.map(({ entity, property, message }) => `${[entity, property].filter(Boolean).join(".")}: ${message}`), "warning"),
        h("section", { key: "steps", "aria-label": "Entity mappings" }, h("h3", null, "Entity Mappings"), table(
            "steps", ["Mapping", "From", "To", "Objects", "Read", "Made", "Dropped"],
            steps.map((step) => [step.name, step.source ?? "–", step.destination ?? "–", step.total, step.read, step.made, step.dropped])
        )),
        result.length > 0 && h("section", { key: "result", "aria-label": "The new store" }, h("h3", null, "The New Store"), table("result", ["Entity", "Objects"], result.map(({ entity, count }) => [entity, count]))));
}

function failureWords({ message, object, property, mapping }) {
    const place = [object, property, mapping && !message.includes(mapping) ? `in ${mapping}` : null].filter(Boolean).join(" ");
    return place ? `${place}: ${message}` : message;
}

function list(title, id, texts, severity) {
    return h("section", { key: id, "aria-label": title }, h("h3", null, title), h("ul", { role: "list", id }, texts.map((text, index) => h(
        "li.job-line", { key: index }, h("span.mark", { class: severity }, icon(severity)), h("span", null, sentence(text))
    ))));
}

function table(id, heads, rows) {
    return h("div.table-scroll", null, h("table.job-table", { id }, h("thead", null, h("tr", null, heads.map((head) => h("th", { scope: "col", key: head }, head)))),
        h("tbody", null, rows.map((cells, index) => h("tr", { key: index }, cells.map((cell, place) => h(
            "td", { key: place, class: typeof cell === "number" ? "number" : "" }, typeof cell === "number" ? cell.toLocaleString("en") : visible(cell)
        )))))));
}

/** Migrates the store, once it is wanted for sure. */
export async function migrate({ store, workspace }) {
    const errors = store.problems.filter(({ severity }) => severity === "error").length;
    const answer = await showDialog({
        title: `Migrate ${store.opened.name}?`, body: () => [
            h("p", null, "A copy is made beside the store first. The migration succeeds wholly, or the store stays as it is."),
            h("p", null, "Programs that have the store open should be ended. They can't use it with the old model any more."),
            errors > 0 && h("p.field-error", null, `The mapping has ${errors} ${errors === 1 ? "error" : "errors"}. A dry run says more.`),
        ],
        actions: [{ title: "Cancel", value: null }, { title: "Migrate", value: true, isDefault: true }],
    });
    if (answer && await store.ask("migrate")) workspace.set({ panel: "job" });
}
