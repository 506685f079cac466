"""Every clause of Envyra's rules, in our own words, with its number: what checks, records and screens cite."""

from __future__ import annotations

from companion.core.types import Clause, ClauseSource

_RULEBOOK: tuple[tuple[str, str, str], ...] = (
    (
        "E1",
        "The tiles",
        "There are 38 tiles and an alternative End tile. 30 tiles belong to three themes (flora green, water blue, "
        "fire orange), each theme with four symbols in 3, 3, 2 and 2 copies. 7 bonus tiles are worth 2, 2, 3, 3, 4, 4 "
        "and 5 points. One tile is the End tile. (The English rulebook says eight bonus tiles and lists seven; the "
        "Slovak one says seven.)",
    ),
    (
        "E2",
        "Starting, Basic and End tiles",
        "15 tiles are Starting tiles, marked S; 22 are Basic tiles without a mark; one is the End tile. Basic tiles "
        "that carry 3/4 are for three or four players only.",
    ),
    (
        "E3",
        "What a tile shows",
        "A tile shows its points in the star at the top, the number of cubes that captures it at the left, and, if it "
        "is restricted, the themes a player must own at the right; a theme may be shown more than once. The End tile "
        "requires one flora, one water and one fire tile; what the alternative End tile requires is printed on it.",
    ),
    (
        "E4",
        "What a player has",
        "Two to four players each have five cubes of one colour, a board with three rows of four cut-outs and a red "
        "corner, and a shield. There are also the starting figure, the red corner card, the bag and, with the "
        "expansion, nine Equilibrium cards.",
    ),
    (
        "E10",
        "Tiles that are removed",
        "Kept at random are 11, 13 or 14 Starting tiles and 8, 16 or 21 Basic tiles for two, three or four players. "
        "With two players every tile marked 3/4 is among those removed. Removed tiles go back into the box.",
    ),
    (
        "E11",
        "The grid",
        "The grid is laid from Starting tiles: two rows of three for two players, three rows of three for three, "
        "three rows of four for four.",
    ),
    (
        "E12",
        "The corner card",
        "The corner card lies under a corner tile, and every player turns the board so that its red corner matches. "
        "Only the part of the board that corresponds to the grid is used. (The Slovak and Czech rulebooks name the "
        "corner at the top left.)",
    ),
    (
        "E13",
        "The supply",
        "The Starting and Basic tiles that remain go into the bag with the End tile: 14, 21 or 24 tiles for two, three "
        "or four players.",
    ),
    (
        "E14",
        "The starting figure",
        "One player takes the starting figure: who last got wet in a storm, or anyone at random.",
    ),
    (
        "E20",
        "Phase I: placing cubes",
        "All players at once, behind their shields, put one or two cubes from their reserve into cut-outs of their "
        "board.",
    ),
    (
        "E21",
        "At least one cube",
        "A player who can must place at least one cube; a player with a single cube left places that one.",
    ),
    (
        "E22",
        "Restricted tiles may be chosen",
        "A cube may be placed for a tile that is restricted to the player at that moment: the restriction binds only "
        "when the cube is to be moved. (This note is in the English and Slovak rulebooks; the Czech one lacks it.)",
    ),
    ("E30", "Phase II: the reveal", "The shields are taken away and all boards are shown before any cube is moved."),
    (
        "E31",
        "First pass, clockwise",
        "From the holder of the starting figure clockwise, each player moves one cube from the board to the tile it "
        "was placed for, and chooses which.",
    ),
    (
        "E32",
        "Second pass, the other way round",
        "After the last player's first cube the order turns round: the last player at once moves a second cube, then "
        "the others counter-clockwise; the holder of the starting figure is last.",
    ),
    (
        "E33",
        "Restricted tiles",
        "A cube may be moved to a restricted tile only when its player has captured tiles of all the themes shown, as "
        "many of each as are shown; symbols do not matter. A tile captured earlier in the same phase counts.",
    ),
    (
        "E34",
        "No skipping",
        "A player who can move a cube must move one, even if that helps others. Who has a single usable cube plays it "
        "in the first pass and may not keep it for the second. (This note is in the English and Slovak rulebooks; the "
        "Czech one says only that the other cube must be moved when a tile is gone.)",
    ),
    (
        "E35",
        "The tile is gone",
        "When a tile is captured before a player has moved the cube placed for it, that cube returns to the player's "
        "reserve.",
    ),
    (
        "E40",
        "Capture",
        "As soon as the cubes on a tile are as many as its number, the tile leaves the grid. The player with most "
        "cubes on it captures it.",
    ),
    (
        "E41",
        "Ties at a capture",
        "When several players have most cubes on the tile, it goes to that one of them whose cube was placed last. "
        "(So the Slovak and Czech rulebooks; the English one says only: who placed the last cube.)",
    ),
    (
        "E42",
        "After a capture",
        "All cubes on the captured tile return to their players' reserves. Captured tiles lie face up for all to see.",
    ),
    (
        "E50",
        "Refilling the grid",
        "At the end of the round each captured tile is replaced by a tile drawn from the supply. When the supply is "
        "empty the gap stays.",
    ),
    (
        "E51",
        "The End tile is drawn",
        "If at least one player meets its restriction, it is laid into the grid. If nobody does, another tile is drawn "
        "and the End tile then goes back into the supply. If nobody does and it is the only tile left, the game ends "
        "at once.",
    ),
    (
        "E52",
        "No cube in reserve",
        "A player with no cube in reserve, all five lying on the grid, takes all five back at the end of the round.",
    ),
    ("E53", "The figure passes on", "At the end of the round the starting figure passes to the left, clockwise."),
    (
        "E55",
        "No valid move: removing a tile",
        "When at the start of a round every tile of the grid is restricted to a player, that player (of several, the "
        "one closest to the starting figure) removes an unoccupied tile that is restricted to them from the game. "
        "Replacements are drawn until one gives every player at least one tile; the others return to the supply. "
        "(This note is in the English and Slovak rulebooks; the Czech one lacks it.)",
    ),
    (
        "E56",
        "No valid move: the last round",
        "When no tile of the supply helps, the game goes on without the restricted players and ends at the end of "
        "that round. (This note is in the English and Slovak rulebooks; the Czech one lacks it.)",
    ),
    (
        "E60",
        "End: the End tile is captured",
        "The game ends at once when the End tile is captured, even in the middle of Phase II: no cube moves any more "
        "and nothing more is captured.",
    ),
    (
        "E61",
        "End: only the End tile is left",
        "The game ends when at the end of a round a tile must be replaced, only the End tile is in the supply and no "
        "player meets its restriction.",
    ),
    (
        "E62",
        "End: a player could not play",
        "The game ends at the end of a round in which a player could make no valid placement. (The Slovak and Czech "
        "rulebooks say: when at the end of a round a player does not meet the conditions for moving a cube to any "
        "tile, and refer to the note on the start of a round, which the Czech one lacks. That note is followed: E55, "
        "E56.)",
    ),
    (
        "E65",
        "Points",
        "A player's points are those on all captured tiles, the End tile included, those of the sets, and those of "
        "the Equilibrium cards.",
    ),
    (
        "E66",
        "Sets",
        "A set is two, three or four tiles of one theme with different symbols and is worth 2, 4 or 7 points. A theme "
        "may give several sets, but a tile is in one set at most. The division that gives most points is used.",
    ),
    (
        "E67",
        "Who wins",
        "Most points win. On a tie the most set points decide, then the ownership of the End tile; if that does not "
        "decide, the tied players share the win.",
    ),
    (
        "E68",
        "Example of scoring",
        "Tiles of 4, 1, 3, 4, 3, 4 and 2 points are 21 points. Two different green symbols make a set of 2 points, to "
        "which a second leaf adds nothing; three orange symbols make 4 points; a single blue tile makes none. The "
        "total is 27.",
    ),
    (
        "E70",
        "Basic variant",
        "Each player plays one cube a round, and the order does not turn round. All other rules stay.",
    ),
    (
        "E71",
        "Equilibrium A: open cards",
        "Two Equilibrium cards lie open. The first player to own tiles with all the symbols of a card takes it at "
        "once; its points count at the end.",
    ),
    (
        "E72",
        "Equilibrium B: secret cards",
        "Each player has one secret Equilibrium card. Its points count at the end if the player owns tiles with all "
        "its symbols. (In the English rulebook the player picks it, in the Slovak and Czech ones it is drawn at "
        "random: R-11.)",
    ),
    (
        "E73",
        "Equilibrium C and the number of players",
        "Variant C is A and B together. B and C suit three or more players. The cards of 4 points, with three "
        "symbols, are for four players only.",
    ),
)

_RULINGS: tuple[tuple[str, str, str, ClauseSource], ...] = (
    (
        "R-01",
        "Which End tile",
        "The standard End tile is used unless the alternative one is chosen at set-up. For two players the rulebook "
        "recommends the standard one.",
        ClauseSource.OPTION,
    ),
    (
        "R-02",
        "One cube in a cut-out",
        "A cut-out holds one cube, so the two cubes of a player name two different tiles.",
        ClauseSource.RULING,
    ),
    (
        "R-03",
        "Only where a tile lies",
        "A cut-out may not be chosen when no tile lies at its place, be it a gap in the grid or a place outside it.",
        ClauseSource.RULING,
    ),
    (
        "R-04",
        "Confirming Phase I",
        "Phase I ends when every player who takes part has confirmed. Until then a confirmation may be taken back, "
        "afterwards not.",
        ClauseSource.RULING,
    ),
    (
        "R-05",
        "Passed over",
        "A player none of whose cubes can be moved is passed over. A cube that was locked in the first pass and is "
        "free in the second must then be moved.",
        ClauseSource.RULING,
    ),
    (
        "R-06",
        "Cubes left on a board",
        "Cubes that are still on a board when Phase II ends return to the reserve.",
        ClauseSource.RULING,
    ),
    (
        "R-07",
        "Ties that the last cube is not part of",
        "When the very last cube belongs to a player who is not tied for most, the latest cube among the tied players "
        "decides.",
        ClauseSource.RULING,
    ),
    (
        "R-08",
        "Order of refilling",
        "Gaps are filled row by row, left to right, as seen from the red corner.",
        ClauseSource.RULING,
    ),
    (
        "R-09",
        "No tile can be removed",
        "When no unoccupied tile is restricted to the player who has no valid move, nothing is removed and the last "
        "round begins.",
        ClauseSource.RULING,
    ),
    (
        "R-10",
        "The removal is final",
        "When no replacement helps, the removed tile stays removed and its gap stays. The procedure runs once a round "
        "at most. When every player is restricted, the game ends there.",
        ClauseSource.RULING,
    ),
    (
        "R-11",
        "Choosing secret cards",
        "Secret Equilibrium cards are dealt at random unless picking them is chosen at set-up. One tile may serve "
        "several cards, and a capture that completes both open cards takes both.",
        ClauseSource.OPTION,
    ),
    (
        "R-12",
        "A game that need not end",
        "When every tile of the grid needs more cubes than one player has, and no other tile can come before one is "
        "captured, nobody can bring the game to its end alone. In Phase I the players may then agree to end it: it "
        "ends when all who take part have agreed and nobody has done anything else since. The points are counted as "
        "always.",
        ClauseSource.RULING,
    ),
)

CLAUSES: dict[str, Clause] = {
    **{i: Clause(i, title, text) for i, title, text in _RULEBOOK},
    **{i: Clause(i, title, text, source) for i, title, text, source in _RULINGS},
}
