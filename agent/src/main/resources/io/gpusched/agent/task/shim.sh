#!/bin/sh
# Runs one task and outlives the agent that started it.
#
#   shim.sh DIR LEASE COOKIE LIMIT GRACE SEGMENT SEGMENTS     (started through setsid)
#
# DIR       the task's directory; everything below happens in it. The job runs as the same user and
#           may damage it: what we have once read is not read again, and numbers are checked
# LEASE     file with the uptime until which this machine may run tasks
# COOKIE    text in the environment of every process of the task, and of no other process
# LIMIT     how long the task may run, 0 for no limit      } all times are centiseconds
# GRACE     from SIGTERM to SIGKILL                        } of /proc/uptime
# SEGMENT   bytes after which a new log file is begun, SEGMENTS how many of them are kept
#
# Files in DIR. Each appears whole, by rename, and is written once unless said otherwise:
#
#   shim      (ours)   our pid, its start time, the guard's pid, its start time: prepared, waiting
#   go        (agent)  shell text that becomes the task: the permission to start
#   stop      (agent)  uptime after which to kill; terminate now. May be replaced by an earlier one
#   started   (ours)   the task's pid (also its session), its start time, the uptime of the start
#   cause     (ours)   why we are ending it: stopped, timeout or lease
#   exit      (ours)   how it ended, exit code or "-", uptime. Nothing of the task runs any more
#   log.N     (ours)   output; N is the offset of the first byte in all that the task ever wrote
#
# Three processes: this one waits for the task; the guard watches lease, limit and stop once a
# second, or at once on SIGUSR1, and ends the task if this one is killed; the sink caps the log.
# The task has a session of its own, so it can signal its group without hitting us.
# Only POSIX shell, setsid, grep, dd, mkfifo and /proc are needed; nothing here needs root.
set -uf
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH

# Sets $now.
look_at_clock() {
    read -r uptime _ </proc/uptime
    now=${uptime%.*}${uptime#*.}
}

# Sets $born to the start time of process $1, the one thing a recycled pid cannot repeat.
look_at_birth() {
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    # shellcheck disable=SC2086
    set -- ${line##*) }
    born=${20}
}

publish() {
    printf '%s\n' "$2" >"$dir/$1.new" && mv -f "$dir/$1.new" "$dir/$1"
}

# Sets $first to the first word of file $1, 0 where there is none.
look_at_number() {
    first=0
    { read -r first _ <"$1"; } 2>/dev/null
    case $first in '' | *[!0-9]*) first=0 ;; esac
}

# ------------------------------------------------------------------------------ the task's start
# Second entry: already in the task's own session, the pid that will be the task's.
if [ "${1:-}" = --become-task ]; then
    dir=$2
    exec </dev/null >"$dir/out" 2>&1 # Here, so that our shell's "Killed" stays out of the log.
    look_at_birth "$$"
    look_at_clock
    publish started "$$ $born $now"
    # The guard writes the cause before it looks for the session to signal; we do the reverse.
    [ -e "$dir/cause" ] && exit 143
    exec /bin/sh "$dir/go"
fi

dir=$1 lease=$2 cookie=$3 limit=$4 grace=$5 segment=$6 segments=$7
self=$$

# Sets $session and $begun from the first `started` that makes sense.
look_at_start() {
    [ "$session" = 0 ] || return 0
    { read -r first _ second <"$dir/started"; } 2>/dev/null || return 0
    case $first in '' | *[!0-9]*) return 0 ;; esac
    case $second in '' | *[!0-9]*) return 0 ;; esac
    session=$first begun=$second
}

# ------------------------------------------------------------------------------------- processes
# Sets $found to the pids of all living processes of the task: those that carry the cookie, even
# when they left the session, and those in the session, even when they dropped the environment.
find_task() {
    look_at_start
    set +f
    files=$(
        grep -lsF -- "$cookie" /proc/[0-9]*/environ
        [ "$session" = 0 ] || grep -lsE "\) [^ZX] [0-9]+ [0-9]+ $session " /proc/[0-9]*/stat
    )
    set -f
    found=
    for file in $files; do
        file=${file#/proc/}
        found="$found ${file%/*}"
    done
}

kill_task() {
    find_task
    # shellcheck disable=SC2086
    [ -z "$found" ] || kill -KILL $found 2>/dev/null
}

# SIGTERM, once for every process: to the task's group in one call, because a list misses processes
# that are being forked meanwhile, and to those that left the group. A process that a handler starts
# later gets none.
terminate_task() {
    find_task
    inside='' outside=''
    for pid in $found; do
        look_at_group "$pid" || continue
        if [ "$group" = "$session" ]; then inside=yes; else outside="$outside $pid"; fi
    done
    [ -z "$inside" ] || kill -TERM "-$session" 2>/dev/null
    # shellcheck disable=SC2086
    [ -z "$outside" ] || kill -TERM $outside 2>/dev/null
}

# Sets $group to that of process $1.
look_at_group() {
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    # shellcheck disable=SC2086
    set -- ${line##*) }
    group=$3
}

# --------------------------------------------------------------------------------- why to end it
# Sets $why to the reason to end the task, empty for none, and moves $kill_at, never later.
# A lease that ran out bounds every other reason, because others count on it.
look_at_reasons() {
    look_at_clock
    look_at_number "$lease"
    if [ "$now" -ge "$first" ]; then
        because lease "$((first + grace))"
    fi
    if [ -e "$dir/stop" ]; then
        look_at_number "$dir/stop"
        because stopped "$first"
    fi
    if [ "$limit" -gt 0 ] && [ "$begun" -gt 0 ] && [ "$now" -ge "$((begun + limit))" ]; then
        because timeout "$((begun + limit + grace))"
    fi
}

because() {
    why=${why:-$1}
    [ "$kill_at" -le "$2" ] || kill_at=$2
}

nap() {
    sleep "$1" &
    nap=$!
    wait "$nap" || kill "$nap" 2>/dev/null
}

# --------------------------------------------------------------------------------------- the guard
guard() {
    trap : TERM HUP INT USR1
    # Published here and not by the parent: from now on a signal can no longer hit a shell that has
    # not set its traps yet, where it would end us or vanish.
    read -r own _ </proc/self/stat
    look_at_birth "$own"
    publish shim "$self $self_born $own $born"
    told=
    while :; do
        if ! look_at_birth "$self" || [ "$born" != "$self_born" ]; then
            finish_for_the_dead
        fi
        look_at_start
        look_at_reasons
        if [ -n "$why" ]; then
            if [ -z "$told" ]; then
                told=$why
                publish cause "$why $kill_at"
                terminate_task
            fi
            [ "$now" -lt "$kill_at" ] || kill_task
        fi
        nap 1
    done
}

# The process that waits for the task was killed, so the exit code is unknown for good.
finish_for_the_dead() {
    publish cause "${why:-lost} 0"
    while
        kill_task
        [ -n "$found" ]
    do sleep 0.1 || sleep 1; done
    look_at_clock
    [ -e "$dir/exit" ] || publish exit "lost - $now"
    exit 0
}

# ---------------------------------------------------------------------------------------- the sink
# Copies stdin to log files without ever making the writer wait for more than the disk. dd hands on
# what it reads at once, never reads ahead, and is replaced now and then to measure the file.
sink() {
    trap '' TERM HUP INT USR1
    offset=0 size=0 kept=
    while :; do
        dd bs=65536 count=16 >>"$dir/log.$offset" 2>/dev/null || break
        grown=$(wc -c <"$dir/log.$offset")
        [ "$grown" -ne "$size" ] || return 0
        size=$((grown + 0))
        if [ "$size" -ge "$segment" ]; then
            kept="$kept $offset"
            offset=$((offset + size)) size=0
            : >"$dir/log.$offset"
            # shellcheck disable=SC2086
            set -- $kept
            if [ "$#" -ge "$segments" ]; then
                rm -f "$dir/log.$1"
                kept=${kept#" $1"}
            fi
        fi
    done
    cat >/dev/null # The disk is full: lose output, not the job.
}

# ---------------------------------------------------------------------------------------- the rest
trap : TERM HUP INT USR1 # Handlers, not '': what we ignore, the task would have to ignore too.
cd / || exit 1
why='' kill_at=9223372036854775807 begun=0 session=0

lives() {
    { read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    case ${line##*) } in Z*) return 1 ;; esac
}

# With SIGKILL, which no shell can miss.
dismiss_guard() {
    kill -KILL "$guard" 2>/dev/null
    wait "$guard"
}

# Kills what is left of our own session, then records how the task ended.
finish() {
    set +f
    files=$(grep -lsE "\) [^ZX] [0-9]+ [0-9]+ $self " /proc/[0-9]*/stat)
    set -f
    for file in $files; do
        file=${file#/proc/}
        [ "${file%/*}" = "$self" ] || kill -KILL "${file%/*}" 2>/dev/null
    done
    rm -f "$dir/out"
    look_at_clock
    # An agent that found our records missing may have recorded a lost task and killed it.
    [ -e "$dir/exit" ] || publish exit "$1 $2 $now"
    exit 0
}

look_at_birth "$self" && self_born=$born
mkfifo -m 600 "$dir/out" || exit 1
guard &
guard=$!
while [ ! -e "$dir/shim" ]; do
    lives "$guard" || exit 1
    sleep 0.01 || sleep 1
done

while [ ! -e "$dir/go" ]; do
    look_at_reasons
    [ -z "$why" ] || break
    sleep 0.1 || sleep 1
done
look_at_reasons
if [ -n "$why" ]; then
    dismiss_guard
    finish "$why" -
fi

sink <"$dir/out" &
sink=$!
# In the foreground, because a shell makes its background children ignore SIGINT.
setsid /bin/sh "$0" --become-task "$dir"
code=$?
dismiss_guard

# The first process has ended; whatever else it left behind gets the rest of the grace, or, when
# the end was not asked for, a few seconds.
if [ -e "$dir/cause" ]; then
    { read -r why kill_at <"$dir/cause"; } 2>/dev/null
    case $kill_at in '' | *[!0-9]*) kill_at=0 ;; esac
    how=${why:-lost}
else
    how=exited
    look_at_clock
    [ "$grace" -lt 500 ] && kill_at=$((now + grace)) || kill_at=$((now + 500))
    terminate_task
fi
find_task
while [ -n "$found" ]; do
    look_at_reasons
    if [ "$now" -ge "$kill_at" ]; then kill_task; else find_task; fi
    [ -z "$found" ] || sleep 0.1 || sleep 1
done

# All writers are gone, so the sink is about to see the end; a process outside the task may still
# hold its output, and is not waited for.
tries=0
while lives "$sink" && [ "$tries" -lt 40 ]; do
    tries=$((tries + 1))
    sleep 0.05 || tries=40
done
finish "$how" "$code"
