/// Hands a value to another queue that alone uses it from then on.
struct UncheckedTransfer<Value>: @unchecked Sendable {
    // Unchecked: the sender gives the value up.
    let value: Value
    init(_ value: Value) { self.value = value }
}
