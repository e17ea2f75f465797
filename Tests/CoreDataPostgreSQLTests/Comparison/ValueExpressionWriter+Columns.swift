import CoreData
import SQLSamples

@testable import CoreDataPostgreSQL

// Columns of dictionaries, and orders.
extension ValueExpressionWriter {
    /// A value that rows can be grouped by.
    mutating func group(_ place: Int) -> StoreColumn {
        let format =
            switch Int.random(in: 0..<6, using: &random) {
            case 0: number(.init(), depth: 2)
            case 1: text(.init(), depth: 1)
            case 2: date(.init(), depth: 1)
            case 3:
                random.one([
                    "key", "flag", "bytes", "mainTag", "parent", "tags.@count", "parent.children.@sum.small",
                ])
            default: random.one(["name", "small", "price", "mainTag.name", "parent.small", "date", "flag"])
            }
        return StoreColumn("g\(place)", format)
    }

    mutating func aggregate(_ place: Int) -> StoreColumn {
        let format: String
        switch Int.random(in: 0..<8, using: &random) {
        case 0: format = "count:(SELF)"
        case 1: format = "count:(\(random.one(["name", "key", "mainTag", "flag"])))"
        case 2: format = "count:(@distinctUnionOfObjects.\(random.one(["name", "small", "key", "date"])))"
        case 3:
            format =
                "\(random.one(["min:", "max:"]))(\(random.one(["name", "date", "key", "bytes", "flag", "price", "large", "real", "mainTag.name"])))"
        case 4: format = "sum:(\(random.one(["small", "medium", "flag", "price", "single", "mainTag.weight"])))"
        case 5: format = "average:(\(random.one(["small", "medium", "flag", "single", "mainTag.weight"])))"
        case 6: format = "sum:(small) + \(random.one(["1", "max:(medium)", "count:(name) / 2"]))"
        default: format = "@sum.\(random.one(["small", "price"]))"
        }
        return StoreColumn("a\(place)", format)
    }

    /// A condition of an aggregate's column.
    static func having(_ column: StoreColumn) -> String {
        let text = column.expression.description
        return text.contains("min:") || text.contains("max:") ? "count:(SELF) > 1" : "a0 > 1"
    }

    /// An order of items.
    mutating func descriptor() -> NSSortDescriptor {
        let ascending = random.chance(0.5)
        if random.chance(0.35) {
            let selectors = [
                "caseInsensitiveCompare:", "localizedCompare:", "localizedCaseInsensitiveCompare:",
                "localizedStandardCompare:",
            ]
            return NSSortDescriptor(
                key: random.one(["name", "note", "parent.name", "mainTag.name"]), ascending: ascending,
                selector: Selector(random.one(selectors)))
        }
        let keys =
            ValueModel.attributes.map(\.key).filter { $0 != "page" } + [
                "parent.small", "mainTag.cost", "children.@count", "children.@max.date", "parent",
            ]
        return NSSortDescriptor(key: random.one(keys), ascending: ascending)
    }
}
