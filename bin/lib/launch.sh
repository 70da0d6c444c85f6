# Shared by the launchers in bin/: finds a JDK, builds a module when needed, runs its main class.
# Sourced by POSIX sh. The caller has set `self` to its own path, with symbolic links resolved.
#
# Variables people may set:
#   GPU_SCHEDULER_JAVA_HOME   the JDK to use, before every other
#   GPU_SCHEDULER_JAVA_OPTS   further options for the JVM, separated by blanks
#   GPU_SCHEDULER_BUILD       "never" starts what is there, whatever the age of the sources

needed_java=25
root=$(CDPATH='' cd -P "${self%/*}/.." && pwd)

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$@"
    exit 1
}

# --- the JDK -------------------------------------------------------------------------------------

# Is $1 the home of a Java that is new enough? Reads its `release` file: no process is started.
is_new_enough() {
    [ -n "$1" ] && [ -x "$1/bin/java" ] && [ -r "$1/release" ] || return 1
    while IFS= read -r line; do
        case $line in
            JAVA_VERSION=*)
                version=${line#JAVA_VERSION=}
                version=${version#\"}
                version=${version%%[!0-9]*}
                [ -n "$version" ] && [ "$version" -ge "$needed_java" ]
                return
                ;;
        esac
    done < "$1/release"
    return 1
}

# Sets `java_home`, or ends with advice.
find_java() {
    if [ -n "${GPU_SCHEDULER_JAVA_HOME:-}" ]; then
        is_new_enough "$GPU_SCHEDULER_JAVA_HOME" || fail \
            "GPU_SCHEDULER_JAVA_HOME=$GPU_SCHEDULER_JAVA_HOME is not a JDK $needed_java or newer." \
            "Point it at one, or unset it and let the launcher look."
        java_home=$GPU_SCHEDULER_JAVA_HOME
        return
    fi
    for java_home in "${JAVA_HOME:-}" "${JAVA25_HOME:-}" \
        /usr/lib/jvm/* /usr/lib64/jvm/* /usr/java/* /opt/java/* /opt/jdk* \
        "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/* "${HOME:-}"/.jdks/* \
        "${HOME:-}"/.asdf/installs/java/* "${HOME:-}"/.local/share/mise/installs/java/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        if is_new_enough "$java_home"; then return; fi
    done
    if [ -x /usr/libexec/java_home ]; then
        java_home=$(/usr/libexec/java_home -v "$needed_java+" 2>/dev/null || true)
        if is_new_enough "$java_home"; then return; fi
    fi
    if command -v java >/dev/null 2>&1; then
        java_home=$(java -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java\.home = //p')
        if is_new_enough "$java_home"; then return; fi
    fi
    say "gpu-scheduler needs a JDK $needed_java or newer and found none."
    say "Install one, for example:"
    say "    Debian, Ubuntu   apt install openjdk-25-jdk-headless   (or temurin-25-jdk)"
    say "    Fedora           dnf install java-25-openjdk-devel"
    say "    macOS            brew install openjdk@25"
    say "    SDKMAN           sdk install java 25-tem"
    fail "or set GPU_SCHEDULER_JAVA_HOME to one that is already there."
}

# --- the build -----------------------------------------------------------------------------------

# The modules that launchers start. (bin/format alone needs `conventions`, and nothing else.)
launched="cli server demo agent lab bench"

# The modules whose sources end up in module $1.
modules_of() {
    case $1 in
        server) echo "core wire sim store server" ;;
        demo) echo "core wire sim store server agent demo" ;;
        agent) echo "core wire agent" ;;
        lab) echo "core wire sim store rl lab" ;;
        bench) echo "core wire sim store bench" ;;
        *) echo "$1" ;;
    esac
}

# Is the jar of $1 there and newer than everything it is made of?
is_built() {
    built=$root/$1/target/$1.jar
    [ -f "$built" ] || return 1
    [ "${GPU_SCHEDULER_BUILD:-}" = never ] && return 0
    stamp=$root/$1/target/launch.stamp
    [ "$stamp" -nt "$built" ] && built=$stamp
    set -- $(modules_of "$1")
    count=$#
    for part in "$@"; do set -- "$@" "$part/pom.xml" "$part/src/main"; done
    shift "$count"
    [ -z "$(cd "$root" && find pom.xml "$@" -newer "$built" -print -quit 2>/dev/null)" ]
}

# Builds module $1 unless it is fresh. Two launchers never build at once.
build() {
    is_built "$1" && return
    if ! command -v mvn >/dev/null 2>&1; then
        [ -f "$root/$1/target/$1.jar" ] || fail \
            "gpu-scheduler is not built yet, and Maven (mvn) is not installed." \
            "Install it, for example: apt install maven"
        say "the sources are newer than the build, but Maven (mvn) is not installed: starting the old build"
        return
    fi
    mkdir -p "$root/target" "$root/$1/target"
    lock
    is_built "$1" || compile "$1"
    unlock
}

# Builds module $1, and with it every module of `launched` that was never built, so that one wait is
# all there is: in a fresh clone this builds everything, after a change of sources only $1.
compile() {
    why="its sources have changed"
    [ -f "$root/$1/target/$1.jar" ] || why="first start"
    wanted=$1
    if [ "$1" != conventions ]; then
        for part in $launched; do
            [ "$part" = "$1" ] || [ -f "$root/$part/target/$part.jar" ] || wanted=$wanted,$part
        done
    fi
    case $wanted in
        *,*) say "building all of gpu-scheduler (first start, a few minutes, once for all commands) ..." ;;
        *) say "building $1 of gpu-scheduler ($why) ..." ;;
    esac
    log=$root/target/launch-$1.log
    # Made before the build: a source saved while it runs counts as newer.
    : > "$root/target/launch.begun"
    if ! run_maven "$wanted"; then
        if grep -q '^\[ERROR\]' "$log"; then
            grep '^\[ERROR\]' "$log" | head -n 25 >&2
        else
            tail -n 25 "$log" >&2
        fi
        unlock
        fail "the build failed; the whole log is in $log"
    fi
    for part in $(echo "$wanted" | tr ',' ' '); do
        if [ -d "$root/$part/target" ]; then
            touch -r "$root/target/launch.begun" "$root/$part/target/launch.stamp"
        fi
    done
    rm -f "$root/target/launch.begun"
}

# Maven runs in the background and we read what it says: a signal reaches a shell that reads at once,
# one that waits for a program in the foreground only when that program is done.
run_maven() {
    pipe=$root/target/launch.pipe
    rm -f "$pipe"
    mkfifo "$pipe" || {
        echo "[ERROR] no pipe can be made in $root/target" > "$log"
        return 1
    }
    JAVA_HOME=$java_home mvn -B -f "$root/pom.xml" -pl "$1" -am -Dmaven.test.skip=true package \
        > "$pipe" 2>&1 < /dev/null &
    builder=$!
    while IFS= read -r line; do
        printf '%s\n' "$line" >&3
        # [INFO] Building core 1.0.0                    [2/5]
        case $line in
            *'] Building '*' ['*/*']')
                part=${line#*'] Building '}
                count=${line##*'['}
                count=${count%']'}
                say "  ${part%% *} (${count%/*} of ${count#*/})"
                ;;
        esac
    done < "$pipe" 3> "$log"
    rm -f "$pipe"
    built_with=0
    wait "$builder" || built_with=$?
    builder=
    return "$built_with"
}

# Ends with signal number $1, and Maven with us: the lock is given back when nobody builds any more.
stop_building() {
    trap '' INT TERM HUP
    if [ -n "$builder" ]; then
        kill "$builder" 2>/dev/null || true
        wait "$builder" 2>/dev/null || true
    fi
    rm -f "$root/target/launch.pipe"
    unlock
    say "stopped while gpu-scheduler was being built; the next start builds the rest"
    exit $((128 + $1))
}

# A directory is the lock, because making one is atomic everywhere; the owner's pid is inside.
lock() {
    lock_path=$root/target/launch.lock
    waited=
    until mkdir "$lock_path" 2>/dev/null; do
        owner=$(cat "$lock_path/pid" 2>/dev/null || true)
        if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
            mv "$lock_path" "$lock_path.$$" 2>/dev/null && rm -rf "$lock_path.$$"
            continue
        fi
        [ -n "$waited" ] || say "another launcher is building (process ${owner:-unknown}): waiting for it"
        waited=yes
        sleep 1
    done
    echo $$ > "$lock_path/pid"
    builder=
    trap unlock EXIT
    trap 'stop_building 1' HUP
    trap 'stop_building 2' INT
    trap 'stop_building 15' TERM
}

unlock() {
    rm -rf "$root/target/launch.lock"
    trap - EXIT INT TERM HUP
}

# --- the start -----------------------------------------------------------------------------------

# Once per build, runs module $1 with the arguments after $2 to record which classes a start needs;
# later starts of main class $2 map them from a file instead of parsing and linking them.
rehearse() {
    module=$1 main=$2
    shift 2
    cache=$root/$module/target/$module.aot
    if [ "$cache" -nt "$root/$module/target/$module.jar" ]; then return; fi
    [ -w "$root/$module/target" ] || return 0
    # shellcheck disable=SC2086
    "$java_home/bin/java" $jvm_flags -XX:AOTCacheOutput="$cache.$$" -Xlog:disable \
        -cp "$root/$module/target/$module.jar:$root/$module/target/lib/*" "$main" "$@" \
        > /dev/null 2>&1 < /dev/null || true
    if [ -f "$cache.$$" ]; then mv -f "$cache.$$" "$cache"; else rm -f "$cache.$$"; fi
}

# Becomes main class $2 of module $1, with the arguments after them and the JVM flags in `jvm_flags`.
launch() {
    module=$1 main=$2
    shift 2
    if [ -f "$root/$module/target/$module.aot" ]; then
        # An outdated cache is ignored by the JVM; it need not talk about it.
        jvm_flags="$jvm_flags -Xlog:disable -Xlog:all=error:stderr"
        set -- -XX:AOTCache="$root/$module/target/$module.aot" \
            -cp "$root/$module/target/$module.jar:$root/$module/target/lib/*" "$main" "$@"
    else
        set -- -cp "$root/$module/target/$module.jar:$root/$module/target/lib/*" "$main" "$@"
    fi
    # shellcheck disable=SC2086
    exec "$java_home/bin/java" $jvm_flags ${GPU_SCHEDULER_JAVA_OPTS:-} "$@"
}
