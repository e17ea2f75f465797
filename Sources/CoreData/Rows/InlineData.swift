import Foundation

/// Values of attributes with external storage, as rows have them where the value is in the row itself: with a byte 1
/// before it. Rows of SQLite stores have a byte 2 and the name of a file where it is not.
enum InlineData {
    static func raw(_ data: Data) -> Data { Data([1]) + data }

    /// The data; nil where the row has them not.
    static func data(_ raw: Data) -> Data? { raw.first == 1 ? raw.dropFirst() : nil }
}
