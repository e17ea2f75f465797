/// On Linux there is no Objective-C pointer of this kind; code that overrides or calls validation compiles with this
/// one.
public typealias AutoreleasingUnsafeMutablePointer<Pointee> = UnsafeMutablePointer<Pointee>
