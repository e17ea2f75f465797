import { h } from "../ui/view.js";
import { icon } from "../ui/icons.js";
import { modelText, sentence } from "../ui/text.js";

/** What is wrong with the mapping model, the worst first; a click leads there, and what can be mended has a button. */
export function problemsPanel(app) {
    const order = ["error", "warning", "note"];
    const sorted = [...app.store.problems].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
    return h("div.panel-body", { key: "problems" }, sorted.length > 0 ? problemList(app, sorted)
        : h("p.empty", null, "No problems. The mapping fits both models."));
}

/** @param {any} app @param {any[]} problems @param {{isShort?: boolean}} [options] Short: of one element. */
export function problemList(app, problems, { isShort = false } = {}) {
    return h("ul.problems", { role: "list" }, problems.map((problem, index) => h("li.problem", { key: `${problem.element} ${problem.code} ${index}` },
        h("span.mark", { class: problem.severity }, icon(problem.severity), h("span.unseen", null, problem.severity)),
        h("button.problem-text", { type: "button", "data-problem": problem.code, onclick: () => app.workspace.reveal(problem.element, problem.field) },
            !isShort && h("b", null, modelText(title(app.store, problem.element)), " "), h("span", null, sentence(problem.message)),
            h("span.problem-code", null, ` ${problem.code}`)),
        (problem.fixes ?? []).map((fix) => h("button.button.small", { type: "button", key: fix.title, onclick: () => app.editing.fix(fix) }, sentence(fix.title))))));
}

function title(store, id) {
    const record = store.record(id);
    const owner = store.record(record?.owner);
    if (!record || record.kind === "mappingModel") return "";
    return owner?.kind === "entityMapping" ? `${owner.name}.${record.name}` : record.name;
}
