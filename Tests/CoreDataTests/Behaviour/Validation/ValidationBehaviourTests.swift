import CoreData
import Foundation
import Testing

/// Validation: what is left of section 7 of the behaviour that users rely on, beside `ValidationTests`.
@Suite("Validation behaves as at Apple")
struct ValidationBehaviourTests {
    /// A rule, as a model has it, a value that breaks it, one that keeps it, and the code of the failure.
    struct Rule: Sendable, CustomTestStringConvertible {
        let name: String
        let type: NSAttributeType
        let predicate: @Sendable () -> NSPredicate
        let bad: any Sendable
        let good: any Sendable
        let code: Int

        var testDescription: String { name }
    }

    private static let noon = Date(timeIntervalSinceReferenceDate: 43_200)

    private static let rules = [
        Rule(
            name: "number too large", type: .integer32AttributeType, predicate: { NSPredicate(format: "SELF <= 40") },
            bad: 41, good: 40, code: NSValidationNumberTooLargeError),
        Rule(
            name: "number too small", type: .doubleAttributeType, predicate: { NSPredicate(format: "SELF >= 1.5") },
            bad: 1.0, good: 1.5, code: NSValidationNumberTooSmallError),
        Rule(
            name: "date too late", type: .dateAttributeType,
            predicate: { NSPredicate(format: "SELF <= %@", argumentArray: [noon]) }, bad: noon + 1, good: noon,
            code: NSValidationDateTooLateError),
        Rule(
            name: "date too soon", type: .dateAttributeType,
            predicate: { NSPredicate(format: "SELF >= %@", argumentArray: [noon]) }, bad: noon - 1, good: noon,
            code: NSValidationDateTooSoonError),
        Rule(
            name: "string too long", type: .stringAttributeType, predicate: { NSPredicate(format: "length <= 3") },
            bad: "four", good: "abc", code: NSValidationStringTooLongError),
        Rule(
            name: "string too short", type: .stringAttributeType, predicate: { NSPredicate(format: "length >= 3") },
            bad: "ab", good: "abc", code: NSValidationStringTooShortError),
        Rule(
            name: "string pattern", type: .stringAttributeType,
            predicate: { NSPredicate(format: "SELF MATCHES %@", "[a-z]+") }, bad: "A1", good: "abc",
            code: NSValidationStringPatternMatchingError),
        Rule(
            name: "URI", type: .URIAttributeType,
            predicate: { NSPredicate { url, _ in (url as? URL)?.scheme == "https" } },
            bad: URL(fileURLWithPath: "/x"), good: URL(fileURLWithPath: "/x").https, code: NSValidationInvalidURIError),
        Rule(
            name: "anything else", type: .stringAttributeType, predicate: { NSPredicate(format: "SELF != 'no'") },
            bad: "no", good: "yes", code: NSManagedObjectValidationError),
    ]

    @Test("a value that breaks a rule fails with the rule's code, key, value, object and predicate", arguments: rules)
    func codes(rule: Rule) throws {
        let value = attribute("value", rule.type)
        value.setValidationPredicates([rule.predicate()], withValidationWarnings: ["\(rule.code)"])
        try Stack(model(entity("Thing", [value]))).work { context throws in
            let thing = context.insert("Thing", ["value": rule.bad])
            let error = try #require(thrown { try context.save() })
            #expect(error.domain == NSCocoaErrorDomain && error.code == rule.code)
            #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === thing)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "value")
            #expect(error.userInfo[NSValidationValueErrorKey] as? NSObject == thing.value(forKey: "value") as? NSObject)
            #expect(error.userInfo[NSValidationPredicateErrorKey] as? NSPredicate == value.validationPredicates.first)
            #expect(error.localizedDescription.contains("value"), "the description names the property")
            #expect(error.localizedFailureReason?.contains("Thing") == true, "and the reason the entity")
            thing.setValue(rule.good, forKey: "value")
            try context.save()
        }
    }

    @Test("the keys under which an error says what it is about are Apple's")
    func keys() {
        #expect(NSValidationObjectErrorKey == "NSValidationErrorObject")
        #expect(NSValidationKeyErrorKey == "NSValidationErrorKey")
        #expect(NSValidationValueErrorKey == "NSValidationErrorValue")
        #expect(NSValidationPredicateErrorKey == "NSValidationErrorPredicate")
        #expect(NSDetailedErrorsKey == "NSDetailedErrors")
    }

    private func members() -> NSManagedObjectModel {
        model(
            entity(
                "Member", className: "CoreDataTests.Member",
                [
                    attribute("email", .stringAttributeType),
                    attribute("age", .integer16AttributeType, optional: false),
                    attribute("name", .stringAttributeType, optional: false),
                ]))
    }

    @Test("properties come first, then the object; inserted, changed and deleted objects are asked each in their way")
    func order() throws {
        try Stack(members()).work { context throws in
            let member = try #require(
                context.insert("Member", ["name": "Ann", "age": 7, "email": "ann@b.c"]) as? Member)
            try context.save()
            let calls = member.takeCalls()
            #expect(calls.dropLast().sorted() == ["age", "email", "name"] && calls.last == "insert")
            member.setValue(8, forKey: "age")
            try context.save()
            #expect(member.takeCalls().last == "update")
            member.setValue("undeletable", forKey: "name")
            try context.save()
            _ = member.takeCalls()
            context.delete(member)
            let error = try #require(thrown { try context.save() })
            #expect(error.domain == "Members" && error.code == 3 && member.takeCalls() == ["delete"])
            #expect(member.isDeleted)
            context.rollback()
        }
    }

    @Test("errors of the object stand beside those of its properties in one 1560, all with their details")
    func details() throws {
        try Stack(members()).work { context throws in
            let member = context.insert("Member", ["email": "invalid"])
            let error = try #require(thrown { try context.save() })
            #expect(error.code == NSValidationMultipleErrorsError && error.domain == NSCocoaErrorDomain)
            let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [NSError])
            #expect(details.count == 3)
            #expect(Set(details.map(\.code)) == [NSValidationMissingMandatoryPropertyError, 1])
            #expect(
                details.filter { $0.code == 1570 }.allSatisfy {
                    $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === member
                })
            #expect(error.localizedDescription.contains("name is a required value."))
            #expect((error as? CocoaError)?.code == .validationMultipleErrors)
        }
    }

    @Test("validateValue(_:forKey:) may replace the value that is saved, and call its superclass")
    func replacing() throws {
        let stack = try Stack(members())
        try stack.work { context throws in
            let member = context.insert("Member", ["name": "  Ann  ", "age": 7])
            var value = "  Bob " as AnyObject?
            try member.validateValue(&value, forKey: "name")
            #expect(value as? String == "Bob" && member.string("name") == "  Ann  ", "asking by hand sets nothing")
            try context.save()
            #expect(member.string("name") == "Ann")
        }
        try stack.reopened { context throws in #expect(try context.all("Member").first?.string("name") == "Ann") }
    }

    @Test("what validating an object changes of others is validated and saved with it")
    func changingOthers() throws {
        let stack = try Stack(members())
        try stack.work { context throws in
            let (ann, bob) = try savedMembers(context)
            ann.whenValidated = { bob.setValue("bob@b.c", forKey: "email") }
            ann.setValue(8, forKey: "age")
            try context.save()
            #expect(!context.hasChanges && bob.takeCalls().last == "update")
            ann.whenValidated = { bob.setValue(nil, forKey: "name") }
            ann.setValue(9, forKey: "age")
            #expect(thrown { try context.save() }?.code == NSValidationMissingMandatoryPropertyError)
            #expect(context.updatedObjects == [ann, bob])
        }
        try stack.reopened { context throws in
            #expect(try context.all("Member", "age == 8").first?.string("name") == "Ann")
            #expect(try context.all("Member", "email == 'bob@b.c'").first?.string("name") == "Bob")
        }
    }

    @Test("an object that turns out to be gone when another object is validated is among those that the save deletes")
    func findingOneGone() throws {
        let stack = try Stack(members())
        try stack.work { context throws in
            let (ann, bob) = try savedMembers(context)
            context.refresh(bob, mergeChanges: false)
            try stack.work { other throws in
                other.delete(other.object(with: bob.objectID))
                try other.save()
            }
            let saves = Collector(.NSManagedObjectContextDidSave, of: context)
            ann.whenValidated = { _ = bob.string("name") }
            ann.setValue(8, forKey: "age")
            try context.save()
            #expect(saves.payloads.first?[NSDeletedObjectsKey] as? Set<NSManagedObject> == [bob])
            #expect(!context.hasChanges && bob.managedObjectContext == nil)
        }
    }

    private func savedMembers(_ context: NSManagedObjectContext) throws -> (ann: Member, bob: Member) {
        let members = try ["Ann", "Bob"].map {
            try #require(context.insert("Member", ["name": $0, "age": 7]) as? Member)
        }
        try context.save()
        _ = members.map { $0.takeCalls() }
        return (members[0], members[1])
    }

    @Test("sentences and names of properties can be said in another language, by the model's localization dictionary")
    func localization() throws {
        let model = LeagueModel.make(players: 3...4)
        model.localizationDictionary = [
            "Property/name/Entity/Player": "Der Name", "Property/players": "Spieler", "Entity/Team": "Mannschaft",
            "ErrorString/%1$@ is a required value.": "%1$@ muss angegeben werden.",
            "ErrorString/Too few items in %1$@: %2$@ of at least %3$@.":
                "Mindestens %3$@ %1$@ werden gebraucht, nicht %2$@.",
            "ErrorString/%1$@ can't be deleted: items cannot be deleted from %2$@.": "unused",
            "ErrorString/An email needs an @": "Eine Adresse braucht ein @",
        ]
        try Stack(model).work { context throws in
            let player = context.insert("Player")
            #expect(thrown { try context.save() }?.localizedDescription == "Der Name muss angegeben werden.")
            player.setValue("Wade", forKey: "name")
            _ = context.insert("Team", ["name": "Heat", "players": NSSet(object: player)])
            let error = try #require(thrown { try context.save() })
            #expect(error.localizedDescription == "Mindestens 3 Spieler werden gebraucht, nicht 1.")
            #expect(error.localizedFailureReason?.contains("Mannschaft") == true)
            #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "players", "programs see the model's names")
        }
    }
}

extension URL {
    fileprivate var https: URL {
        var parts = URLComponents()
        (parts.scheme, parts.host, parts.path) = ("https", "example.org", path)
        return parts.url ?? self
    }
}

/// A member of a club. The member's class has rules of its own.
final class Member: NSManagedObject {
    private var calls: [String] = []
    /// Is called when a change is validated.
    var whenValidated: (() -> Void)?

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    override func validateValue(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey key: String) throws {
        calls.append(key)
        if key == "name", let name = value.pointee as? String {
            value.pointee = name.trimmingCharacters(in: .whitespaces) as AnyObject
        }
        try super.validateValue(value, forKey: key)
    }

    override func validateForInsert() throws {
        var errors: [NSError] = []
        do { try super.validateForInsert() } catch { errors.append(error as NSError) }
        calls.append("insert")
        if string("email") == "invalid" { errors.append(NSError(domain: "Members", code: 1)) }
        if errors.count == 1 { throw errors[0] }
        if errors.isEmpty { return }
        let flat = errors.flatMap { $0.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [$0] }
        throw NSError(
            domain: NSCocoaErrorDomain, code: NSValidationMultipleErrorsError, userInfo: [NSDetailedErrorsKey: flat])
    }

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        calls.append("update")
        whenValidated?()
    }

    override func validateForDelete() throws {
        try super.validateForDelete()
        calls.append("delete")
        if string("name") == "undeletable" { throw NSError(domain: "Members", code: 3) }
    }
}
