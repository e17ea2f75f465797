import FoundationGaps
import ModelArchive
import ModelDocument
import PropertyLists

/// Checks what a model says in the format language: predicates of fetch requests, derivations, expressions.
struct FormatChecker {
    private let model: Model
    let keys: ModelKeys
    private(set) var found: [Model.Diagnostic] = []

    init(_ model: Model) {
        self.model = model
        keys = ModelKeys(model)
    }

    mutating func run() {
        for (index, entity) in model.entities.enumerated() {
            let path = Model.ElementPath.model.child("entity", index)
            for (index, attribute) in entity.attributes.enumerated() {
                let path = path.child("attribute", index)
                check(attribute, of: entity, at: path)
                checkWord(attribute.name, of: entity, at: path)
            }
            for (index, relationship) in entity.relationships.enumerated() {
                let path = path.child("relationship", index)
                check(relationship.validationRules, of: relationship.name, in: entity, at: path)
                checkWord(relationship.name, of: entity, at: path)
            }
            for (index, property) in entity.fetchedProperties.enumerated() {
                check(property, of: entity, at: path.child("fetchedProperty", index))
            }
            for (index, fetchIndex) in entity.fetchIndexes.enumerated() {
                check(fetchIndex, of: entity, at: path.child("fetchIndex", index))
            }
            checkSpotlight(entity, at: path)
        }
        for (index, request) in model.fetchRequests.enumerated() {
            let place = FormatPlace("The fetch request \(request.name)", at: .model.child("fetchRequest", index))
            check(request, of: place)
        }
    }

    mutating func report(_ code: Model.DiagnosticCode, _ message: Sentence, _ place: FormatPlace) {
        found.append(
            Model.Diagnostic(
                code, ("\(place.title) \(whole: message.text)" as Sentence).text, at: place.path, entity: place.entity,
                property: place.property))
    }

    // MARK: - Properties

    private mutating func check(_ attribute: Model.Attribute, of entity: Model.Entity, at path: Model.ElementPath) {
        check(attribute.validationRules, of: attribute.name, in: entity, at: path)
        guard attribute.isDerived, let format = attribute.derivationExpression, !format.isEmpty else { return }
        let place = FormatPlace(
            "\(entity.name).\(attribute.name)", at: path, entity: entity.name, property: attribute.name)
        do {
            let expression = try DerivationFormat.expression(format)
            if let reason = DerivationRules(keys: keys, entity: entity.name).refusal(of: expression) {
                report(.derivation, "is derived from “\(format)”: \(reason)", place)
            }
        } catch {
            report(.derivation, "is derived from “\(format)”, which is no expression: \(Self.reason(error))", place)
        }
    }

    private mutating func check(
        _ rules: [Model.ValidationRule], of property: String, in entity: Model.Entity, at path: Model.ElementPath
    ) {
        let place = FormatPlace("\(entity.name).\(property)", at: path, entity: entity.name, property: property)
        for rule in rules { _ = predicate(rule.predicateFormat, "has a validation rule", place) }
    }

    private mutating func check(_ property: Model.FetchedProperty, of entity: Model.Entity, at path: Model.ElementPath)
    {
        guard let request = property.fetchRequest else { return }
        let place = FormatPlace(
            "\(entity.name).\(property.name)", at: path, entity: entity.name, property: property.name)
        check(request, source: entity.name, of: place)
    }

    private mutating func check(_ index: Model.FetchIndex, of entity: Model.Entity, at path: Model.ElementPath) {
        let place = FormatPlace("The fetch index \(index.name) of \(entity.name)", at: path, entity: entity.name)
        for format in index.elements.compactMap(\.expression) {
            _ = expression(format, "has an element", place)
        }
        if let format = index.partialIndexPredicate, let predicate = predicate(format, "has a condition", place) {
            follow(predicate, of: entity.name, place)
        }
    }

    private mutating func checkSpotlight(_ entity: Model.Entity, at path: Model.ElementPath) {
        guard let format = entity.spotlightDisplayNameExpression, !format.isEmpty else { return }
        let place = FormatPlace(entity.name, at: path, entity: entity.name)
        guard let expression = expression(format, "has a display name for Spotlight", place) else { return }
        follow(expression, of: entity.name, place)
    }

    /// Words of the format language need a mark before them to be keys.
    private mutating func checkWord(_ name: String, of entity: Model.Entity, at path: Model.ElementPath) {
        let place = FormatPlace("\(entity.name).\(name)", at: path, entity: entity.name, property: name)
        guard name.utf8.allSatisfy({ $0.isWordByte }), !name.isEmpty, name.utf8.first?.isDigit == false else { return }
        if case .keyPath(_, let path)? = try? NSExpression.parse(name).node, path.keys == [name] { return }
        report(.predicateWord, "is named like a word of the predicate language: formats have to say #\(name)", place)
    }
}

// MARK: - Formats

extension FormatChecker {
    private mutating func check(_ request: Model.FetchRequest, source: String? = nil, of place: FormatPlace) {
        guard let format = request.predicateFormat, !format.isEmpty,
            let predicate = predicate(format, "has a predicate", place), let entity = keys.entity(request.entityName)
        else { return }
        var walk = KeyPathWalk(entity: entity.name, keys: keys)
        if let source { walk.variables = ["FETCH_SOURCE": source] }
        walk.visit(predicate)
        report(walk, place)
    }

    private mutating func follow(_ predicate: NSPredicate, of entity: String, _ place: FormatPlace) {
        var walk = KeyPathWalk(entity: entity, keys: keys)
        walk.visit(predicate)
        report(walk, place)
    }

    private mutating func follow(_ expression: NSExpression, of entity: String, _ place: FormatPlace) {
        var walk = KeyPathWalk(entity: entity, keys: keys)
        walk.visit(expression)
        report(walk, place)
    }

    private mutating func report(_ walk: KeyPathWalk, _ place: FormatPlace) {
        for missing in walk.unknownKeys {
            report(
                .unknownKey,
                "names the key \(missing.path): \(missing.entity) has no property \(missing.key) in the model, so a store can't compute it",
                place)
        }
        for path in walk.transientPaths {
            report(.transientKey, "names the key \(path), which is transient: a store has no column for it", place)
        }
    }

    private mutating func predicate(_ format: String, _ subject: String, _ place: FormatPlace) -> NSPredicate? {
        do {
            return try NSPredicate.parse(format)
        } catch {
            report(.invalidPredicate, "\(subject) “\(format)” that can't be read: \(Self.reason(error))", place)
            return nil
        }
    }

    private mutating func expression(_ format: String, _ subject: String, _ place: FormatPlace) -> NSExpression? {
        do {
            return try NSExpression.parse(format)
        } catch {
            report(.invalidExpression, "\(subject) “\(format)” that can't be read: \(Self.reason(error))", place)
            return nil
        }
    }

    private static func reason(_ error: any Error) -> String {
        guard let error = error as? PredicateFormatError else { return (error as NSError).localizedDescription }
        return "\(error.message) (column \(error.column))"
    }
}

/// What a finding is about, as its sentence begins, and where it is.
struct FormatPlace {
    var title: String
    var path: Model.ElementPath
    var entity: String?
    var property: String?

    init(_ title: String, at path: Model.ElementPath, entity: String? = nil, property: String? = nil) {
        self.title = title
        self.path = path
        self.entity = entity
        self.property = property
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
    fileprivate var isWordByte: Bool {
        isDigit || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) || self == 0x5F
    }
}
