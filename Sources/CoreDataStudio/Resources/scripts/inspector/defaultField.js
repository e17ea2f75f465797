import { h } from "../ui/view.js";
import { selectField, textField } from "../ui/fields.js";
import { field } from "./binding.js";

const placeholders = { date: "2001-01-01T00:00:00Z", uuid: "00000000-0000-…", uri: "https://" };
const withoutDefault = new Set(["undefined", "binary", "transformable", "objectID", "composite"]);

/** The default value of an attribute, in the way of its type. */
export function defaultField(app, attribute, label) {
    const binding = field(app, attribute, "defaultValue", label);
    if (withoutDefault.has(attribute.type) || attribute.isDerived) {
        return h("span.quiet", { "aria-label": `${label}: none`, role: "note" }, "–");
    }
    if (attribute.type === "boolean") {
        return selectField({ ...binding, choices: [[null, "None"], ["YES", "YES"], ["NO", "NO"]] });
    }
    return textField({
        ...binding, placeholder: placeholders[attribute.type] ?? "",
        commit: (text) => binding.commit(text === "" ? null : text)
    });
}
