/// The clock that dates are shown by.
package enum DateStyle: String, CaseIterable, Sendable {
    case utc, local
}
