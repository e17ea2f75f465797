import FoundationGaps

/// What one evaluation of a key path asked of probes.
final class ProbeTrace: @unchecked Sendable {
    // Unchecked: of one evaluation, on one thread.

    /// The trace of the evaluation that is going on.
    @TaskLocal static var current: ProbeTrace?

    enum Answer {
        case value(Any)
        /// Nil, for want of a sample of this type.
        case nothing(Any.Type)
    }

    let samples: ProbeSamples
    private var steps: [(owner: AnyObject, key: String, answer: Answer)] = []

    init(_ samples: ProbeSamples) { self.samples = samples }

    func record(_ owner: AnyObject, _ key: String, _ answer: Answer) { steps.append((owner, key, answer)) }

    /// The keys, if they lead from `root` to the result of the evaluation.
    func path(from root: AnyObject, to result: Any?, of type: Any.Type) -> String? {
        guard let last = steps.last else { return result.map { $0 as AnyObject === root } ?? false ? "self" : nil }
        var owner: AnyObject? = root
        for step in steps {
            guard step.owner === owner else { return nil }
            owner = step.answer.object
        }
        let path = steps.map(\.key).joined(separator: ".")
        return last.answer.isResult(result, of: type) ? path : nil
    }
}

extension ProbeTrace.Answer {
    fileprivate var object: AnyObject? {
        if case .value(let value) = self { value as AnyObject } else { nil }
    }

    /// Whether the result of an evaluation is what the last accessor answered.
    fileprivate func isResult(_ result: Any?, of type: Any.Type) -> Bool {
        switch self {
        case .value(let sample): PredicateValue(result).isSample(PredicateValue(sample))
        case .nothing(let wanted): PredicateValue(result).isNull && type == wanted
        }
    }
}

extension PredicateValue {
    fileprivate func isSample(_ sample: PredicateValue) -> Bool {
        switch (self, sample) {
        // A date's scalar form.
        case (.double(let seconds), .date(let date)): seconds == date.timeIntervalSinceReferenceDate
        case (.object(let found), .object(let given)): found === given
        case (.collection(let found), .collection(let given)) where given.elements.isEmpty:
            // Anything filtered from nothing would be equal.
            found.original as AnyObject === given.original as AnyObject
        case (.collection(let found), .collection(let given)) where given.kind == .dictionary:
            // A dictionary of anything has no equality of its own.
            (found.original as? NSDictionary).map { $0 == given.original as? NSDictionary } ?? false
        default: self == sample
        }
    }
}
