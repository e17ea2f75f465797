// Loops over many objects that count no references: an array keeps its elements alive, and each count would be an atomic
// operation on memory that has left the cache.

extension UnsafeRawBufferPointer {
    /// Calls `body` with each of the objects that lie here.
    @inline(__always)
    fileprivate func forEachObject<T: AnyObject>(_ body: (T) throws -> Void) rethrows {
        for pointer in bindMemory(to: UnsafeRawPointer.self) {
            try Unmanaged<T>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
        }
    }
}

extension ContiguousArray where Element: AnyObject {
    /// Calls `body` with each element, which is not retained for it.
    @inline(__always)
    func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBytes { try $0.forEachObject(body) }
    }
}

extension Array where Element: AnyObject {
    /// Calls `body` with each element, which is not retained for it.
    @inline(__always)
    func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBytes { try $0.forEachObject(body) }
    }
}

extension ArraySlice where Element: AnyObject {
    /// Calls `body` with each element, which is not retained for it.
    @inline(__always)
    func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        try withUnsafeBytes { try $0.forEachObject(body) }
    }
}
