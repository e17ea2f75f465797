// The routes below /api/graph/: what the graph view asks for.

extension StudioRoutes {
    static let graphRoutes: [String: Handler] = [
        "/api/graph/places": {
            try await $0.graphPlaces(
                ofVersion: $1.requiredID("version"), placement: $1.query["placement"],
                aspect: $1.query["aspect"].flatMap { Double($0) })
        },
        "/api/graph/svg": { try await $0.graphSVG(ofVersion: $1.requiredID("version")) },
    ]
}
