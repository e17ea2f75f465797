import ModelDocument
import ModelLint

/// Something that is wrong with a version, where it is, and what could be done about it.
struct Problem: Sendable, Hashable {
    var diagnostic: Model.Diagnostic
    var element: ElementID
    var field: String?
    var fixes: [Fix]

    /// An action that makes the problem go away.
    struct Fix: Sendable, Hashable {
        var title: String
        /// As requests spell it.
        var action: JSON
    }

    /// What is wrong with a version, in the document's order.
    static func all(in model: Model, _ tree: VersionTree) -> [Problem] {
        let names = ModelNames(model, tree)
        return ModelLint.diagnostics(of: model).map { diagnostic in
            let place = ElementPlace(diagnostic.path)
            let finder = FixFinder(diagnostic: diagnostic, place: place, names: names)
            return Problem(
                diagnostic: diagnostic, element: tree.nearestID(to: place),
                field: diagnostic.code.field(of: place.kind),
                fixes: finder.fixes)
        }
    }

    var json: JSON {
        [
            "code": .text(diagnostic.code.rawValue), "severity": .text(diagnostic.severity.rawValue),
            "message": .text(diagnostic.message), "element": .text(element.rawValue), "field": .optional(field),
            "fixes": .array(fixes.map { ["title": .text($0.title), "action": $0.action] }),
        ]
    }
}

extension ElementPlace {
    /// The place that a path leads to, as far as there are records on the way.
    init(_ path: Model.ElementPath) {
        steps = []
        for step in path.steps {
            guard let kind = Self.kinds[step.name] else {
                // Wrappers such as `uniquenessConstraints` are no step of ours.
                if Self.wrappers.contains(step.name) { continue }
                return
            }
            steps.append(Step(kind: kind, index: step.index))
        }
    }

    private static let wrappers: Set = ["uniquenessConstraints", "compoundIndexes", "userInfo"]

    private static let kinds: [String: ElementKind] = [
        "entity": .entity, "attribute": .attribute, "relationship": .relationship,
        "fetchedProperty": .fetchedProperty, "fetchRequest": .fetchRequest, "configuration": .configuration,
        "composite": .composite, "fetchIndex": .index, "fetchIndexElement": .indexElement,
        "uniquenessConstraint": .constraint, "compoundIndex": .compoundIndex, "entry": .userInfo,
    ]
}

extension Model.DiagnosticCode {
    /// The field of the element's record that the finding is about, where it is about one.
    fileprivate func field(of kind: ElementKind) -> String? {
        switch self {
        case .duplicateEntity, .duplicateProperty, .duplicateElement, .invalidName, .reservedName, .inheritedName,
            .caseClash, .predicateWord:
            "name"
        case .unknownParent, .parentCycle: "parent"
        case .duplicateGeneratedClass, .duplicateClass, .missingClass: "className"
        case .undefinedType: "type"
        case .invalidDefault, .missingDefault, .defaultOutsideBounds: "defaultValue"
        case .minimumAboveMaximum: kind == .relationship ? "minimumCount" : "minimum"
        case .invalidPattern: "regularExpression"
        case .unknownComposite, .compositeCycle: kind == .attribute ? "composite" : nil
        case .derivation: "derivation"
        case .noDestination, .unknownDestination: "destination"
        case .unknownInverse, .noInverse, .oneSidedInverse, .wrongInverse: "inverse"
        case .unknownConstraintKey, .constraintKey: "names"
        case .unknownIndexKey, .indexKey: kind == .compoundIndex ? "names" : "property"
        case .unknownRequestEntity: "entity"
        case .unknownMember: "entities"
        case .invalidPredicate, .unknownKey, .transientKey, .invalidExpression: kind.formatField
        case .abstractWithoutSubentities: "isAbstract"
        case .toManyOfOne: "isToMany"
        case .insecureTransformer: "transformer"
        case .externalStorage: "allowsExternalStorage"
        case .noAction, .nullifiesRequired: "deleteRule"
        case .invalidBound, .uncompilable, .lockedVersion, .emptyElement, .separatedByConfigurations, .ignoredSetting,
            .cloudKit, .cloudKitPort:
            nil
        }
    }
}

extension ElementKind {
    /// The field with a text in the format language.
    fileprivate var formatField: String? {
        switch self {
        case .fetchRequest, .fetchedProperty: "predicate"
        case .entity: "spotlightExpression"
        case .attribute: "derivation"
        case .indexElement: "expression"
        default: nil
        }
    }
}
