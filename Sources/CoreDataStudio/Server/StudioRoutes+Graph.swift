// The routes below /api/graph/: what the graph view asks for.

extension StudioRoutes {
    static let graphRoutes: [String: Handler] = [:]
}
