import { plainText, visible } from "../ui/text.js";
import { h } from "../ui/view.js";
import { deleteRuleLetters, deleteRules } from "../model/types.js";
import { fitting, metrics, rowOffset, textWidth } from "./metrics.js";
import { pathData } from "./routes.js";

/** Boxes and links as elements of the page. */

/** What is inside of a box; its place is the group's. @param {import("./scene.js").Box} box */
export function boxContent(
    box, { selection = new Set(), marks = new Map(), canConnect = true, rowStatus = new Map() } = {}
) {
    const { width, height } = box;
    const room = width - 2 * metrics.margin;
    return [
        h("rect.box-shadow", { key: "shadow", width, height, rx: 8 }),
        h("rect.box-frame", { key: "frame", width, height, rx: 8 }),
        h(
            "path.box-header",
            { key: "header", d: `M0 ${metrics.header}V8a8 8 0 0 1 8-8H${width - 8}a8 8 0 0 1 8 8V${metrics.header}Z` }
        ),
        h(
            "text.box-title", { key: "title", x: metrics.margin, y: 19.5, "data-title": box.id },
            fitting(visible(box.name), metrics.titleSize, room - (marks.has(box.id) ? 14 : 0))
        ),
        marks.has(box.id) && h(
            "circle.box-mark", { key: "mark", class: marks.get(box.id), cx: width - 13, cy: 15, r: 4.5 }
        ),
        h(
            "g.box-rows", { key: "rows" },
            box.rows.map((row, index) => boxRow(box, row, index, selection, marks, rowStatus))
        ),
        canConnect && h(
            "g.connector", { key: "connector", transform: `translate(${width} 15)`, "data-connect": box.id },
            h("title", null, "Drag to another entity to relate the two"), h("circle", { r: 7 }),
            h("path", { d: "M-3 0h6M0-3v6" })
        ),
    ];
}

function boxRow(box, row, index, selection, marks, rowStatus) {
    const y = rowOffset(box.rows, index);
    const room = box.width - 2 * metrics.margin - metrics.columnGap;
    const weight = row.isOptional ? 1 : 1.12;
    const detail = fitting(
        visible(row.detail), metrics.rowSize, Math.max(room - textWidth(row.name, metrics.rowSize) * weight, room * 0.4)
    );
    const rest = (room - textWidth(detail, metrics.rowSize)) / weight;
    const isNewKind = index > 0 && box.rows[index - 1].kind !== row.kind;
    const classes = [
        row.kind, row.isOptional ? "" : "required", selection.has(row.id) ? "selected" : "", rowStatus.get(row.id) ?? ""
    ].filter(Boolean).join(" ");
    return h("g.box-row", { key: row.id, class: classes, "data-row": row.id },
        isNewKind && h(
            "line.box-divider",
            {
                key: "divider", x1: 0, x2: box.width, y1: y - metrics.row / 2 - metrics.divider / 2,
                y2: y - metrics.row / 2 - metrics.divider / 2
            }
        ),
        h("rect.row-hit", { key: "hit", x: 1, y: y - metrics.row / 2, width: box.width - 2, height: metrics.row }),
        marks.has(row.id) && h("circle.box-mark", { key: "mark", class: marks.get(row.id), cx: 6.5, cy: y, r: 2.5 }),
        h("text.row-name", { key: "name", x: metrics.margin, y: y + 4 }, fitting(visible(row.name), metrics.rowSize, rest)),
        h("text.row-detail", { key: "detail", x: box.width - metrics.margin, y: y + 4 }, detail));
}

/** A link with its tips. @param {import("./scene.js").Link} link @param {import("./routes.js").Route} way */
export function linkContent(link, way, title) {
    const data = pathData(way);
    return [
        h("title", { key: "title" }, plainText(title)),
        h("path.link-hit", { key: "hit", d: data }),
        h("path.link-line", { key: "line", d: data }),
        ...(link.kind === "inheritance" ? [triangle(way.end, 0, 13, 7, "head")] : [
            ...tip(link.source, way.start, "start"), ...tip(link.target, way.end, "end")
        ]),
    ];
}

function tip(end, landing, key) {
    const at = (distance) => ({
        x: landing.point.x + landing.direction.x * distance, y: landing.point.y + landing.direction.y * distance
    });
    const parts = [];
    if (end.arrow) {
        parts.push(triangle(landing, 0, 9, 4.5, `${key} head`));
        if (end.arrow.isToMany) parts.push(triangle(landing, 8, 9, 4.5, `${key} second`));
        const center = at(end.arrow.isToMany ? 22 : 14);
        const [sideX, sideY] = [-landing.direction.y * 5, landing.direction.x * 5];
        parts.push(end.arrow.isOptional
            ? h("circle.link-sign", { key: `${key} sign`, cx: center.x, cy: center.y, r: 3 })
            : h(
                "path.link-sign",
                {
                    key: `${key} sign`,
                    d: `M${center.x + sideX} ${center.y + sideY}L${center.x - sideX} ${center.y - sideY}`
                }
            ));
    }
    if (end.relationship) {
        const center = at(Math.min(36, landing.stub));
        parts.push(h(
            "circle.link-rule",
            { key: `${key} rule`, class: end.relationship.deleteRule, cx: center.x, cy: center.y, r: 6.5 }
        ),
            h(
                "text.link-letter", { key: `${key} letter`, x: center.x, y: center.y + 3 },
                deleteRuleLetters[end.relationship.deleteRule] ?? ""
            ));
    }
    return parts;
}

function triangle({ point, direction }, distance, length, width, key) {
    const tipPoint = { x: point.x + direction.x * distance, y: point.y + direction.y * distance };
    const base = { x: tipPoint.x + direction.x * length, y: tipPoint.y + direction.y * length };
    const [sideX, sideY] = [-direction.y * width, direction.x * width];
    return h(
        "path.link-head",
        {
            key,
            d: `M${tipPoint.x} ${tipPoint.y}L${base.x + sideX} ${base.y + sideY}L${base.x - sideX} ${base.y - sideY}Z`
        }
    );
}

const ruleTitles = new Map(deleteRules);

/** What a link says, in words. */
export function linkTitle(link, boxes) {
    const [source, target] = [boxes.get(link.source.box).name, boxes.get(link.target.box).name];
    if (link.kind === "inheritance") return `${source} inherits from ${target}`;
    const sentence = (from, { relationship }, arrow, to) => relationship && arrow
        && `${from}.${relationship.name} ${arrow.isToMany ? "⇉" : "→"} ${to} (${arrow.isOptional ? "optional" : "required"}, ${ruleTitles.get(relationship.deleteRule)})`;
    return [
        sentence(source, link.source, link.target.arrow, target),
        sentence(target, link.target, link.source.arrow, source)
    ].filter(Boolean).join("\n");
}
