import Foundation

// What libFuzzer calls: `main` comes from its library, so that this target builds with `--sanitize=fuzzer` alone
// (`Tests/Tools/Fuzz/run` does it).

/// Which reader is fed, by the environment: one program serves them all, and each has a corpus of its own.
private let kind: FuzzedKind = {
    let name = ProcessInfo.processInfo.environment["COREDATA_FUZZ"] ?? ""
    guard let kind = FuzzedKind(rawValue: name) else {
        fatalError("COREDATA_FUZZ must be one of \(FuzzedKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return kind
}()

/// Before the first input is read: makes one where there are none.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(_ count: UnsafePointer<CInt>, _ arguments: UnsafeRawPointer) -> CInt {
    guard let folder = ProcessInfo.processInfo.environment["COREDATA_FUZZ_SEEDS"] else { return 0 }
    do { try kind.makeSeed(in: URL(filePath: folder)) } catch { fatalError("no first input can be made: \(error)") }
    return 0
}

/// One input. What is refused with an error is fine; what traps, hangs or fills the memory is a finding.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    do { try kind.read(Data(bytes: bytes, count: count)) } catch {
        // Every error must have a sentence that can be told.
        precondition(!(error as NSError).localizedDescription.isEmpty, "an error without a sentence: \(error)")
    }
    return 0
}
