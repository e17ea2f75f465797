import CoreData
import Foundation
import Testing

/// What a program that had to trap said.
func words(_ result: ExitTest.Result?) -> String {
    result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
}

/// Runs a program with a context and a saved player; for what must end the program.
func withSavedPlayer(_ body: (NSManagedObjectContext, NSManagedObject) throws -> Void) throws {
    try Stack(LeagueModel.make()).work { context throws in
        let player = context.insert("Player", ["name": "Wade", "age": 30])
        try context.save()
        try body(context, player)
    }
}

/// An object that writes down which of its hooks were called.
class Witness: NSManagedObject {
    private(set) var calls: [String] = []

    func takeCalls() -> [String] {
        defer { calls = [] }
        return calls
    }

    override func awakeFromInsert() { calls.append("awakeFromInsert") }

    override func awakeFromFetch() {
        calls.append("awakeFromFetch")
        setValue("woken", forKey: "mood")
    }

    override func willSave() { calls.append("willSave") }
    override func didSave() { calls.append("didSave") }
    override func prepareForDeletion() { calls.append("prepareForDeletion \(string("name") ?? "")") }
    override func willTurnIntoFault() { calls.append("willTurnIntoFault \(isFault ? "fault" : "full")") }
    override func didTurnIntoFault() { calls.append("didTurnIntoFault \(isFault ? "fault" : "full")") }
}

/// An object with work for its `willSave`.
final class Counter: NSManagedObject {
    override func willSave() {
        let count = (value(forKey: "count") as? Int ?? 0) + 1
        if string("name") == "endless" || count <= 3 { setValue(count, forKey: "count") }
    }
}

/// The transient-plus-stored pair of the guides: a colour that lives in memory, and the text that is stored.
final class Painting: NSManagedObject {
    struct Tone: Equatable {
        var red: Int
        var green: Int
    }

    var tone: Tone? {
        get {
            willAccessValue(forKey: "tone")
            defer { didAccessValue(forKey: "tone") }
            if let box = primitiveValue(forKey: "tone") as? [Int] { return Tone(red: box[0], green: box[1]) }
            guard let text = primitiveValue(forKey: "toneText") as? String else { return nil }
            let parts = text.split(separator: "/").compactMap { Int($0) }
            setPrimitiveValue(parts, forKey: "tone")
            return Tone(red: parts[0], green: parts[1])
        }
        set {
            willChangeValue(forKey: "tone")
            setPrimitiveValue(newValue.map { [$0.red, $0.green] }, forKey: "tone")
            didChangeValue(forKey: "tone")
            setValue(newValue.map { "\($0.red)/\($0.green)" }, forKey: "toneText")
        }
    }
}
