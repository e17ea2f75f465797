import { accept, refuse } from "../ui/advice.js";
import { checkSoon } from "../ui/fields.js";
import { plainText } from "../ui/text.js";
import { metrics } from "./metrics.js";

/** Lets a name be typed where it stands in the drawing. */
export function renameField(graph, record) {
    const isBox = record.kind === "entity";
    const box = graph.canvas.element(isBox ? record.id : record.owner);
    const target = isBox ? box : box?.querySelector(`[data-row="${CSS.escape(record.id)}"]`);
    if (!target) return;
    const area = (isBox ? target.querySelector(".box-header") : target.querySelector(".row-hit")).getBoundingClientRect();
    const within = graph.container.getBoundingClientRect();
    const field = document.createElement("input");
    field.className = "rename-field";
    field.type = "text";
    field.value = record.name;
    field.spellcheck = false;
    field.setAttribute("aria-label", plainText(`Name of ${record.name}`));
    field.style.left = `${area.left - within.left}px`;
    field.style.top = `${area.top - within.top}px`;
    field.style.width = `${Math.max(area.width, 90)}px`;
    field.style.height = `${Math.max(area.height, 20)}px`;
    field.style.fontSize = `${Math.max(11, (isBox ? metrics.titleSize : metrics.rowSize) * graph.canvas.viewport.scale)}px`;
    const check = (text) => graph.app.editing.refusal(record.id, { name: text || null });
    let isDone = false;
    const finish = (takes) => {
        if (isDone) return;
        isDone = true;
        const name = field.value;
        accept(field);
        field.remove();
        box.focus({ preventScroll: true });
        if (takes) graph.app.editing.rename(record.id, name);
    };
    /** A name that is refused stays to be mended. */
    const take = async () => {
        const refusal = field.value === record.name ? null : await check(field.value);
        if (refusal && !isDone) refuse(field, refusal);
        else finish(true);
    };
    field.addEventListener("input", () => (field.value === record.name ? accept(field) : checkSoon(field, check)));
    field.addEventListener("blur", () => finish(true));
    field.addEventListener("keydown", (event) => {
        event.stopPropagation();
        if (event.key === "Enter") take();
        else if (event.key === "Escape") finish(false);
    });
    graph.container.append(field);
    field.focus();
    field.select();
}
