package io.gpusched.wire.pool;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.JobId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.wire.request.JsonTree;
import io.gpusched.wire.request.Parsed;
import io.gpusched.wire.request.RequestFields;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;

/// Reads a report of a pool's load. A missing number is 0; a replica with an unreadable id is
/// ignored with a warning.
public final class LoadRequest {
    private static final long MOST = 1_000_000_000_000L;
    private static final int MOST_COUNT = 1_000_000_000;
    private static final double MOST_MILLIS = 86_400_000;
    private static final int LONGEST_NAME = 63;

    /// Gateways put their host and port into their names, and bindings their kind and name.
    private static final int LONGEST_SOURCE = 128;

    private LoadRequest() {}

    public static Parsed<PoolLoad, Problem> read(JsonTree.Mapping body) {
        var problems = new ArrayList<Problem>();
        var warnings = new ArrayList<String>();
        var fields = RequestFields.withQuotedNumbers("", body, problems);
        String source = fields.text("source", "", LONGEST_SOURCE);
        if (source.isBlank()) {
            fields.problem(
                    "source",
                    "a report names its source",
                    "add \"source\": \"gw-1\"; each reporter has a name of its own");
        }
        var replicas = new LinkedHashMap<JobId, ReplicaLoad>();
        for (RequestFields each : fields.objects("replicas", PoolRequest.MOST_REPLICAS)) {
            String id = each.text("job_id", "", LONGEST_NAME);
            JobId job = JobId.parse(id);
            ReplicaLoad load = replica(each, job == null ? new JobId(1) : job);
            warnings.addAll(each.unknown());
            if (job == null) {
                warnings.add("a replica was ignored: job_id is " + new JsonTree.Text(id).shown());
            } else {
                replicas.put(job, load);
            }
        }
        var load =
                new PoolLoad(
                        source,
                        fields.whole("sequence", 0, 0, Long.MAX_VALUE),
                        Duration.ofMillis(fields.whole("over_ms", 0, 0, 86_400_000)),
                        count(fields, "arrivals"),
                        count(fields, "rejected"),
                        amount(fields, "prompt_tokens"),
                        amount(fields, "output_tokens"),
                        count(fields, "held"),
                        amount(fields, "held_tokens"),
                        count(fields, "sessions"),
                        amount(fields, "context_tokens"),
                        count(fields, "tool_calls"),
                        amount(fields, "queue_depth"),
                        count(fields, "answered"),
                        count(fields, "within_slo"),
                        millis(fields, "ttft_p95_ms"),
                        new ArrayList<>(replicas.values()));
        if (load.withinSlo() > load.answered()) {
            fields.problem(
                    "within_slo",
                    "within_slo is %d, which is more than answered, %d"
                            .formatted(load.withinSlo(), load.answered()),
                    "count each answered request once");
        }
        warnings.addAll(fields.unknown());
        return Parsed.of(load, warnings, problems);
    }

    private static ReplicaLoad replica(RequestFields each, JobId job) {
        return new ReplicaLoad(
                job,
                each.flag("ready", false),
                count(each, "running"),
                count(each, "waiting"),
                amount(each, "waiting_tokens"),
                (int) Math.round(each.number("kv", 0, 0, 1) * 1000),
                millis(each, "ttft_ms"),
                (int) Math.round(each.number("itl_ms", 0, 0, 1_000_000) * 1000),
                amount(each, "prompt_tokens"),
                amount(each, "output_tokens"));
    }

    private static int count(RequestFields fields, String key) {
        return fields.integer(key, 0, 0, MOST_COUNT);
    }

    private static long amount(RequestFields fields, String key) {
        return fields.whole(key, 0, 0, MOST);
    }

    private static int millis(RequestFields fields, String key) {
        return (int) Math.round(fields.number(key, 0, 0, MOST_MILLIS));
    }
}
