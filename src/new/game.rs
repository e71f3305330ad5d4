//! `orbat new game`: a small, complete game to change into one's own.

/// The files of a new game, by path below the project: its definition, its tables, a chart, an overlay and a scenario.
pub fn game(id: &str) -> Vec<(String, String)> {
    let oob = |name: &str| format!("{}/{id}/{name}", crate::project::OOB);
    let scenarios = |name: &str| format!("{}/{id}/{name}", crate::scenario::FOLDER);
    let file = |path: String, text: &str| (path, text.replace("{id}", id));
    vec![
        file(oob("game.toml"), GAME),
        file(oob("formations.csv"), FORMATIONS),
        file(oob("units.csv"), UNITS),
        file(oob("leaders.csv"), LEADERS),
        file(oob("weapons.csv"), WEAPONS),
        file(oob("markers.csv"), MARKERS),
        file(oob("tables/cost.csv"), COST),
        file(oob("errata/rulings.toml"), RULINGS),
        file(scenarios("first-clash.toml"), SCENARIO),
        file(scenarios("first-clash.md"), BRIEFING),
    ]
}

const GAME: &str = r##"# A game system: everything that distinguishes it from others is said here and in the tables beside this file. Change what
# is here, run `orbat check`, and look at the sheets with `orbat print roster --game {id} --of red-1`.
#
# The tables: formations.csv (the tree of armies, divisions, brigades), units.csv, leaders.csv, weapons.csv, markers.csv.
# Corrections go into errata/*.toml, scenarios into scenarios/{id}/*.toml.

id = "{id}"
title = "A new game"
source = "the rulebook that the numbers come from"
about = "A few words for the front of the sheets."

# Spellings that mean the same in names: `12 Pa`, `12th Penna` and `12 Pennsylvania` are then one name.
synonyms = [["Pa", "Penna", "Pennsylvania"]]

# --- Who -------------------------------------------------------------------------

[[sides]]
id = "red"
name = "Red"
color = "#c98a7a"

[[sides]]
id = "blue"
name = "Blue"
color = "#8aa4c9"

# Levels of command, 1 the highest.
[[echelons]]
id = "army"
name = "Army"
level = 1

[[echelons]]
id = "brigade"
name = "Brigade"
level = 2

# Kinds of unit. `arm` is what selections such as `artillery of 1` go by; faces are the states that a counter shows.
[[kinds]]
id = "infantry"
name = "Infantry"
arm = "infantry"
faces = [{ state = "line", movement = 4 }, { state = "column", movement = 6 }]

[[kinds]]
id = "battery"
name = "Battery"
arm = "artillery"
faces = [{ state = "unlimbered" }, { state = "limbered", movement = 6 }]

[[ranks]]
id = "BG"
name = "Brigadier General"
insignia = "★"

[[roles]]
id = "commander"
name = "Commander"

# --- What is said of them --------------------------------------------------------

# Columns of units.csv and fields of the pack. An empty cell is not known; `?` says that nobody knows.
[[attributes]]
of = "units"
name = "strength"
type = "integer"
label = "Strength"
short = "Str"
unit = "points"
min = 1
max = 20
expected = true
in_scenarios = true          # the value at the start stands in scenarios

[[attributes]]
of = "units"
name = "weapon"
type = "choice"
table = "weapons"            # one of the ids in weapons.csv
label = "Weapon"
short = "W"
expected = true

[[attributes]]
of = "units"
name = "quality"
type = "choice"
choices = ["veteran", "trained", "raw"]
label = "Quality"

[[attributes]]
of = "units"
name = "points"
type = "integer"
label = "Points"

[[attributes]]
of = "formations"
name = "points"
type = "integer"
label = "Points"

[[attributes]]
of = "leaders"
name = "rating"
type = "integer"
label = "Rating"
short = "R"
min = 0
max = 3

# --- What follows from it --------------------------------------------------------

# Assumed where a cell is empty; packs and sheets mark such a value.
[[defaults]]
of = "units"
attribute = "quality"
value = "trained"
source = "the rulebook calls most troops trained"

# Computed. `lookup` reads a chart; `product` and `total` are unknown where one of their parts is.
[[derived]]
of = "units"
attribute = "points"
value = "product(strength, lookup('cost', quality, arm))"
source = "cost chart"

# Summed up over everything below a formation. Where something has no value, the sum is told as partial.
[[rollups]]
attribute = "points"
units = "points"
source = "an army costs what its units cost"

# Rules of the game about what may stand in an order of battle.
[[rules]]
id = "brigade-size"
of = "formations"
when = "echelon == 'brigade'"
must = "units | length >= 1 and units | length <= 6"
message = "{{ name }} has {{ units | length }} units; a brigade has one to six"

# --- Charts ----------------------------------------------------------------------

[[tables]]
id = "cost"
title = "Cost of a point of strength"
file = "tables/cost.csv"
source = "cost chart"
rows = { name = "quality", type = "text" }
columns = { name = "arm", type = "text" }
cells = { type = "integer" }

# --- Time and place --------------------------------------------------------------

# Turns are numbered. By the clock instead: kind = "clock" with `days` and `parts`.
[calendar]
kind = "numbered"

[[areas]]
id = "east-road"
name = "East road"
kind = "entry"
sides = ["blue"]

[[features]]
id = "ridge"
name = "the ridge"
kind = "hill"
objective = true

# How units arrive whose turn is not fixed: a die that is tried each turn, with better odds each time.
[[arrival_rules]]
id = "delayed"
name = "Delayed arrival"
die = 6
succeeds_up_to = [2, 4, 6]

# --- Paper -----------------------------------------------------------------------

[[shapes]]
id = "half-inch"
name = "Half-inch square"
width = 1270                 # hundredths of a millimetre
height = 1270

[[counters]]
of = "units"
shape = "half-inch"
sheet = "units"
front = { name = "{{ abbr }}", strength = "{{ strength if strength is not none }}", weapon = "{{ weapon if weapon is not none }}" }
back = { name = "{{ abbr }}" }

[[counters]]
of = "leaders"
shape = "half-inch"
sheet = "units"
front = { name = "{{ abbr }}", rank = "{{ insignia if insignia is not none }}" }

[[counters]]
of = "markers"
shape = "half-inch"
sheet = "markers"
front = { name = "{{ front if front is not none else name }}" }

# What the box holds; checked against the units of all scenarios.
[[inventory]]
id = "unit-counters"
name = "Unit counters"
count = 5
of = "units"

[[sheets]]
id = "roster"
title = "Brigade roster"
template = "roster"
per = "formation"
echelons = ["brigade"]

[[sheets]]
id = "errata"
title = "Errata and rulings"
template = "errata"

[[scenario_sheets]]
id = "scenario"
title = "Scenario"
template = "card"

[[scenario_sheets]]
id = "setup"
title = "Set-up"
template = "setup"

[[scenario_sheets]]
id = "schedule"
title = "Reinforcements"
template = "schedule"
"##;

const FORMATIONS: &str = "id,side,parent,echelon,abbr,name,order
red,red,,army,,Red Army,1
red-1,,red,brigade,1,First Brigade,1
blue,blue,,army,,Blue Army,2
blue-1,,blue,brigade,1,First Brigade,1
";

const UNITS: &str = "id,formation,kind,name,abbr,strength,weapon,quality,order
red-3-foot,red-1,infantry,3rd Foot,3 Foot,6,rifle,veteran,1
red-4-foot,red-1,infantry,4th Foot,4 Foot,4,musket,,2
red-battery-a,red-1,battery,Battery A,A,6,gun,,3
blue-12-pa,blue-1,infantry,12th Pa.,12 Pa,5,rifle,,1
blue-14-pa,blue-1,infantry,14 Pa.,14 Pa,5,rifle,raw,2
";

const LEADERS: &str = "id,name,rank,role,commands,rating,order
red-grey,Grey,BG,commander,red-1,2,1
blue-green,Green,BG,commander,blue-1,?,2
";

const WEAPONS: &str = "id,name
rifle,Rifle
musket,Musket
gun,Gun
";

const MARKERS: &str = "id,name,front,count
rout,Rout,ROUT,4
";

const COST: &str = "quality,infantry,artillery
veteran,3,5
trained,2,4
raw,1,2
";

const RULINGS: &str = r#"# Corrections are never typed into the tables: each is an entry here, which says what the value was and refuses to apply
# to anything else. `orbat errata --game {id}` lists what became of each.

id = "rulings"
title = "Rulings"
date = 2000-01-01
source = "our own, with the evidence"
kind = "ruling"

[[entries]]
ref = "order of battle"
kind = "correction"
summary = "The 14 Pa. is the 14th Pa., as its sister regiment is written."
reason = "Every other regiment has its ordinal."
op = "rename"
table = "units"
target = "blue-14-pa"
was = { name = "14 Pa." }
now = { name = "14th Pa." }
"#;

const SCENARIO: &str = r#"# A scenario. Every unit is accounted for: set up, arriving, or absent with the reason.

id = "first-clash"
title = "First clash"
source = "made up"
briefing = "first-clash.md"
start = "1"
end = "8"
first_side = "blue"
sets_up_first = "red"

[[deploy]]
id = "on-the-ridge"
side = "red"
units = "1"                  # a selection: `1`, `1 except 4 Foot`, `artillery of 1`, …
place = { on = ["ridge"] }

[[reinforcements.extra]]
id = "first-comers"
side = "blue"
at = "1"
areas = ["east-road"]
units = "12 Pa"

[[reinforcements.extra]]
id = "late-comers"
side = "blue"
at = "3"
by = "delayed"               # a die is rolled each turn from turn 3 on
areas = ["east-road"]
units = "14 Pa"

[[victory]]
kind = "objective"
at = "ridge"
points = 10
when = "whoever holds it at the end"

[[special_rules]]
title = "Morning fog"
text = "Nobody fires in the first turn."
"#;

const BRIEFING: &str = "Red holds the ridge. Blue comes up the east road and must have it by noon.\n";
