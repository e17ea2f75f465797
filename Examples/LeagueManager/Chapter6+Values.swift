import CoreData

extension Walk {
    /// A transformable attribute, and one with external storage.
    func keepOtherValues() throws {
        narrator.chapter(6, "Values of one’s own class, and large ones")
        try colourLaptops()
        try takeAPhoto()
    }

    /// A colour is stored as data, through a transformer, and found by colour.
    private func colourLaptops() throws {
        for (model, color) in [("MacBook Air", Color.silver), ("ThinkPad", Color.red)] {
            let laptop = Laptop(context: context)
            laptop.model = model
            laptop.color = color
        }
        try context.save()
        context.reset()

        let request: NSFetchRequest<Laptop> = Laptop.fetchRequest()
        request.predicate = NSPredicate(format: "color == %@", Color.red)
        request.fetchLimit = 1
        let found = try context.fetch(request)
        try narrator.check("one red laptop: the \(found.first?.model ?? "–")", found.map(\.model) == ["ThinkPad"])
        try narrator.check("its colour comes back equal to red", found.first?.color == .red)
    }

    /// A photo goes to a file of its own beside the store, and leaves with its player.
    private func takeAPhoto() throws {
        let player = try player(named: "Wade")
        let photo = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) })
        player.photo = photo
        try context.save()
        try narrator.check("a photo of \(photo.count / 1000) kB lies in a file beside the store", photoFiles() == 1)
        context.refresh(player, mergeChanges: false)
        try narrator.check("and is read back byte for byte", player.photo == photo)
        player.photo = nil
        try context.save()
        try narrator.check("taken off the player, its file is gone", photoFiles() == 0)
    }

    private func photoFiles() throws -> Int {
        let folder = directory.appending(path: ".League_SUPPORT/_EXTERNAL_DATA")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).count
    }
}
