/**
 * What ties a field on the page to a field of a record: its value, how it is set, whether something is wrong with it.
 *
 * @param {any} app @param {any} record @param {string} name @param {string} label
 */
export function field(app, record, name, label) {
    return {
        label, element: record.id, field: name, value: record[name], severity: severityOf(app.store, record.id, name),
        commit: (value, options) => app.editing.set(record.id, { [name]: value }, options),
        check: (value) => app.editing.refusal(record.id, { [name]: value === "" ? null : value }),
        onRefusal: (text) => app.toasts.show(text, { isError: true }),
    };
}

/** The worst of the problems with one field, or null. */
export function severityOf(store, element, name) {
    const problems = store.problems.filter((problem) => problem.element === element && problem.field === name);
    return ["error", "warning"].find((severity) => problems.some((problem) => problem.severity === severity)) ?? null;
}
