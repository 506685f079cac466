"""Every clause of the rules of Rifts of N'Norya, in our own words, with its number: what checks and screens cite."""

from __future__ import annotations

from companion.core.types import Clause, ClauseSource

_RULEBOOK: tuple[tuple[str, str, str], ...] = (
    (
        "N1",
        "What a mage has",
        "Each player has a mage, three resource markers (fire yellow, earth green, air white), the starting spell "
        "deck of the affinity (fire, earth, air or water) and a hand of five cards drawn from it.",
    ),
    (
        "N2",
        "The map at the start",
        "The starting location lies in the middle and the mages stand on its spaces; the location tiles lie face "
        "down. Which spaces a tile shows is said by the box.",
    ),
    (
        "N3",
        "The spell deck and the market",
        "The spell deck is made of one spell book for each affinity that plays. Four Rift cards are shuffled in, and "
        "one Rift card lies among the bottom five. Five cards lie face up as the Spell Market; Rift cards met while "
        "laying it out go back and are reshuffled.",
    ),
    (
        "N4",
        "Store and scroll",
        "The store sells Horse, Boat and Max Scroll at the prices of the box. A mage holds at most five of each "
        "resource, with Max Scroll ten.",
    ),
    ("N5", "Winning", "Everybody wins when all three Temple Relics have been brought back to the starting tile."),
    (
        "N6",
        "Losing to the rifts",
        "Everybody loses when an enemy must be placed for a rift and cannot be: all six spaces around the rift are "
        "occupied by enemies.",
    ),
    (
        "N7",
        "Losing to the cards",
        "Everybody loses when the last Rift card is revealed in the market before all three relics are destroyed.",
    ),
    (
        "N10",
        "Adding to the map",
        "At the start of a turn a location tile is drawn and placed so that at least two sides of spaces meet.",
    ),
    ("N11", "Enemies follow", "On a new space that touches a space with an active enemy an extra enemy spawns."),
    (
        "N12",
        "Icons of the tile",
        "Enemies and rifts shown on the tile are placed. A rift icon places an active rift and raises the Rift "
        "Tracker by one.",
    ),
    (
        "N13",
        "Temples and cities",
        "Where three spaces of a kind touch (white mountain: air, green forest: earth, yellow desert: fire), that "
        "element's temple is put in their middle, but not touching the starting tile. Three touching blue villages "
        "become a city, and each of them can be used as if the mage stood on it.",
    ),
    (
        "N14",
        "Rivers",
        "A tile with a river is laid so that it continues an existing river if that is possible; else it begins a new "
        "one.",
    ),
    (
        "N20",
        "Moving",
        "Then the mage moves up to 3 spaces, with a Horse 5. Leaving a river costs one movement more, but not with a "
        "Boat; with a Boat one movement goes anywhere along the connected river.",
    ),
    ("N21", "Resources", "Entering a space gives one resource of its kind, up to the limit."),
    (
        "N22",
        "Starting combat",
        "On a space with an enemy or an active rift combat may be started; it costs no movement.",
    ),
    (
        "N30",
        "A combat round",
        "The mage draws up to five cards, plays any of them and adds their damage, one more for each card whose "
        "element is the target's weakness: fire is weak to air, earth to fire, air to earth. An enemy's health is the "
        "Rift Tracker. If it is defeated, the mage takes the token and its gold; if not, a Wound goes to the discard "
        "pile and the enemy has its full health again. Fights may be joint; rewards and Wounds are divided by "
        "agreement. Cards played are discarded and hands are filled up to five.",
    ),
    (
        "N31",
        "Defeating a rift",
        "A rift has 10 health. When it is defeated it is turned to its inactive side, gives 5 gold, and the Rift "
        "Tracker goes down by one.",
    ),
    (
        "N32",
        "Rifts spawn",
        "On each player's turn every active rift spawns one enemy on the first free space beside it, from the north- "
        "east clockwise. If all are occupied but the rift is not wholly encircled, the enemy comes to the nearest "
        "spawn icon; of several equally near the players agree on one. A rift wholly encircled: N6.",
    ),
    (
        "N40",
        "Temples",
        "A mage that stands in the element group of a temple may seek the relic: three encounters in a row in one "
        "turn. Each completed level pays its coins. After the third the mage takes the relic and the market is "
        "cleared. A mage that is knocked out starts anew on a later turn.",
    ),
    (
        "N41",
        "Knocked out",
        "With 4 Wounds in hand a mage is knocked out: the turn ends and the Wounds go back. Standing up costs one "
        "movement of the next turn. Wounds cannot be played.",
    ),
    (
        "N50",
        "Village, city and market",
        "In a city a mage can buy at the store. In a village or city a mage can buy a spell, which goes to the "
        "discard pile, or clear the market for 3 gold. Bought and cleared cards are replaced.",
    ),
    (
        "N51",
        "Rift cards",
        "A revealed Rift card stays in the market and blocks its place. All inactive rifts become active again.",
    ),
    (
        "N60",
        "Glory",
        "The player who vanquished most enemies is the champion of N'Norya; of equal ones the one with most gold.",
    ),
)

_RULINGS: tuple[tuple[str, str, str], ...] = (
    ("R-N1", "Number of Rift cards", "There are five Rift cards in all: four shuffled in, and the low one."),
    (
        "R-N2",
        "The tracker",
        "The Rift Tracker shows the number of active rifts, and 1 when there is none. So it is 1 at the start, and the "
        "first active rift leaves it at 1.",
    ),
    ("R-N3", "When rifts spawn", "Rifts spawn at the start of the active player's turn, before the tile is added."),
    (
        "R-N4",
        "Elements of enemies",
        "An enemy has the element of the space it spawns on; on rivers, villages and the starting tile it has none, "
        "and no weakness.",
    ),
    (
        "R-N5",
        "The edge of the table",
        "Spaces lie with a point to the north, the top of the table. The map ends eight spaces from the middle; no "
        "tile is laid beyond.",
    ),
    (
        "R-N6",
        "Tiles that fit nowhere",
        "A tile that cannot be laid anywhere is put aside. When no tile is left, none is added.",
    ),
    (
        "R-N7",
        "Enemy tokens",
        "Tokens of defeated enemies do not come back. When none is ready, no enemy comes to a new tile; if one must "
        "be placed for a rift, it cannot be: N6.",
    ),
    (
        "R-N8",
        "Spawn icons",
        "Rifts spawn in the order in which they appeared. The nearest spawn icon is counted in steps between spaces, "
        "laid or not, and may hold enemies already. If there is no spawn icon on the map the enemy cannot be placed: "
        "N6. The player whose turn it is says what was agreed.",
    ),
    (
        "R-N9",
        "Where temples stand",
        "There is one temple of each element, and it appears once. It touches the starting tile when one of its three "
        "spaces does. If it could stand at several corners, the player whose turn it is chooses.",
    ),
    (
        "R-N10",
        "Fuel",
        "Resources fuel spells: with a card that shows fuel a mage may pay one resource of that kind for the "
        "additional damage printed on it.",
    ),
    (
        "R-N11",
        "Trade",
        "The text of a village says which resource is bought there for how much gold; a mage may sell as often as it "
        "likes in its turn. In a city the texts of all its villages can be used.",
    ),
    (
        "R-N12",
        "Joint fights",
        "Mages on the same space may join, at a temple those in its element group; not those that lie knocked out. A "
        "failed round gives one Wound in all. Fighters make offers in turn, beginning with the mage whose turn it is; "
        "when everybody's offer was refused, that mage takes the token or the Wound, and the gold is split evenly, "
        "the rest going to it. Who has joined and is knocked out leaves the fight, and the turn goes on. When the mage "
        "whose turn it is is knocked out, the fight and the turn are over, and the others still draw up to five.",
    ),
    (
        "R-N13",
        "Trying again",
        "A token that withstood is not fought again by the same mage in the same turn; another token on the same "
        "space may be. In a temple every fighter plays at least one spell in each round.",
    ),
    ("R-N14", "Elements of rifts", "A rift has no element and no weakness."),
    (
        "R-N15",
        "Players and order",
        "One to four play; the colour tells the affinity: yellow fire, green earth, white air, blue water. The first "
        "named player begins; mages are placed in the same order.",
    ),
    (
        "R-N16",
        "Time presses",
        "At the start of a turn with no location tile left and no active rift, the first spell of the market is "
        "cleared away and replaced.",
    ),
    (
        "R-N18",
        "Bought in mid turn",
        "A Horse bought in the course of a turn gives its two movements from the next turn on; Boat and Max Scroll "
        "count at once.",
    ),
    (
        "R-N19",
        "A champion after a defeat",
        "The champion is named after a defeat, too; but then nobody has won the game. Where no enemy was vanquished "
        "there is no champion.",
    ),
    (
        "R-N20",
        "What counts for glory",
        "Only enemy tokens of the map that a mage has taken count. The encounters in a temple and defeated rifts count "
        "for nothing.",
    ),
    (
        "R-N21",
        "Reshuffling for the market",
        "When Rift cards go back while the market is laid out, only the cards above the bottom five are shuffled: the "
        "low Rift card stays among the bottom five.",
    ),
    (
        "R-N22",
        "Three spaces in a line",
        "Three spaces of a kind have a middle for a temple only where all three meet at one corner. Three in a line "
        "get no temple, but three villages in a line are a city.",
    ),
    (
        "R-N23",
        "Acting without moving",
        "A mage need not move in a turn before it fights, seeks a relic, buys or sells where it stands. What is said "
        "of landing on a space holds for standing there.",
    ),
    (
        "R-N24",
        "Ways that are not shown",
        "Who moves the figure over several spaces at once goes a shortest way, and of several of these the one that "
        "gains most. Who goes another way stops on each space of it, or says so. Where no way gains more than another, "
        "the player is asked.",
    ),
)

_OPTIONS: tuple[tuple[str, str, str], ...] = (
    (
        "R-N17",
        "Real cards in hand",
        "By the option `hands` the mages hold real cards. Then the companion knows how many cards are in a hand and "
        "what hand and deck are together, and each card when it is played; hands are filled up without being told. Who "
        "has drawn and could hold four Wounds says whether it is so.",
    ),
)

CLAUSES: dict[str, Clause] = {
    **{number: Clause(number, title, text) for number, title, text in _RULEBOOK},
    **{number: Clause(number, title, text, ClauseSource.RULING) for number, title, text in _RULINGS},
    **{number: Clause(number, title, text, ClauseSource.OPTION) for number, title, text in _OPTIONS},
}
