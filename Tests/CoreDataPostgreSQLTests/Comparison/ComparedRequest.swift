import CoreData
import Foundation

@testable import CoreDataPostgreSQL

/// A request as both stores are asked it.
struct ComparedRequest {
    enum Output {
        /// The keys of the objects.
        case keys
        case count
        case dictionaries([StoreColumn], groupBy: [StoreColumn] = [], having: String? = nil, isDistinct: Bool = false)
    }

    let entity: String
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor] = []
    var limit = 0
    var offset = 0
    var output = Output.keys
    /// What a message calls it.
    var title: String

    init(_ entity: String, _ format: String? = nil) throws {
        self.entity = entity
        predicate = try format.map { try NSPredicate.parse($0) }
        title = "\(entity): \(format ?? "")"
    }

    /// Whether the rows come in an order.
    var isSorted: Bool { !sortDescriptors.isEmpty }

    var request: NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>(entityName: entity)
        request.predicate = predicate
        request.sortDescriptors = sortDescriptors
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        switch output {
        case .keys: request.resultType = .managedObjectIDResultType
        case .count: request.resultType = .countResultType
        case .dictionaries(let columns, let groups, let having, let isDistinct):
            request.resultType = .dictionaryResultType
            request.propertiesToFetch = columns.map(\.property)
            if !groups.isEmpty { request.propertiesToGroupBy = groups.map(\.property) }
            request.havingPredicate = having.map { NSPredicate(format: $0) }
            request.returnsDistinctResults = isDistinct
        }
        return request
    }

    func fetch(_ layouts: ModelLayout) throws -> StoreFetch {
        guard let layout = layouts.layout(named: entity) else { fatalError("There is no entity \(entity).") }
        let output: StoreFetch.Output =
            switch self.output {
            case .keys: .references
            case .count: .count
            case .dictionaries(let columns, let groups, let having, let isDistinct):
                .dictionaries(
                    columns, groupBy: groups, having: having.map { NSPredicate(format: $0) }, distinct: isDistinct)
            }
        var fetch = StoreFetch(entity: layout, output: output)
        fetch.predicate = predicate
        fetch.sortDescriptors = sortDescriptors
        (fetch.limit, fetch.offset) = (limit, offset)
        return fetch
    }
}

extension StoreColumn {
    init(_ name: String, _ format: String, _ type: NSAttributeType = .undefinedAttributeType) {
        self.init(name: name, expression: NSExpression(format: format), type: type)
    }

    var property: Any {
        let description = NSExpressionDescription()
        description.name = name
        description.expression = expression
        description.expressionResultType = type
        return description
    }
}

/// A value of a result, whichever store gave it.
enum ComparedValue: Equatable, CustomStringConvertible {
    case null
    case number(Double)
    case text(String)
    /// A decimal that is infinite, or too large or too small to be one. What becomes of it is not compared.
    case noDecimal

    var isNoDecimal: Bool { if case .noDecimal = self { true } else { false } }

    /// Sums of doubles depend on the order of their terms in the last places.
    static func == (a: ComparedValue, b: ComparedValue) -> Bool {
        switch (a, b) {
        case (.null, .null), (.noDecimal, _), (_, .noDecimal): true
        case (.text(let a), .text(let b)): a.utf8.elementsEqual(b.utf8)
        case (.number(let a), .number(let b)):
            a == b || abs(a - b) <= 1e-13 * max(abs(a), abs(b))
        default: false
        }
    }

    var description: String {
        switch self {
        case .null: "nil"
        case .noDecimal: "no decimal"
        // A zero may have a sign, which decimals do not keep.
        case .number(let value): "\(value + 0)"
        case .text(let text): text.debugDescription
        }
    }

    init(_ value: Any?) {
        switch value {
        case nil: self = .null
        case let decimal as NSDecimalNumber where decimal == .notANumber: self = .noDecimal
        case let number as NSNumber: self = .number(number.doubleValue)
        case let date as Date: self = .number(date.timeIntervalSinceReferenceDate)
        case let text as String: self = .text(text)
        case let uuid as UUID: self = .text(uuid.uuidString.lowercased())
        case let url as URL: self = .text(url.absoluteString)
        case let data as Data: self = .text("\\x" + data.map { String(format: "%02x", $0) }.joined())
        case let id as NSManagedObjectID: self = .number(Double(id.reference.key))
        case .some(let value): self = .text("\(value)")
        }
    }

    /// A value of psql's as what the column is.
    init(_ text: String?, as kind: SQLResultColumn.Kind) {
        guard let text else {
            self = .null
            return
        }
        switch kind {
        case .reference, .referenceWithEntity, .value(.object), .value(.entity): self = .number(Double(text) ?? .nan)
        case .value(.integer):
            // What no integer holds is the greatest or least one.
            self = .number(max(-0x1p63, min(0x1p63, (Self.number(text) ?? 0).rounded(.towardZero))))
        case .value(.boolean): self = .number(Self.number(text) == 0 ? 0 : 1)
        case .value(.float): self = .number(Double(Float(Self.number(text) ?? 0)))
        case .value(.decimal):
            let value = Self.number(text) ?? 0
            self = value == 0 || (1e-110..<1e110).contains(abs(value)) ? .number(value) : .noDecimal
        case .value(.double), .value(.date): self = .number(Self.number(text) ?? 0)
        case .value(.unknown): self = Self.number(text).map { .number($0) } ?? .text(text)
        default: self = .text(text)
        }
    }

    private static func number(_ text: String) -> Double? {
        if text == "t" || text == "f" { return text == "t" ? 1 : 0 }
        return Double(text) ?? seconds(text)
    }

    /// The seconds of a date of PostgreSQL's, whose calendar is the Gregorian one at all times.
    private static func seconds(_ text: String) -> Double? {
        guard let match = text.wholeMatch(of: #/(\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+)(\.\d+)?\+00/#),
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), let hour = Int(match.4),
            let minute = Int(match.5), let second = Int(match.6)
        else { return nil }
        // Years begin in March, so that a leap day is the last one.
        let (y, m) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        let days = 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 730_792
        let whole = Double(((days * 24 + hour) * 60 + minute) * 60 + second)
        return whole + (match.7.flatMap { Double("0\($0)") } ?? 0)
    }
}
