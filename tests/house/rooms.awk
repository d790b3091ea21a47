# SPDX-License-Identifier: MIT
# rooms.awk -- reads the sources for rooms.sh
#
# Input: the paths of all files, sorted.  mode: check, calls or map; nm: a file
# with what nm prints of the library.

BEGIN {
    breaches = 0
    kinds = "BINNING_(RAW|LOOKUP|DIRECT|EVEN|EDGES|LOG2)"
    exceptions = "tests/house/EXCEPTIONS"
    read_rooms("src/ROOMS")
    read_exceptions()
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
    if (mode == "check") {
        check_tags()
        check_readmes()
        check_exceptions()
        check_map()
    }
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

# kernel_room: the folder that a file of kernels/ is in.
function kernel_room(path)
{
    sub(/\/[^\/]*$/, "", path)
    return path
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

function check_length(path, lines)
{
    if (lines > 1000)
        breach(path ": has more than 1000 lines (" lines ")")
}

# read_exceptions: reason[what] for each line "what | reason".
function read_exceptions(line, part)
{
    while ((getline line < exceptions) > 0) {
        if (line ~ /^#/ || line ~ /^[ \t]*$/)
            continue
        split(line, part, "|")
        reason[trimmed(part[1])] = trimmed(part[2])
        excepted[++exception_count] = trimmed(part[1])
    }
    close(exceptions)
}

# is_excepted: whether an entry allows this breach; the entry is of use then.
function is_excepted(what)
{
    if (!(what in reason))
        return 0
    is_needed[what] = 1
    return 1
}

# check_exceptions: each entry has a reason and is needed; few functions are
# exceptions.
function check_exceptions(i, what, functions)
{
    for (i = 1; i <= exception_count; i++) {
        what = excepted[i]
        if (!(what in is_needed))
            breach(exceptions ": \"" what "\" is not needed: remove the entry")
        if (reason[what] == "")
            breach(exceptions ": \"" what "\" has no reason")
        functions += what ~ /^function /
    }
    if (functions > 6)
        breach(exceptions ": has more than six functions (" functions ")")
}

# read_line: notes the tag that a line of a file defines, and measures functions.
function read_line(path, line)
{
    if (in_body) {
        if (line !~ /^}/) {
            body_lines++
            return
        }
        if (body_lines > 60 && !is_excepted("function " path " " head))
            breach(path ": " head "() has more than 60 lines (" body_lines \
                "): make it several functions")
        end_of_function()
    } else if (line ~ /^[a-z_]/) {
        if (match(line, /^[a-z_][A-Za-z0-9_]*\(/))
            head = substr(line, 1, RLENGTH - 1)
        if (line ~ /^((static|const) )*(struct|enum|union) [A-Za-z0-9_]+ *\{/) {
            sub(/ *\{.*/, "", line)
            gsub(/(static|const) /, "", line)
            note_tag(path, line)
        }
    } else if (line == "{" && head != "") {
        in_body = 1
    } else if (head ~ /^__/ && match(line, /^ +[a-z_][A-Za-z0-9_]*\(/)) {
        # The attribute of a kernel stands before its name.
        head = trimmed(substr(line, 1, RLENGTH - 1))
    }
}

function end_of_function()
{
    in_body = body_lines = 0
    head = ""
}

function note_tag(path, tag)
{
    if (!(tag in definers))
        tags[++tag_count] = tag
    definers[tag] = definers[tag] ", " path
    definitions[tag]++
}

# check_tags: a tag has one meaning in the whole tree.
function check_tags(i, tag)
{
    for (i = 1; i <= tag_count; i++) {
        tag = tags[i]
        if (definitions[tag] > 1 && !is_excepted("tag " tag))
            breach(tag ": defined more than once (" substr(definers[tag], 3) \
                "): rename all but one")
    }
}

# check_readmes: each room, and each folder of kernels/, says what it is.
function check_readmes(i, room)
{
    for (i = 1; i <= room_count; i++)
        if (rooms[i] in used)
            check_readme("src/" rooms[i])
    for (i = 1; i <= kernel_room_count; i++)
        check_readme(kernel_rooms[i])
}

function check_readme(room, path, line, lines)
{
    path = room "/README.md"
    if (!(path in exists)) {
        if (!is_excepted("readme " room))
            breach(path ": is missing: each room has one")
        return
    }
    while ((getline line < path) > 0) {
        lines++
        gsub(/[\200-\277]/, "", line)
        if (length(line) > 100)
            breach(path ": line " lines " has more than 100 columns (" \
                length(line) ")")
    }
    close(path)
    if (lines > 60)
        breach(path ": has more than 60 lines (" lines ")")
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
        read_line(path, line)
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
    end_of_function()
    check_length(path, lines)
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

function read_kernel(path, room, line, lines, what, name)
{
    room = kernel_room(path)
    if (room != "kernels" && !(room in used)) {
        used[room] = 1
        kernel_rooms[++kernel_room_count] = room
    }
    while ((getline line < path) > 0) {
        check_width(path, line, ++lines)
        read_line(path, line)
        what = included(line)
        if (what == "" || what ~ /^</)
            continue
        name = substr(what, 2, length(what) - 2)
        if (name !~ /^kernels\// || !(name in exists))
            breach(path ": includes " what ", which is no file of kernels/")
    }
    close(path)
    end_of_function()
    check_length(path, lines)
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
# room the first part, once.  base, which all include, is left out.
function map_line(i, room, k, list, name, listed)
{
    if (i == 0)
        return sprintf("%-20s %-24s %s", "room", "what lives there",
            "includes, beside base")
    room = rooms[i]
    for (k = 1; k <= room_count; k++) {
        if (k == i || rooms[k] == "base" ||
            !((room, rooms[k]) in includes))
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
    return sprintf("%-20s %-24s %s", room, purpose[room], \
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
