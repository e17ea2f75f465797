extension Route {
    /// The line as SVG writes it: straight at the boxes, and swinging between.
    var pathData: String {
        var data = "M\(start.point.svg)L\(bends[0].svg)"
        for index in bends.indices.dropLast() {
            let (from, to) = (bends[index], bends[index + 1])
            let leave = index == 0 ? start.direction : heading(at: index)
            let arrive = index + 2 == bends.count ? end.direction : heading(at: index + 1) * -1
            let reach = Self.reach(from, to, leave, arrive)
            data += "C\((from + leave * reach).svg) \((to + arrive * reach).svg) \(to.svg)"
        }
        return data + "L\(end.point.svg)"
    }

    /// At what it goes round, the line runs along the box.
    private func heading(at index: Int) -> Point {
        let ahead = bends[index + (index % 2 == 1 ? 1 : 0)].x - bends[index - (index % 2 == 1 ? 0 : 1)].x
        return Point(x: ahead < 0 ? -1 : 1, y: 0)
    }

    /// How far the line follows its direction at both ends: half the distance, more where it has to turn round.
    private static func reach(_ from: Point, _ to: Point, _ leave: Point, _ arrive: Point) -> Double {
        let delta = to - from
        let ahead = delta.x * leave.x + delta.y * leave.y
        guard ahead >= 0 else { return min(max(36, delta.length * 0.4), 120) }
        let turnsBack = leave == arrive
        if turnsBack { return min(max(20, abs(delta.y) * 0.3), 90) }
        return max(ahead / 2, min(30, abs(delta.y) * 0.22))
    }
}

extension Point {
    /// The coordinates with one digit behind the point.
    var svg: String { "\(x.svg) \(y.svg)" }
}

extension Double {
    /// The number with one digit behind the point at most, and none where it is zero.
    var svg: String {
        let tenths = (self * 10).rounded()
        guard abs(tenths) < 1e15 else { return "0" }
        let (whole, rest) = Int(tenths).quotientAndRemainder(dividingBy: 10)
        if rest == 0 { return "\(whole)" }
        return (tenths < 0 ? "-" : "") + "\(abs(whole)).\(abs(rest))"
    }
}
