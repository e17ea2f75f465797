import { post } from "../net/api.js";
import { predicateField } from "../inspector/predicateField.js";

/**
 * A field for a value expression or a filter, checked against both models while one types.
 *
 * @param {any} app @param {any} record A mapping; one that is not there as yet is called `MAPPING/PROPERTY`.
 * @param {"expression"|"filter"} name
 * @param {{label: string, rows?: number, placeholder?: string, place?: string}} options
 */
export function expressionField(app, record, name, options) {
    const [element, property] = record.id.split("/");
    return predicateField(app, record, name, {
        ...options, use: name, entity: null,
        ask: (text, cursor) => post("mapping/check", { text, cursor, use: name, element, property }),
    });
}
