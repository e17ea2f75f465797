import CoreData

extension Walk {
    /// The examples by which the guides explain the integrity of an object graph.
    func keepTheGraphWhole() throws {
        narrator.chapter(9, "The integrity of the graph")
        try countEmployees()
        try moveAnEmployee()
        try reportToOneAnother()
        try befriend()
        try pointOneWay()
        try crossStores()
        try forgetAMood()
    }

    private func countEmployees() throws {
        let company = try Company(size: 3...40).open(in: directory)
        let department = company.department("Research")
        try company.save()
        try narrator.check(
            "a department of 3 to 40 may also have none: the relationship is optional", !company.hasChanges)
        narrator.say("Two employees, then forty-one:")
        for number in 1...2 { _ = company.employee("Employee \(number)", in: department) }
        try expectRefusal(in: company, with: NSValidationRelationshipLacksMinimumCountError)
        for number in 1...41 { _ = company.employee("Employee \(number)", in: department) }
        try expectRefusal(in: company, with: NSValidationRelationshipExceedsMaximumCountError)
    }

    private func moveAnEmployee() throws {
        let company = try Company().open(in: directory)
        let sales = company.department("Sales")
        let research = company.department("Research")
        let anna = company.employee("Anna", in: sales)
        anna.setValue(research, forKey: "department")
        try narrator.check(
            "Anna moves to Research, and Sales has lost her",
            sales.names(of: "employees").isEmpty && research.names(of: "employees") == ["Anna"])
        sales.mutableSetValue(forKey: "employees").add(anna)
        try narrator.check(
            "Sales takes her back, and Research has lost her",
            anna.value(forKey: "department") as? NSManagedObject == sales && research.names(of: "employees").isEmpty)
        try company.save()
    }

    private func reportToOneAnother() throws {
        let company = try Company().open(in: directory)
        let ada = company.employee("Ada")
        let grace = company.employee("Grace")
        for name in ["Linus", "Ken"] {
            company.employee(name).setValue(NSSet(array: [ada, grace]), forKey: "managers")
        }
        try company.save()
        try narrator.check(
            "two managers share two reports: \(ada.names(of: "directReports").joined(separator: " and "))",
            ada.names(of: "directReports") == ["Ken", "Linus"] && grace.names(of: "directReports") == ["Ken", "Linus"])
    }

    private func befriend() throws {
        let company = try Company().open(in: directory)
        let ada = company.employee("Ada")
        for (ranking, name) in ["Grace", "Barbara"].enumerated() {
            let info = NSEntityDescription.insertNewObject(forEntityName: "FriendInfo", into: company)
            info.setValue(ada, forKey: "source")
            info.setValue(company.employee(name), forKey: "friend")
            info.setValue(ranking + 1, forKey: "ranking")
        }
        try company.save()
        let friends = (ada.value(forKeyPath: "friends.friend") as? NSSet)?.count
        try narrator.check(
            "Ada’s friends.friend: \(ada.names(of: "friends.friend").joined(separator: " and "))", friends == 2)
        company.delete(ada)
        try company.save()
        let infos = try company.count(for: NSFetchRequest<NSManagedObject>(entityName: "FriendInfo"))
        try narrator.check(
            "Ada leaves: her friends stay, the friendships go", try company.employees().count == 2 && infos == 0)
    }

    /// Why every relationship should have an inverse.
    private func pointOneWay() throws {
        let company = try Company(rule: .denyDeleteRule, departmentIsRequired: true, hasInverse: false).open(
            in: directory)
        let department = company.department("Sales")
        let anna = company.employee("Anna", in: department)
        try company.save()
        company.delete(department)
        try company.save()
        let left = anna.value(forKey: "department") as? NSManagedObject
        try narrator.check(
            "without an inverse, a required department could be deleted: Anna’s is not nil but a fault to nothing",
            left != nil && left?.isFault == true)
        narrator.say("Set to nil by hand, the save is refused, rightly:")
        anna.setValue(nil, forKey: "department")
        try expectRefusal(in: company, with: NSValidationMissingMandatoryPropertyError)
    }

    /// A relationship stays within a store; a fetched property reaches over its border.
    private func crossStores() throws {
        let league = try League.open(stores: ["Teams.sqlite", "Players.sqlite"], in: directory)
        let context = league.viewContext
        let stores = league.persistentStoreCoordinator.persistentStores
        let team = Team(context: context)
        team.name = "Border Rovers"
        context.assign(team, to: stores[0])
        let player = Player(context: context)
        player.firstName = "Willa"
        player.lastName = "Wanderer"
        player.team = team
        context.assign(player, to: stores[1])
        narrator.say("A team in one store, its player in another:")
        try expectRefusal(in: context, with: NSManagedObjectExternalRelationshipError)

        let host = Team(context: context)
        host.name = "Border Rovers"
        context.assign(host, to: stores[0])
        let local = Team(context: context)
        local.name = "Local Wanderers"
        context.assign(local, to: stores[1])
        let guest = Player(context: context)
        guest.firstName = "Willa"
        guest.lastName = "Wanderer"
        guest.team = local
        context.assign(guest, to: stores[1])
        try context.save()
        try narrator.check(
            "the fetched property wPlayers of a team finds \(host.wPlayers?.first?.fullName ?? "–") in the other store",
            host.wPlayers == [guest])
    }

    private func forgetAMood() throws {
        let company = try Company().open(in: directory)
        let anna = company.employee("Anna")
        anna.setValue("cheerful", forKey: "mood")
        try company.save()
        try narrator.check(
            "a transient value outlives a save: Anna is \(anna.value(forKey: "mood") ?? "–")",
            anna.value(forKey: "mood") as? String == "cheerful")
        company.refresh(anna, mergeChanges: false)
        try narrator.check(
            "and is forgotten with the next refresh; her name is not",
            anna.value(forKey: "mood") == nil && anna.value(forKey: "name") as? String == "Anna")
    }
}
