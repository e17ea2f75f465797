/// How the drawing looks, in a style sheet of its own: light or dark as the reader's system is.
enum Style {
    /// The colours of configurations: told apart by hue, all readable behind white text.
    static let hues = ["#3b6fd4", "#b0521c", "#2e7d4f", "#8e44ad", "#a8324a", "#0f766e", "#6b5b12", "#4a5a78"]

    static let sheet = screen + classes

    /// The same on white paper, light whatever the reader's system is.
    static let paperSheet = """
        :root { color-scheme: only light; --paper: #ffffff; --box: #ffffff; --edge: #aeb4c0; --text: #1d2330;
          --quiet: #596273; --line: #4b5563; --parent: #7c4dbe; --header: #3b6fd4; --badge: #ffffff; }

        """ + classes

    private static let screen = """
        :root { color-scheme: light dark; --paper: #f6f7f9; --box: #ffffff; --edge: #c9ced8; --text: #1d2330;
          --quiet: #667085; --line: #5b6678; --parent: #7c4dbe; --header: #3b6fd4; --badge: #ffffff; }
        @media (prefers-color-scheme: dark) { :root { --paper: #16181d; --box: #22262e; --edge: #3b414d; --text: #e8ebf1;
          --quiet: #98a2b3; --line: #98a4b8; --parent: #b794f4; --badge: #22262e; } }

        """

    private static let classes = """
        .paper { fill: var(--paper); }
        text { font-family: system-ui, -apple-system, "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: var(--text); }
        .box { fill: var(--box); stroke: var(--edge); }
        .title { font-size: 13px; font-weight: 600; fill: #ffffff; }
        .abstract .title { font-style: italic; font-weight: 500; }
        .abstract .box { stroke-dasharray: 5 3; }
        .row { font-size: 11.5px; }
        .detail { font-size: 11.5px; fill: var(--quiet); text-anchor: end; }
        .required { font-weight: 600; }
        .divider { stroke: var(--edge); }
        .link { fill: none; stroke: var(--line); stroke-width: 1.4; }
        .head { fill: var(--line); stroke: none; }
        .sign { fill: var(--paper); stroke: var(--line); stroke-width: 1.4; }
        .inheritance .link { stroke: var(--parent); stroke-dasharray: 6 3; }
        .inheritance .head { fill: var(--paper); stroke: var(--parent); stroke-width: 1.4; }
        .rule { fill: var(--badge); stroke: var(--line); }
        .letter { font-size: 8.5px; font-weight: 600; text-anchor: middle; fill: var(--line); }
        """
}
