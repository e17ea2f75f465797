import ModelDocument
import ModelGraph
import Testing

/// What the document says of places is kept where it can be drawn.
@Suite struct StoredPlacesTests {
    private func model(_ places: [(Double, Double)?]) -> Model {
        let names = places.indices.map { "E\($0)" }
        var model = Model(entities: names.map { Model.Entity(name: $0) })
        model.diagramElements = zip(names, places).compactMap { name, place in
            place.map { Model.DiagramElement(name: name, positionX: $0.0, positionY: $0.1, width: 128, height: 44) }
        }
        return model
    }

    @Test func boxesStandWhereTheDocumentHasThem() {
        let diagram = Diagram(model([(-200, 10), (40, 300.5)]))
        #expect(diagram.usesStoredPlaces)
        #expect(diagram.boxes.map(\.frame.origin) == [Point(x: -200, y: 10), Point(x: 40, y: 300.5)])
    }

    @Test func theLayoutCanBeAskedForAllTheSame() {
        let diagram = Diagram(model([(-200, 10), (40, 300.5)]), placement: .automatic)
        #expect(!diagram.usesStoredPlaces)
        #expect(diagram.boxes[0].frame.origin != Point(x: -200, y: 10))
    }

    @Test func aHeapIsLaidOutAnew() {
        let diagram = Diagram(model([(0, 0), (0, 0), (0, 0)]))
        #expect(!diagram.usesStoredPlaces)
        #expect(diagram.overlaps.isEmpty)
    }

    @Test func whatIsCloseTogetherIsDrawnApartInTheSameOrder() {
        let diagram = Diagram(model([(0, 0), (100, 0), (0, 200)]))
        #expect(diagram.usesStoredPlaces)
        #expect(diagram.overlaps.isEmpty)
        #expect(diagram.boxes[0].frame.maxX < diagram.boxes[1].frame.minX)
    }

    @Test func oneThatHasNoPlaceStandsBelowTheOthers() {
        let diagram = Diagram(model([(0, 0), (300, 0), (600, 100), nil]))
        #expect(diagram.usesStoredPlaces)
        #expect(diagram.overlaps.isEmpty)
        #expect(diagram.boxes[3].frame.minY > 150)
    }

    @Test(arguments: [Double.nan, .infinity, 1e300]) func absurdPlacesAreNone(place: Double) {
        let diagram = Diagram(model([(place, 0), (place, place)]))
        #expect(!diagram.usesStoredPlaces)
        #expect(diagram.overlaps.isEmpty)
    }
}
