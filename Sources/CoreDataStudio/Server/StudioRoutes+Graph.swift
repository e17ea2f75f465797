// The routes below /api/graph/: what the graph view asks for, and what leaves the studio as a file.

extension StudioRoutes {
    static let graphRoutes: [String: Handler] = [
        "/api/graph/places": {
            try await $0.graphPlaces(
                ofVersion: $1.requiredID("version"), placement: $1.query["placement"],
                aspect: $1.query["aspect"].flatMap { Double($0) })
        },
        "/api/export": { try await $0.export(version: $1.requiredID("version"), as: $1.required("language")) },
        "/api/graph/svg": {
            try await $0.graphSVG(ofVersion: $1.requiredID("version"), isForPaper: $1.query["paper"] == "true")
        },
    ]
}
