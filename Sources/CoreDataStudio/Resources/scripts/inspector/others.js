import { checkField } from "../ui/fields.js";
import { h } from "../ui/view.js";
import { entities } from "../model/queries.js";
import { resultTypes } from "../model/types.js";
import { predicateField } from "./predicateField.js";
import { checkRow, choicesOf, numberRow, row, selectRow, textRow, userInfoGroup, versioningGroup } from "./rows.js";

/** The inspectors of fetched properties, fetch requests, configurations, composites and versions. */

export function fetchedPropertyGroups(app, record) {
    return [
        {
            title: "Fetched Property", rows: [
                textRow(app, record, "name", "Name", { rename: true }),
                selectRow(
                    app, record, "destination", "Destination", choicesOf(entities(app.store)),
                    { placeholder: record.destinationName }
                ),
                row("Predicate", predicateField(app, record, "predicate", {
                    place: "inspector",
                    label: "Predicate", use: "fetchedProperty", entity: record.destination, source: record.owner, rows: 3,
                    placeholder: "name == $FETCH_SOURCE.name",
                })),
                checkRow(app, record, "isOptional", "Optional"),
                checkRow(app, record, "isTransient", "Transient"),
            ],
        },
        { title: "Fetch", rows: limits(app, record) },
        userInfoGroup(app, record),
        versioningGroup(app, record),
    ];
}

export function fetchRequestGroups(app, record) {
    return [
        {
            title: "Fetch Request", rows: [
                textRow(app, record, "name", "Name", { rename: true }),
                selectRow(
                    app, record, "entity", "Fetch All", choicesOf(entities(app.store)),
                    { placeholder: record.entityName }
                ),
                selectRow(app, record, "resultType", "Result Type", resultTypes),
            ],
        },
        { title: "Fetch", rows: limits(app, record) },
    ];
}

function limits(app, record) {
    return [
        numberRow(app, record, "fetchLimit", "Fetch Limit", { placeholder: "No limit" }),
        numberRow(app, record, "fetchBatchSize", "Batch Size", { placeholder: "No batches" }),
        checkRow(app, record, "includesSubentities", "Include Subentities", { otherwise: true }),
        checkRow(app, record, "includesPropertyValues", "Include Property Values", { otherwise: true }),
        checkRow(app, record, "includesPendingChanges", "Include Pending Changes", { otherwise: true }),
        checkRow(app, record, "returnsObjectsAsFaults", "Return Objects as Faults", { otherwise: true }),
        checkRow(app, record, "returnsDistinctResults", "Return Distinct Results"),
    ];
}

export function configurationGroups(app, record) {
    return [
        {
            title: "Configuration", rows: [
                textRow(app, record, "name", "Name", { rename: true }),
                checkRow(app, record, "usedWithCloudKit", "Used with CloudKit"),
            ],
        },
        {
            title: "Entities", rows: entities(app.store).map((entity) => h("div.row.check-row", { key: entity.id }, checkField({
                label: entity.name, value: (record.entities ?? []).includes(entity.id),
                commit: (isMember) => app.store.perform([{
                    kind: "setMembership", configuration: record.id, entity: entity.id, isMember
                }]),
            }))),
        },
    ];
}

export function compositeGroups(app, record) {
    return [{ title: "Composite", rows: [textRow(app, record, "name", "Name", { rename: true })] }];
}

export function versionGroups(app, record) {
    return [{
        title: "Model Version", rows: [
            app.store.document.holdsVersions && textRow(app, record, "name", "Name", { rename: true }),
            textRow(app, record, "identifier", "Identifier"),
            textRow(app, record, "minimumToolsVersion", "Tools Version", { placeholder: "Automatic" }),
            selectRow(app, record, "language", "Language", [["Swift", "Swift"], ["Objective-C", "Objective-C"]]),
            checkRow(app, record, "usedWithCloudKit", "Used with CloudKit"),
        ],
    }];
}
