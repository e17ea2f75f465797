import Foundation
import ModelDocument
import Testing

/// Employees and managers, first with one manager for many employees, then with many on both sides.
extension BrowserTests {
    @Suite struct EmployeeTests {
        @Test func employeesAndManagersAreOneToManyAndThenManyToMany() async throws {
            try await Editor.use(name: "Company") { editor in
                let hands = try await TableHands(editor)
                for entity in ["Employee", "Manager"] {
                    try await hands.addEntity(entity)
                    try await hands.addAttribute("firstName", "String", to: entity)
                    try await hands.addAttribute("lastName", "String", to: entity)
                    try await hands.addAttribute("age", "Integer 32", to: entity)
                }
                try await hands.addRelationship("employees", to: "Employee", inverse: "manager", in: "Manager")
                try await editor.open("Manager")
                try await editor.page.choose(".editor select[aria-label=\"Cardinality of employees\"]", "To Many")
                try await heads(editor, ["1", "2"])
                try await editor.save()
                try expect(editor, manager: "manager", isToMany: false)

                try await hands.select("manager", of: "Employee")
                try await editor.choose("Type", "To Many")
                try await editor.set("Name", "managers")
                try await heads(editor, ["2", "2"])
                try await editor.save()
                try expect(editor, manager: "managers", isToMany: true)
                try await code(editor)
            }
        }

        /// In graph style the one link has that many arrowheads at its ends.
        private func heads(_ editor: Editor, _ expected: [String]) async throws {
            try await editor.settle()
            try await editor.page.click("#style-graph")
            try await editor.page.wait(for: ".link.relationship")
            // A head at each end, and the second ones.
            let count = expected.compactMap(Int.init).reduce(0, +)
            try await editor.page.wait(
                until: "document.querySelectorAll('.link-head').length === \(count)", "\(count) heads")
            #expect(try await editor.page.count(".link.relationship") == 1)
            try await editor.page.click("#style-table")
            try await editor.page.wait(for: ".editor-head")
        }

        private func expect(_ editor: Editor, manager name: String, isToMany: Bool) throws {
            let model = try Model(contents: try editor.contents())
            let employees = try #require(model.entity(named: "Manager")?.relationships.first)
            let manager = try #require(model.entity(named: "Employee")?.relationships.first)
            #expect(employees.isToMany)
            #expect(manager.isToMany == isToMany)
            #expect((manager.name, manager.inverseName, employees.inverseName) == (name, "employees", name))
        }

        /// The generated classes have sets and functions on both sides, shown as they change.
        private func code(_ editor: Editor) async throws {
            try await editor.open("Employee")
            try await editor.page.click("#code")
            try await editor.page.wait(
                until: "document.querySelector('#generated-code')?.textContent.includes('managers')", "the class")
            let text = try await editor.page.text("#generated-code")
            #expect(text.contains("class Employee"))
            #expect(text.contains("addToManagers"))
            try await editor.open("Manager")
            try await editor.page.wait(
                until: "document.querySelector('#generated-code')?.textContent.includes('addToEmployees')",
                "the other class")
        }
    }
}
