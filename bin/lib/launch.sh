# Functions of the launchers in bin/: find a JDK, build a module if needed, run its main class.
# For POSIX sh. The caller must set `self` to its own path, with symbolic links resolved.
#
# Environment variables:
#   GPU_SCHEDULER_JAVA_HOME   JDK to use; no other JDK is searched
#   GPU_SCHEDULER_JAVA_OPTS   additional JVM options, separated by blanks
#   GPU_SCHEDULER_BUILD       "never" starts the existing build, even if the sources are newer

needed_java=25
root=$(CDPATH='' cd -P "${self%/*}/.." && pwd)

say() { printf '%s\n' "$*" >&2; }

fail() {
    say "$@"
    exit 1
}

# --- the JDK -------------------------------------------------------------------------------------

# Whether $1 is the home of a JDK that is new enough. Reads its `release` file, which is faster than
# starting it.
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

# Sets `java_home`, or exits with advice.
find_java() {
    if [ -n "${GPU_SCHEDULER_JAVA_HOME:-}" ]; then
        is_new_enough "$GPU_SCHEDULER_JAVA_HOME" || fail \
            "GPU_SCHEDULER_JAVA_HOME=$GPU_SCHEDULER_JAVA_HOME is not a JDK $needed_java or newer." \
            "Set it to such a JDK, or unset it to search the usual places."
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
    say "gpu-scheduler needs JDK $needed_java or newer, but found none."
    say "Install one, for example:"
    say "    Debian, Ubuntu   apt install openjdk-25-jdk-headless   (or temurin-25-jdk)"
    say "    Fedora           dnf install java-25-openjdk-devel"
    say "    macOS            brew install openjdk@25"
    say "    SDKMAN           sdk install java 25-tem"
    fail "or set GPU_SCHEDULER_JAVA_HOME to an installed JDK."
}

# --- the build -----------------------------------------------------------------------------------

# The modules that launchers start. Only bin/format needs `conventions`.
launched="cli server demo agent gateway operator lab bench"

# The modules that module $1 is built from.
modules_of() {
    case $1 in
        server) echo "core wire sim store web server" ;;
        demo) echo "core wire sim store web server agent demo" ;;
        agent) echo "core wire agent" ;;
        operator) echo "core wire agent operator" ;;
        lab) echo "core wire sim store rl lab" ;;
        bench) echo "core wire sim store rl web server bench" ;;
        *) echo "$1" ;;
    esac
}

# Whether the jar of module $1 exists and is newer than its sources.
is_built() {
    built=$root/$1/target/$1.jar
    [ -f "$built" ] || return 1
    [ "${GPU_SCHEDULER_BUILD:-}" = never ] && return 0
    stamp=$root/$1/target/launch.stamp
    [ "$stamp" -nt "$built" ] && built=$stamp
    set -- $(modules_of "$1")
    count=$#
    for each in "$@"; do set -- "$@" "$each/pom.xml" "$each/src/main"; done
    shift "$count"
    [ -z "$(cd "$root" && find pom.xml "$@" -newer "$built" -print -quit 2>/dev/null)" ]
}

# Builds module $1 unless it is up to date. Only one launcher builds at a time.
build() {
    is_built "$1" && return
    if ! command -v mvn >/dev/null 2>&1; then
        [ -f "$root/$1/target/$1.jar" ] || fail \
            "gpu-scheduler is not built yet, and Maven (mvn) is not installed." \
            "Install it, for example: apt install maven"
        say "warning: the sources are newer than the build, but Maven (mvn) is not installed; starting the old build"
        return
    fi
    mkdir -p "$root/target" "$root/$1/target"
    lock
    is_built "$1" || compile "$1"
    unlock
}

# Builds module $1 and every module of `launched` that was never built. So a fresh clone is built
# once as a whole; after a change of sources only $1 is built.
compile() {
    why="its sources have changed"
    [ -f "$root/$1/target/$1.jar" ] || why="first start"
    wanted=$1
    if [ "$1" != conventions ]; then
        for each in $launched; do
            [ "$each" = "$1" ] || [ -f "$root/$each/target/$each.jar" ] || wanted=$wanted,$each
        done
    fi
    case $wanted in
        *,*) say "building all of gpu-scheduler (first start, a few minutes, once for all commands) ..." ;;
        *) say "building $1 of gpu-scheduler ($why) ..." ;;
    esac
    log=$root/target/launch-$1.log
    # Created before the build, so that a source saved during the build counts as newer.
    : > "$root/target/launch.begun"
    if ! run_maven "$wanted"; then
        if grep -q '^\[ERROR\]' "$log"; then
            grep '^\[ERROR\]' "$log" | head -n 25 >&2
        else
            tail -n 25 "$log" >&2
        fi
        unlock
        fail "the build failed; the complete log is in $log"
    fi
    for each in $(echo "$wanted" | tr ',' ' '); do
        if [ -d "$root/$each/target" ]; then
            touch -r "$root/target/launch.begun" "$root/$each/target/launch.stamp"
        fi
    done
    rm -f "$root/target/launch.begun"
}

# Runs Maven in the background and reads its output. A shell that reads handles a signal at once; a
# shell that waits for a foreground program handles it only when that program has ended.
run_maven() {
    pipe=$root/target/launch.pipe
    rm -f "$pipe"
    mkfifo "$pipe" || {
        echo "[ERROR] cannot create a pipe in $root/target" > "$log"
        return 1
    }
    JAVA_HOME=$java_home mvn -B -f "$root/pom.xml" -pl "$1" -am -Dmaven.test.skip=true package \
        > "$pipe" 2>&1 < /dev/null &
    builder=$!
    while IFS= read -r line; do
        printf '%s\n' "$line" >&3
        # [INFO] Building core 1.0-SNAPSHOT                 [2/5]
        case $line in
            *'] Building '*' ['*/*']')
                each=${line#*'] Building '}
                count=${line##*'['}
                count=${count%']'}
                say "  ${each%% *} (${count%/*} of ${count#*/})"
                ;;
        esac
    done < "$pipe" 3> "$log"
    rm -f "$pipe"
    build_code=0
    wait "$builder" || build_code=$?
    builder=
    return "$build_code"
}

# Stops Maven, releases the lock and exits as signal number $1 would.
stop_building() {
    trap '' INT TERM HUP
    if [ -n "$builder" ]; then
        kill "$builder" 2>/dev/null || true
        wait "$builder" 2>/dev/null || true
    fi
    rm -f "$root/target/launch.pipe"
    unlock
    say "the build was interrupted; the next start continues it"
    exit $((128 + $1))
}

# The lock is a directory, because creating one is atomic everywhere. It contains the owner's pid.
lock() {
    lock_path=$root/target/launch.lock
    waited=
    until mkdir "$lock_path" 2>/dev/null; do
        owner=$(cat "$lock_path/pid" 2>/dev/null || true)
        if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
            mv "$lock_path" "$lock_path.$$" 2>/dev/null && rm -rf "$lock_path.$$"
            continue
        fi
        [ -n "$waited" ] || say "waiting for another launcher that is building (process ${owner:-unknown})"
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

# Whether the ahead-of-time cache of module $1 is newer than its jar and the jars it uses. The JVM does
# not notice every jar that was replaced, and would then run old classes beside new ones.
cache_is_fresh() {
    [ -f "$root/$1/target/$1.aot" ] &&
        [ -z "$(find "$root/$1/target/$1.jar" "$root/$1/target/lib" -name '*.jar' \
            -newer "$root/$1/target/$1.aot" 2>/dev/null | head -n 1)" ]
}

# Once per build, runs main class $2 of module $1 to record the classes that a start needs in an
# ahead-of-time cache; later starts load them from that cache.
train_cache() {
    module=$1 main=$2
    shift 2
    cache=$root/$module/target/$module.aot
    if cache_is_fresh "$module"; then return; fi
    [ -w "$root/$module/target" ] || return 0
    # shellcheck disable=SC2086
    "$java_home/bin/java" $jvm_flags -XX:AOTCacheOutput="$cache.$$" -Xlog:disable \
        -cp "$root/$module/target/$module.jar:$root/$module/target/lib/*" "$main" "$@" \
        > /dev/null 2>&1 < /dev/null || true
    if [ -f "$cache.$$" ]; then mv -f "$cache.$$" "$cache"; else rm -f "$cache.$$"; fi
}

# Replaces this shell by main class $2 of module $1, with the remaining arguments and the JVM flags in
# `jvm_flags`.
launch() {
    module=$1 main=$2
    shift 2
    if cache_is_fresh "$module"; then
        # The JVM ignores a cache that does not fit; suppress its warning.
        jvm_flags="$jvm_flags -Xlog:disable -Xlog:all=error:stderr"
        set -- -XX:AOTCache="$root/$module/target/$module.aot" \
            -cp "$root/$module/target/$module.jar:$root/$module/target/lib/*" "$main" "$@"
    else
        set -- -cp "$root/$module/target/$module.jar:$root/$module/target/lib/*" "$main" "$@"
    fi
    # shellcheck disable=SC2086
    exec "$java_home/bin/java" $jvm_flags ${GPU_SCHEDULER_JAVA_OPTS:-} "$@"
}
