import Foundation
import StoreBrowsing

/// A file that is read in pieces: what belongs to the present record is at hand, and nothing more has to be.
package final class InputFile {
    /// The file's name, for messages.
    package let name: String
    /// The bytes of the file; nil for a pipe.
    package let size: Int?
    private let handle: FileHandle
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var start = 0
    private var end = 0
    /// How many bytes were read before those at hand.
    private var passed = 0
    /// Whether nothing more can be read.
    private(set) var isAtEnd = false

    private static let pieceSize = 1 << 20

    /// - Parameter path: The file; "-" is standard input.
    /// - Throws: `ToolFailure` for a file that can't be read.
    package convenience init(path: String) throws {
        if path == "-" {
            self.init(.standardInput, name: "standard input", size: nil)
            return
        }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw ToolFailure(.missingFile, "There is no file at \(path).")
        }
        if isFolder.boolValue { throw ToolFailure(.foreign, "\(path) is a folder, not a file of rows.") }
        let url = URL(fileURLWithPath: path)
        guard let handle = try? FileHandle(forReadingFrom: url) else {
            throw ToolFailure(.other, "There is no permission to read \(path).")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
        self.init(handle, name: url.lastPathComponent, size: (attributes?[.size] as? NSNumber)?.intValue)
    }

    /// - Parameter pieceSize: How many bytes are read at a time.
    init(_ handle: FileHandle, name: String, size: Int?, pieceSize: Int = InputFile.pieceSize) {
        (self.handle, self.name, self.size) = (handle, name, size)
        capacity = pieceSize
        base = .allocate(capacity: pieceSize)
    }

    deinit { base.deallocate() }

    /// What is at hand; valid until the next call of ``more()``.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: base + start, count: end - start) }

    /// How many bytes were consumed.
    package var position: Int { passed + start }

    /// Passes over bytes.
    func consume(_ count: Int) { start += count }

    /// Reads more behind what is at hand.
    ///
    /// - Throws: `ToolFailure` where that is impossible.
    func more() throws {
        base.update(from: base + start, count: end - start)
        (passed, start, end) = (passed + start, 0, end - start)
        if end == capacity { grow() }
        do {
            let piece = try handle.read(upToCount: capacity - end) ?? Data()
            piece.copyBytes(to: base + end, count: piece.count)
            end += piece.count
            isAtEnd = piece.isEmpty
        } catch {
            throw ToolFailure(.other, "\(name) can't be read: \(error.localizedDescription)")
        }
    }

    /// A record is longer than a piece.
    private func grow() {
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
        larger.update(from: base, count: end)
        base.deallocate()
        (base, capacity) = (larger, capacity * 2)
    }
}

/// Reads the records of a file one after the other.
package protocol RecordReader: AnyObject {
    /// The line that the present record begins in, from 1 on.
    var line: Int { get }

    /// Goes to the next record.
    ///
    /// - Returns: False at the end of the file.
    /// - Throws: `ToolFailure` for a record that is malformed, with its line.
    func next() throws -> Bool
}
