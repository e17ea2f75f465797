import { attributeTypes, canBeScalar, numberTypes } from "../model/types.js";
import { defaultField } from "./defaultField.js";
import { predicateField } from "./predicateField.js";
import { checkRow, choicesOf, row, selectRow, textRow, userInfoGroup, versioningGroup } from "./rows.js";

/** Everything about an attribute, with the fields of its type. */
export function attributeGroups(app, record) {
    const isOfEntity = app.store.record(record.owner)?.kind === "entity";
    return [
        {
            title: "Attribute", rows: [
                textRow(app, record, "name", "Name", { rename: true }),
                selectRow(app, record, "type", "Attribute Type", attributeTypes),
                ...typeRows(app, record),
                checkRow(app, record, "isOptional", "Optional"),
                isOfEntity && checkRow(app, record, "isTransient", "Transient"),
                isOfEntity && checkRow(app, record, "isDerived", "Derived"),
                canBeScalar(record.type) && checkRow(app, record, "usesScalar", "Use Scalar Type"),
            ],
        },
        { title: "Derivation", isHidden: !record.isDerived, rows: [derivation(app, record)] },
        { title: "Validation", isHidden: !hasBounds(record), rows: bounds(app, record) },
        { title: "Storage", rows: storage(app, record) },
        userInfoGroup(app, record),
        versioningGroup(app, record),
    ];
}

function typeRows(app, record) {
    if (record.type === "composite") return [selectRow(
        app, record, "composite", "Composite", choicesOf(app.store.list(app.store.model.composites)),
        { placeholder: record.compositeName }
    )];
    if (record.type === "transformable") {
        return [
            textRow(app, record, "transformer", "Transformer", { placeholder: "NSSecureUnarchiveFromData" }),
            textRow(app, record, "customClass", "Custom Class", { placeholder: "NSObject" }),
            textRow(app, record, "customModule", "Module", { placeholder: "Global namespace" }),
        ];
    }
    return [row("Default", defaultField(app, record, "Default"))];
}

function derivation(app, record) {
    return row("Expression", predicateField(app, record, "derivation", {
        place: "inspector",
        label: "Derivation expression", use: "derivation", entity: record.owner, rows: 2, placeholder: "canonical:(name)",
    }));
}

function hasBounds({ type }) {
    return type === "string" || type === "date" || numberTypes.has(type);
}

function bounds(app, record) {
    const [minimum, maximum] = record.type === "string" ? ["Min Length", "Max Length"] : ["Minimum", "Maximum"];
    const placeholder = record.type === "date" ? "2001-01-01T00:00:00Z" : "No limit";
    return [
        textRow(app, record, "minimum", minimum, { placeholder }),
        textRow(app, record, "maximum", maximum, { placeholder }),
        record.type === "string" && textRow(
            app, record, "regularExpression", "Reg. Ex.", { placeholder: "Matches the whole text" }
        ),
    ];
}

function storage(app, record) {
    return [
        record.type === "binary" && checkRow(app, record, "allowsExternalStorage", "Allows External Storage"),
        checkRow(app, record, "isIndexed", "Indexed"),
        checkRow(app, record, "isIndexedBySpotlight", "Index in Spotlight"),
        checkRow(app, record, "preservesAfterDeletion", "Preserve After Deletion"),
        checkRow(app, record, "allowsCloudEncryption", "Allows Cloud Encryption"),
        checkRow(app, record, "isStoredInExternalRecord", "Store in External Record File"),
        checkRow(app, record, "isSyncable", "Syncable"),
    ];
}

