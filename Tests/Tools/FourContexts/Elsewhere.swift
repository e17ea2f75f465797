import CoreData
import Foundation

/// The context in another process, and its side of the pipe.
///
/// One process serves one script after another: each opens a store of its own.
enum Elsewhere {
    enum Message: Codable {
        case open(String)
        case run(Command)
        case close
    }

    struct Answer: Codable {
        var observation: Observation?
        var failure: String?
    }

    // MARK: There

    static func serve() throws {
        let lines = Lines(input: 0, output: 1)
        var session: (stack: LocalStack, driver: ContextDriver)?
        while let message = try lines.receive(Message.self) {
            var answer = Answer()
            do {
                switch message {
                case .open(let path):
                    let stack = try LocalStack(URL(fileURLWithPath: path))
                    session = (stack, ContextDriver(stack.context(), Names(), undo: false))
                case .run(let command): answer.observation = try session?.driver.run(command)
                case .close:
                    try session?.stack.close()
                    session = nil
                }
            } catch {
                answer.failure = "\(error)"
            }
            try lines.send(answer)
        }
    }
}

/// The context in another process, as this one sees it.
final class RemoteContext {
    private let helper: Helper

    init() throws { helper = try Helper(["elsewhere"]) }

    func open(_ store: URL) throws { _ = try ask(.open(store.path)) }

    func close() throws { _ = try ask(.close) }

    func run(_ command: Command) throws -> Observation {
        guard let observation = try ask(.run(command)).observation else { throw Failure("no answer from elsewhere") }
        return observation
    }

    private func ask(_ message: Elsewhere.Message) throws -> Elsewhere.Answer {
        try helper.send(message)
        guard let answer = try helper.receive(Elsewhere.Answer.self) else {
            throw Failure("the process elsewhere ended with \(helper.end())")
        }
        if let failure = answer.failure { throw Failure("elsewhere: \(failure)") }
        return answer
    }
}

/// A coordinator over one store.
final class LocalStack {
    let coordinator: NSPersistentStoreCoordinator

    // Unsafe: it is made once, and no model changes once a coordinator has it.
    nonisolated(unsafe) private static let model = Schema.makeModel()

    init(_ url: URL) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
    }

    func context() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    func close() throws { for store in coordinator.persistentStores { try coordinator.remove(store) } }
}
