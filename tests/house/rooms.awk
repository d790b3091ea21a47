# rooms.awk -- reads the sources for rooms.sh
#
# Input: the paths of all files, sorted.  mode: check, calls or map; nm: a file
# with what nm prints of the library.

BEGIN {
    breaches = 0
    kinds = "BINNING_(RAW|LOOKUP|DIRECT|EVEN|EDGES|LOG2)"
    read_rooms("src/ROOMS")
}

{ exists[$0] = 1 }

/\.(c|h|cu|cuh|cl|S)$/ { files[++file_count] = $0 }

END {
    if (failed)
        exit 2
    if (mode != "calls") {
        for (i = 1; i <= file_count; i++) {
            check_name(files[i])
            if (files[i] ~ /^src\//)
                read_source(files[i])
            else if (files[i] ~ /^kernels\//)
                read_kernel(files[i])
        }
    } else {
        read_calls()
    }
    if (mode == "map") {
        printf "%s", map()
        exit 0
    }
    report_circles()
    if (mode == "check")
        check_map()
    exit breaches != 0
}

function breach(text)
{
    if (mode != "map")
        print text
    breaches++
}

# A tree that cannot be read is not a tree without breaches.
function give_up(text)
{
    print "rooms.sh: " text | "cat >&2"
    failed = 1
    exit 2
}

function trimmed(text)
{
    sub(/^[ \t]+/, "", text)
    sub(/[ \t]+$/, "", text)
    return text
}

# read_rooms: the rooms in their order, and may[room, other].
function read_rooms(path, line, part, name, n, k)
{
    while ((getline line < path) > 0) {
        if (line ~ /^#/ || line ~ /^[ \t]*$/)
            continue
        split(line, part, "|")
        name[0] = trimmed(part[1])
        rooms[++room_count] = name[0]
        purpose[name[0]] = trimmed(part[3])
        n = split(trimmed(part[2]), name, " ")
        for (k = 1; k <= n; k++) {
            if (!(name[k] in purpose) || name[k] == rooms[room_count])
                breach(path ": " rooms[room_count] " may include " name[k] \
                    ", which is not on a lower floor")
            may[rooms[room_count], name[k]] = 1
        }
        may[rooms[room_count], rooms[room_count]] = 1
    }
    close(path)
    if (room_count == 0)
        give_up("no rooms in " path)
}

# room_of: the room of a path below src/, "" if it lies in none: the innermost
# folder that has a row.
function room_of(path)
{
    sub(/^src\//, "", path)
    while (sub(/\/[^\/]*$/, "", path))
        if (path in purpose)
            return path
    return ""
}

# house_part: the first folder of a room.
function house_part(room)
{
    sub(/\/.*/, "", room)
    return room
}

function module_of(path)
{
    sub(/^src\//, "", path)
    sub(/\.[^.\/]*$/, "", path)
    return path
}

function check_name(path, base)
{
    base = path
    sub(/.*\//, "", base)
    if (base in owner)
        breach(path ": has the name of " owner[base])
    else
        owner[base] = path
    check_head(path, base)
}

# check_head: the first lines of a file say which one it is, and what it is for.
function check_head(path, base, line, lines)
{
    while (lines++ < 3 && (getline line < path) > 0)
        if (index(line, base " -- ") > 0)
            base = ""
    close(path)
    if (base != "")
        breach(path ": does not begin with \"" base " -- what it is for\"")
}

# included: what a line includes, with its quotes; "" if it includes nothing.
function included(line)
{
    if (line !~ /^[ \t]*#[ \t]*include/)
        return ""
    sub(/^[ \t]*#[ \t]*include[ \t]*/, "", line)
    if (match(line, /^"[^"]*"/) || match(line, /^<[^>]*>/))
        return substr(line, 1, RLENGTH)
    return "a macro"
}

# check_width: one byte of a character is a column, those that follow are none.
function check_width(path, line, number)
{
    gsub(/[\200-\277]/, "", line)
    if (length(line) > 80)
        breach(path ": line " number " has more than 80 columns (" \
            length(line) ")")
}

function read_source(path, room, line, lines, what, name)
{
    room = room_of(path)
    if (!(room in purpose)) {
        breach(path ": lies in no room of src/ROOMS")
        return
    }
    used[room] = 1
    modules[module_of(path)] = 1
    while ((getline line < path) > 0) {
        check_width(path, line, ++lines)
        if (room !~ /^(hist|engine)(\/|$)/ && line ~ kinds)
            breach(path ": names a kind of axis, which is for hist and engine")
        what = included(line)
        if (what == "")
            continue
        name = substr(what, 2, length(what) - 2)
        if (what ~ /^"/ && ("src/" name) in exists)
            check_include(path, room, name)
        else if (what ~ /^"/ && name ~ /^kernels\/.*\.h$/ && name in exists)
            continue
        else if (what !~ /^</ || ("src/" name) in exists || name in exists)
            breach(path ": includes " what \
                ", which is not written as a path from src/")
    }
    close(path)
    if (path ~ /\.[ch]$/ && lines > 700)
        breach(path ": has more than 700 lines (" lines ")")
}

function check_include(path, room, name, other)
{
    other = room_of("src/" name)
    add_edge(module_of(path), module_of(name))
    includes[room, other] = 1
    check_floor(path, room, other, "includes \"" name "\"")
}

# check_floor: a file of one room uses another one.
function check_floor(path, room, other, how)
{
    if ((room, other) in may)
        return
    if ((other, room) in may)
        breach(path ": " how ", which reaches up from " room " to " other)
    else
        breach(path ": " how ", but " room " may not include " other)
}

function read_kernel(path, line, lines, what, name)
{
    while ((getline line < path) > 0) {
        check_width(path, line, ++lines)
        what = included(line)
        if (what == "" || what ~ /^</)
            continue
        name = substr(what, 2, length(what) - 2)
        if (name !~ /^kernels\// || !(name in exists))
            breach(path ": includes " what ", which is no file of kernels/")
    }
    close(path)
}

# add_edge: one module needs another; next_of[from] lists them in their order.
function add_edge(from, to)
{
    if (from == to || (from, to) in edge)
        return
    edge[from, to] = 1
    next_of[from] = next_of[from] " " to
}

# read_calls: as read_source(), of what objects define and use.
function read_calls(line, word, object, stem, path, i, n, definer, use, uses)
{
    for (i = 1; i <= file_count; i++) {
        if (files[i] !~ /^src\/.*\.[cS]$/)
            continue
        stem = module_of(files[i])
        modules[stem] = 1
        sub(/.*\//, "", stem)
        path[stem] = files[i]
    }
    while ((getline line < nm) > 0) {
        n = split(line, word, " ")
        if (n == 1 && line ~ /\.o:$/) {
            object = word[1]
            sub(/\.o:$/, "", object)
            if (!(object in path))
                give_up(object ".o is made of no file of src/")
        } else if (n == 3 && word[2] ~ /^[A-Zi]$/) {
            definer[word[3]] = object
        } else if (n == 2 && word[1] == "U") {
            use[++uses] = object " " word[2]
        }
    }
    if (uses == 0)
        give_up("no objects in " nm)
    for (i = 1; i <= uses; i++) {
        split(use[i], word, " ")
        # Names with two underscores are the compiler's.
        if (!(word[2] in definer) || definer[word[2]] == word[1] || \
            word[2] ~ /^__/)
            continue
        line = path[word[1]]
        object = path[definer[word[2]]]
        add_edge(module_of(line), module_of(object))
        check_floor(line, room_of(line), room_of(object), \
            "uses " word[2])
    }
}

# report_circles: for each module that is on a circle, the shortest one, unless
# one that was reported before leads through it.
function report_circles(name, names, n, i, j, text)
{
    for (name in modules) {
        # Sorted, so that the same tree gives the same lines.
        for (j = ++n; j > 1 && names[j - 1] > name; j--)
            names[j] = names[j - 1]
        names[j] = name
    }
    for (i = 1; i <= n; i++) {
        if (names[i] in reported)
            continue
        text = circle_through(names[i])
        if (text != "")
            breach("circle: " text)
    }
}

function circle_through(start, queue, head, tail, from, next_ones, n, k, text)
{
    split("", from)
    queue[tail = 1] = start
    for (head = 1; head <= tail; head++) {
        n = split(next_of[queue[head]], next_ones, " ")
        for (k = 1; k <= n; k++) {
            if (next_ones[k] in from)
                continue
            from[next_ones[k]] = queue[head]
            queue[++tail] = next_ones[k]
        }
        if (start in from)
            break
    }
    if (!(start in from))
        return ""
    text = start
    for (k = from[start]; k != start; k = from[k]) {
        reported[k] = 1
        text = k " -> " text
    }
    reported[start] = 1
    return start " -> " text
}

# map_line: a line of the map; I is the index of a room, or 0 for the head.  Of a
# room below the same first folder it has the last part of the name, of any other
# room the first part, once.
function map_line(i, room, k, list, name, listed)
{
    if (i == 0)
        return sprintf("%-20s %-27s %s", "room", "what lives there", "includes")
    room = rooms[i]
    for (k = 1; k <= room_count; k++) {
        if (k == i || !((room, rooms[k]) in includes))
            continue
        name = house_part(rooms[k])
        if (name == house_part(room)) {
            name = rooms[k]
            sub(/.*\//, "", name)
        }
        if (!(name in listed))
            list = list " " name
        listed[name]
    }
    return sprintf("%-20s %-27s %s", room, purpose[room], \
        list == "" ? "-" : substr(list, 2))
}

# map: the rooms that there are, and what each includes.
function map(i, text)
{
    text = "```\n"
    for (i = 0; i <= room_count; i++)
        if (i == 0 || rooms[i] in used)
            text = text map_line(i) "\n"
    return text "```\n"
}

# check_map: the lines between the marks in HACKING.md.
function check_map(line, inside, text)
{
    while ((getline line < "HACKING.md") > 0) {
        if (line == "<!-- /rooms -->")
            inside = 0
        if (inside)
            text = text line "\n"
        if (line == "<!-- rooms -->")
            inside = 1
    }
    close("HACKING.md")
    if (text != map())
        breach("HACKING.md: not the map that tests/house/rooms.sh --map " \
            "prints (--write mends it)")
}
