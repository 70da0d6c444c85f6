#!/bin/sh
# Walks through what the scheduler does, over its REST interface: two tenants, three jobs, the queue.
# Needs curl and a running scheduler, for example bin/scheduler --demo in another terminal.
#
#   GPU_SCHEDULER_API_URL   where the scheduler is (default http://localhost:8080), also API_URL
#   GPU_SCHEDULER_TOKEN     sent as bearer token, where the scheduler asks for one, also TOKEN
set -eu

case ${1:-} in
    '') ;;
    -h | --help)
        sed -n 's/^# \{0,1\}//p' "$0" | sed -n '2,6p'
        exit 0
        ;;
    *)
        printf '%s\n' "demo.sh takes no arguments, found $1; demo.sh --help says what it needs" >&2
        exit 2
        ;;
esac

api=${API_URL:-${GPU_SCHEDULER_API_URL:-http://localhost:8080}}
token=${TOKEN:-${GPU_SCHEDULER_TOKEN:-}}
if command -v jq > /dev/null 2>&1; then have_jq=yes; else have_jq=; fi

fail() {
    printf '%s\n' "$*" >&2
    exit 1
}

# Sends method $1 to path $2 with body $3, prints the answer's body; ends unless it is a success.
ask() {
    set -- "$1" "$2" "${3:-}"
    answer=$(curl -sS -w '\n%{http_code}' -X "$1" "$api$2" \
        ${token:+-H "Authorization: Bearer $token"} \
        -H 'Content-Type: application/json' ${3:+-d "$3"}) \
        || fail "no answer from $api: start the scheduler with bin/scheduler --demo, or set GPU_SCHEDULER_API_URL"
    code=${answer##*
}
    body=${answer%
*}
    case $code in
        2*) printf '%s' "$body" ;;
        *) fail "$1 $2 was answered with $code: $body" ;;
    esac
}

# The text under key $1 of the JSON object on standard input; keys are looked up at any depth.
field() {
    if [ -n "$have_jq" ]; then
        jq -r ".$1"
    else
        sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"
    fi
}

gpus() {
    if [ "$1" = 1 ]; then echo "1 GPU"; else echo "$1 GPUs"; fi
}

# Name, priority, GPUs and status of each job in the list on standard input.
rows() {
    if [ -n "$have_jq" ]; then
        jq -r '.jobs[] | "\(.name)\t\(.priority)\t\(.gpu_count)\t\(.status)"'
    else
        { cat && echo; } | sed 's/{"id":"job-/\n&/g' | sed -n \
            's/.*"name":"\([^"]*\)".*"status":"\([^"]*\)".*"priority":\([0-9-]*\),.*"gpu_count":\([0-9.]*\).*/\1\t\3\t\4\t\2/p'
    fi
}

say() { printf '\n== %s\n' "$*"; }

say "1. The cluster"
status=$(ask GET /api/v1/cluster/status)
for figure in total_nodes online_nodes total_gpus available_gpus total_jobs pending_jobs running_jobs; do
    printf '   %-16s %s\n' "$figure" "$(printf '%s' "$status" | field "$figure")"
done

say "2. Two tenants"
research=$(ask POST /api/v1/tenants '{"name":"AI Research Team","max_gpus":8}' | field id)
printf '   AI Research Team   %s\n' "$research"
production=$(ask POST /api/v1/tenants '{"name":"Production Team","max_gpus":16}' | field id)
printf '   Production Team    %s\n' "$production"

say "3. Three jobs"
submit() {
    id=$(ask POST /api/v1/jobs \
        "{\"name\":\"$1\",\"tenant_id\":\"$2\",\"gpu_count\":$3,\"priority\":$4,\"script\":\"sleep 5\"}" | field job_id)
    printf '   %-28s %s, priority %-5s %s\n' "$1" "$(gpus "$3")" "$4" "$id"
}
submit "Production Model Training" "$production" 4 1000
first=$id
submit "Research Experiment" "$research" 2 500
submit "Data Preprocessing" "$research" 1 100

say "4. The jobs of both tenants"
for tenant in "$production" "$research"; do
    ask GET "/api/v1/jobs?tenant_id=$tenant" | rows | while IFS='	' read -r name priority gpus state; do
        printf '   %-28s priority %-5s %-6s  %s\n' "$name" "$priority" "$(gpus "$gpus")" "$state"
    done
done

say "5. Why the first one is where it is"
printf '   %s\n' "$(ask GET "/api/v1/jobs/$first/explain" | field summary)"

printf '\nDone. Look further with bin/gpu-cli list, bin/gpu-cli explain %s, bin/gpu-cli nodes.\n' "$first"
