import CoreData

extension Walk {
    /// What goes with a deleted object, what stays, and what forbids it.
    func deleteByTheRules() throws {
        narrator.chapter(8, "Delete rules")
        let celtics = try team(named: "Boston Celtics")
        let members = celtics.players?.count ?? 0
        let before = try count("Player")
        let coach = celtics.coach
        context.delete(celtics)
        try context.save()
        try narrator.check(
            "cascade: the team took its \(members) players along", try count("Player") == before - members)
        try narrator.check(
            "nullify: \(coach?.name ?? "") stays, without a team", coach?.isDeleted == false && coach?.team == nil)
        try closeDepartments()
    }

    /// The four rules, on a company with a model made in code.
    private func closeDepartments() throws {
        narrator.say("A department of three employees, deleted under each rule in turn:")
        let deny = try Company(rule: .denyDeleteRule).open(in: directory)
        deny.delete(try deny.department(with: 3))
        try expectRefusal(in: deny, with: NSValidationRelationshipDeniedDeleteError)

        let nullify = try Company(rule: .nullifyDeleteRule).open(in: directory)
        nullify.delete(try nullify.department(with: 3))
        try nullify.save()
        try narrator.check(
            "nullify: they are three employees without a department",
            try nullify.employees().count == 3
                && nullify.employees().allSatisfy { $0.value(forKey: "department") == nil })

        let cascade = try Company(rule: .cascadeDeleteRule).open(in: directory)
        cascade.delete(try cascade.department(with: 3))
        try cascade.save()
        try narrator.check("cascade: they are gone, too", try cascade.employees().isEmpty)

        let noAction = try Company(rule: .noActionDeleteRule).open(in: directory)
        noAction.delete(try noAction.department(with: 3))
        try noAction.save()
        try narrator.check(
            "no action: they still point at the department that is gone", try noAction.employees().count == 3)
    }
}
