import Foundation

extension PropertyListValue {
    /// No list that an app or a tool writes has as many values.
    private static let mostValues = 1_000_000

    /// What Foundation makes of a property list of unknown origin, binary or XML.
    ///
    /// Foundation makes a container anew wherever a binary list refers to it: thirty small arrays, each of which holds
    /// the next one eight times, keep it busy for ever. So a binary list is read by our reader first, and its values are
    /// counted as often as they are referred to.
    ///
    /// - Throws: `CocoaError.fileReadCorruptFile` (259) where the data is no property list, or one of more than a million
    ///   values.
    package static func foundationValue(of data: Data) throws -> Any {
        if data.starts(with: "bplist".utf8) {
            var remaining = mostValues
            guard try PropertyListValue(binary: data).take(from: &remaining) else {
                throw corruptList("The binary property list has more than \(mostValues) values.")
            }
        }
        do {
            return try PropertyListSerialization.propertyList(from: data, format: nil)
        } catch {
            throw corruptList("The data is no property list.")
        }
    }

    /// Takes the number of values from what remains; `false` as soon as nothing does.
    private func take(from remaining: inout Int) -> Bool {
        remaining -= 1
        guard remaining >= 0 else { return false }
        switch self {
        case .array(let elements): return elements.allSatisfy { $0.take(from: &remaining) }
        case .dictionary(let entries): return entries.values.allSatisfy { $0.take(from: &remaining) }
        default: return true
        }
    }
}
