import ArgumentParser
import Foundation
import StoreBrowsing

/// A place in a store's history: `--since` takes the number of a transaction, or a date.
enum HistoryPlace: ExpressibleByArgument, Equatable {
    case transaction(Int64)
    /// Seconds since 2001.
    case date(Double)

    init?(argument: String) {
        if let number = Int64(argument) {
            if number < 0 { return nil }
            self = .transaction(number)
        } else if let seconds = ISODate.seconds(argument) {
            self = .date(seconds)
        } else {
            return nil
        }
    }
}
