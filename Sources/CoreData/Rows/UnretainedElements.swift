extension RandomAccessCollection where Element: AnyObject {
    /// Calls `body` with each element of an array or of a slice of one, and retains none of them: the array keeps them
    /// alive, and each count would be an atomic operation on memory that has left the cache.
    @inline(__always)
    func forEachUnretained(_ body: (Element) throws -> Void) rethrows {
        let isContiguous: Void? = try withContiguousStorageIfAvailable { elements in
            for pointer in UnsafeRawBufferPointer(elements).bindMemory(to: UnsafeRawPointer.self) {
                try Unmanaged<Element>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
            }
        }
        precondition(isContiguous != nil, "only arrays and slices of arrays have their elements side by side")
    }
}
