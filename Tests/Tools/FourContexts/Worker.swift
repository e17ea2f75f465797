import Foundation

/// A process that plays scripts: one that traps ends no other process.
final class Worker {
    struct Answer: Codable {
        /// Nil: all went well.
        var failure: String?
        /// A step that is about to be taken; the answer proper follows.
        var step: String?
        var log: [String]?
        var tally: Tally?
    }

    struct Request: Codable {
        let script: Script
        /// Whether each step is told before it is taken.
        var tells = false
    }

    private let remote: RemoteContext
    private let lines = Lines(input: 0, output: 1)

    init() throws { remote = try RemoteContext() }

    func serve() throws {
        while let request = try lines.receive(Request.self) { try lines.send(play(request)) }
    }

    private func play(_ request: Request) throws -> Answer {
        let match: Match
        do { match = try Match(request.script, remote) } catch { return Answer(failure: "\(error)") }
        defer { match.end() }
        do {
            try match.play { [lines] text in
                if request.tells { try? lines.send(Answer(step: text)) }
            }
            return Answer(log: request.tells ? match.log : nil, tally: match.tally)
        } catch {
            return Answer(failure: "\(error)", log: match.log)
        }
    }
}

/// A worker as its master sees it.
final class WorkerHandle {
    private var helper: Helper?
    /// What happened in the scripts that went well.
    private(set) var tally = Tally()

    /// - Returns: What went wrong, and the steps until then; nil: nothing.
    func play(_ script: Script, tells: Bool = false) throws -> (failure: String, log: [String])? {
        let helper = try helper ?? Helper(["worker"])
        self.helper = helper
        var told: [String] = []
        do {
            try helper.send(Worker.Request(script: script, tells: tells))
            while let answer = try helper.receive(Worker.Answer.self) {
                if let step = answer.step {
                    told.append(step)
                    continue
                }
                answer.tally.map { tally.add($0) }
                return answer.failure.map { ($0, answer.log ?? []) }
            }
        } catch {
            // It is gone, which is told below.
        }
        self.helper = nil
        return ("the process ended with \(helper.end())", told)
    }

    func end() { _ = helper?.end() }
}
