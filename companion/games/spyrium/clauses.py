"""Every clause of Spyrium's rules, in our own words, with its number: what checks, records and screens cite."""

from __future__ import annotations

from companion.core.types import Clause, ClauseSource

_RULEBOOK: tuple[tuple[str, str, str], ...] = (
    (
        "S1",
        "The box",
        "Two to five players, in blue, red, yellow, green and black. There are 35 workers (seven of each colour), "
        "24 tokens (eight each of 1, 2 and 3), two bonus tokens of each colour, 7 events, 7 techniques, 17 characters "
        "and 35 buildings. Money and Spyrium never run out.",
    ),
    (
        "S2",
        "Decks of the periods",
        "Period A is played in turns 1 to 3, B in turns 4 and 5, C in turn 6. Nine cards are laid out each turn; some "
        "cards of A and of B are not used. In the examples of the rulebook the Apprentice costs nothing and a Factory "
        "6; Luxury Home, Mansion and Palace are worth 6, 9 and 12 points. The other values are those of the box.",
    ),
    (
        "S3",
        "The residence track",
        "The residence track begins with 2, 3 and 4 and rises: so much the set-up and an example of the rulebook show. "
        "How it goes on and where it ends is said by the box.",
    ),
    (
        "S10",
        "Laying out the board",
        "The decks A, B and C are shuffled apart, the events are shuffled face up. Score discs begin at 0, residence "
        "discs at 2, phase discs on Phase I.",
    ),
    (
        "S11",
        "What a player begins with",
        "Each player begins with 3 workers, 2 Spyrium and 8 pounds; the 4 other workers of the colour wait as a "
        "reserve.",
    ),
    (
        "S12",
        "Tokens at the start",
        "The bonus tokens lie beside space 8. The number tokens are shuffled face down; when the open event uses a "
        "token, one is drawn for it.",
    ),
    ("S13", "First player", "Who begins is decided at random."),
    ("S20", "Revenue", "At the start of a turn each player gets the value of their residence space in pounds."),
    (
        "S21",
        "The event",
        "The future event becomes this turn's event and the next one is revealed, to be used in the next turn only. "
        "When the revealed one uses a token, one is drawn for it.",
    ),
    (
        "S22",
        "The market",
        "Nine cards of the period are laid out in three rows of three. The right-hand Mine and the Universities get "
        "one random token face up; Bureaucrat, Miner, Architect, Banker and Financier get one token fewer than there "
        "are players.",
    ),
    (
        "S23",
        "Workers wake up",
        "At the start of a turn all workers of a player are active and stand on the start card.",
    ),
    (
        "S24",
        "Turns and phases",
        "From the first player clockwise everybody does one action at a time until all have passed. Each player is in "
        "Phase I or Phase II independently of the others and never goes back.",
    ),
    (
        "S30",
        "Placing a worker",
        "In Phase I an active worker may be placed between two neighbouring cards, or between a card and an empty "
        "space. There are 12 such gaps inside the market, each with room for any number. Outside the market, and "
        "between two empty spaces, no worker may stand.",
    ),
    ("S31", "Using the event", "Each player may use the turn's event once a turn, in Phase I or in Phase II."),
    (
        "S32",
        "Starting Phase II",
        "A player who starts Phase II moves the disc and does an action of Phase II at once.",
    ),
    (
        "S40",
        "Gaining money",
        "In Phase II a player takes back one own worker, chooses a card beside it and gets a pound for every other "
        "worker beside that card. When both cards are gone the player gets nothing. The worker becomes inactive.",
    ),
    (
        "S41",
        "Activating a card",
        "In Phase II a player activates a card beside an own worker and pays its price and a pound for every other "
        "worker beside it. The worker becomes inactive.",
    ),
    (
        "S42",
        "Characters",
        "A character's effect happens once and the card stays. One that uses tokens can be called only while a token "
        "lies on it: the player picks one, its value counts, and it is discarded.",
    ),
    (
        "S43",
        "Buildings",
        "A building goes to a new space, which costs a pound for every building already owned, or replaces an own "
        "building, whose space costs nothing. When the two share a symbol the price is 3 pounds lower, but not below "
        "nothing.",
    ),
    (
        "S44",
        "Techniques",
        "A technique is taken from the market and kept; a player may own any number and never loses one.",
    ),
    (
        "S45",
        "Using a building",
        "In Phase II a player may use an upright own building: one of its effects is chosen, the card is inclined, the "
        "workers it takes come from the start card, the Spyrium it takes is paid.",
    ),
    ("S46", "The event in Phase II", "In Phase II, too, the event may be used if it has not been used this turn."),
    (
        "S47",
        "Passing",
        "A player may pass in Phase II with no own worker left in the market, and then does nothing more this turn.",
    ),
    (
        "S48",
        "Costs must be paid",
        "Who cannot pay cannot choose the action. Workers on buildings and inactive workers are not available until "
        "the next turn.",
    ),
    (
        "S50",
        "End of a turn",
        "The market's cards and the event are discarded, discs come back, inclined cards are straightened, and the "
        "first player passes to the left.",
    ),
    (
        "S51",
        "End of the game",
        "After the sixth turn the points on own buildings and of techniques, at most 7 for each technique, are added. "
        "Most points win; there is no tie-break. Replaced buildings count for nothing.",
    ),
    (
        "S52",
        "Bonus",
        "Who reaches or passes 8 points takes at once one of the two bonuses, a new active worker or 5 pounds; at 20 "
        "points the other one.",
    ),
    (
        "S53",
        "Acting on the residence track",
        "The player moves one space to the right or scores the value of the space. On the last space only the second "
        "is possible.",
    ),
    (
        "S54",
        "Used tokens",
        "Used tokens are discarded and shuffled again when the stock is empty. An event's token serves everybody and "
        "stays until the event goes.",
    ),
    ("S60", "Event: token", "The player gains the token's value in pounds, Spyrium or points."),
    ("S61", "Event: residence", "The player pays 1 Spyrium and acts on the residence track."),
    ("S62", "Event: points", "The player pays 3 pounds for 3 points, or 6 pounds for 5 points."),
    ("S63", "Event: money", "The player pays 1 Spyrium for 3 pounds, or 3 Spyrium for 6 pounds."),
    (
        "S64",
        "Event: second use",
        "The player pays a pound, straightens an inclined building and uses it again in the same action; what the use "
        "takes is paid again.",
    ),
    (
        "S65",
        "Event: new worker",
        "The player pays a pound for every worker owned and gets a new worker, who is active at once.",
    ),
    ("S66", "Event: late worker", "In Phase II the player places an active worker in the market."),
    (
        "S70",
        "The characters",
        "Miner: the token in Spyrium. Geologist: 2 Spyrium. Apprentice: 3 points for 1 Spyrium. Engineer: 4 points for "
        "1 Spyrium. Bureaucrat: the token in points. Adviser: 3 points. Banker: 4 points for the token in pounds. "
        "Financier: 5 points for the token in pounds. Architect: an action on the residence track for the token in "
        "pounds.",
    ),
    (
        "S80",
        "Mines",
        "Left: 1 worker gives 1 Spyrium. Middle: 1 Spyrium, or 2 with a worker. Right: 1 Spyrium, or 3 with a worker, "
        "and when it is built the token in Spyrium.",
    ),
    (
        "S81",
        "Workshops and Factories",
        "Workshops: 1 worker and 1 Spyrium for 3 points; 1 and 2 for 5. Left Factory: 1 and 2 for 6, or 2 and 3 for "
        "10. Right Factory: 2 and 3 for 10, or 2 and 5 for 15. All have the factory symbol.",
    ),
    (
        "S82",
        "Laboratories",
        "1 worker and 1 Spyrium for 4 points; 1 and 1 for 5; 1 and 2 for 7. They have the symbols of factory and "
        "research; two shared symbols still make a building only 3 pounds cheaper.",
    ),
    (
        "S83",
        "Universities",
        "Left: 1 worker for 2 points. Right: 1 worker for 3, or 2 workers for 6. When built they give the token in "
        "points.",
    ),
    (
        "S84",
        "Buildings with one effect or none",
        "The Working-class neighbourhoods give 1 or 2 new active workers when built, the Residence an action on the "
        "residence track. Luxury Home, Mansion and Palace give only their points. None of them can be used.",
    ),
    ("S90", "Automation", "Mines take no worker. At the end: a point for every Spyrium."),
    (
        "S91",
        "Capitalization",
        "Each gain of money brings 2 pounds more. At the end: a point for every 2 pounds.",
    ),
    (
        "S92",
        "Engineering",
        "Each worker used in a building with the factory symbol scores a point more. At the end: the points printed on "
        "own buildings with that symbol.",
    ),
    (
        "S93",
        "Lobbying",
        "Once a turn a card is activated without paying for the other workers. At the end: the value of the residence "
        "space.",
    ),
    (
        "S94",
        "Crane",
        "A new space is 3 pounds cheaper, but not below nothing. At the end: a point for every building.",
    ),
    (
        "S95",
        "Taylorism",
        "Once a turn an inclined building is straightened and used again. At the end: a point for every worker.",
    ),
    (
        "S96",
        "Commerce",
        "The tokens of activated market cards are kept, seven at most. Once a turn the player chooses what the token "
        "of an activated card or of the event counts as, 1, 2 or 3. At the end: a point for every token kept.",
    ),
)

_RULINGS: tuple[tuple[str, str, str], ...] = (
    (
        "R-S1",
        "No worker left in the reserve",
        "When all seven workers of a player are in play, no new one comes. The event and the building may still be "
        "chosen, and the bonus may be taken as money.",
    ),
    (
        "R-S2",
        "Two bonuses at once",
        "Points that pass 8 and 20 in one action give both bonuses, in the order the player likes. Points at the end "
        "of the game give none.",
    ),
    (
        "R-S3",
        "Who counts beside a card",
        "All other workers in all gaps beside the card count, the player's own among them.",
    ),
    (
        "R-S4",
        "Nothing left in Phase I",
        "A player in Phase I without an active worker and without an event to use must start Phase II.",
    ),
    (
        "R-S5",
        "No token left at all",
        "When stock and discard pile are both empty, no token is drawn. A card built without a token gives nothing for "
        "it, and an event that lacks its token cannot be used.",
    ),
    (
        "R-S6",
        "When Taylorism is used",
        "Straightening a building by Taylorism and using it again is together one action of Phase II. By the option "
        "`taylorism` it goes along with using a building instead: in the same action a building that is inclined then, "
        "the one just used or another, is straightened and used again.",
    ),
    (
        "R-S7",
        "Capitalization without a card",
        "Capitalization's 2 pounds are gained also when both cards beside the worker are gone.",
    ),
    (
        "R-S8",
        "No technique is used for nothing",
        "Lobbying is used only where another worker stands beside the card, Commerce only to give a token another "
        "value than it shows.",
    ),
    (
        "R-S9",
        "Sizes of the decks",
        "The rulebook does not print how many cards belong to each period. The companion expects 30 for A, 20 for B "
        "and 9 for C, so that three of A and two of B are not used.",
    ),
)

_OPTIONS = {"R-S6": ClauseSource.OPTION}  # rulings that can be switched at set-up

CLAUSES: dict[str, Clause] = {
    **{i: Clause(i, title, text) for i, title, text in _RULEBOOK},
    **{i: Clause(i, title, text, _OPTIONS.get(i, ClauseSource.RULING)) for i, title, text in _RULINGS},
}
