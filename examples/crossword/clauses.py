"""The clauses of the crossword tile game."""

from companion.core.types import Clause, ClauseSource

CLAUSES = {
    clause.id: clause
    for clause in (
        Clause("C1", "The first word", "The first word covers the middle of the board and has two letters or more."),
        Clause("C2", "One line", "The tiles of a turn lie in one row or column, with no empty square between them."),
        Clause("C3", "Joined", "After the first word, a tile of a turn lies beside a tile of an earlier one."),
        Clause("C4", "Free squares", "A tile is laid on a free square of the board."),
        Clause("C5", "Seven at most", "A player has seven tiles: one turn lays one to seven of them."),
        Clause("C6", "In the box", "No letter is laid more often than the box has it."),
        Clause(
            "C7", "Points of a word",
            "Every word that a turn makes or lengthens counts its letters. Under a tile laid in this turn, a square "
            "doubles or triples its letter, then the word. A blank tile counts nothing.",
        ),
        Clause("C8", "All seven", "Who lays all seven tiles in one turn gets 50 points more."),
        Clause("C9", "Turns", "The players take turns: they lay a word, exchange tiles or pass."),
        Clause(
            "C10", "Challenge",
            "Before acting, the next player may challenge the word just laid. If it is no word, its tiles come off the "
            "board, its points are taken back and the turn is lost. The players decide what is a word.",
        ),
        Clause(
            "C11", "End",
            "The game ends when the bag is empty and a player has no tile left, or when nobody has laid a word for two "
            "rounds.",
        ),
        Clause(
            "C12", "Tiles left over",
            "At the end the points of the tiles left over are taken off each player's score. Who has none left "
            "gets the points of all the others'.",
        ),
        Clause("C13", "The winner", "The most points win; with equal points the win is shared."),
        Clause(
            "CR1", "What a blank tile stands for", "No camera sees it and no rule needs it: it may be told.",
            ClauseSource.RULING,
        ),
    )
}  # fmt: skip
