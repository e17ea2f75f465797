import Foundation

/// What was asked for in a way that the programs don't understand.
struct Complaint: LocalizedError {
    let errorDescription: String?

    init(_ sentence: String) { errorDescription = sentence }
}
