package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.Interruption;
import io.gpusched.core.model.JobDeadline;
import io.gpusched.core.model.JobSpec;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.model.Proximity;
import io.gpusched.core.model.Role;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.wire.codec.Interner;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/// Reads job submissions. Fields and defaults are those of the public API. Unknown fields are named
/// in the warnings and otherwise ignored.
///
/// Equal parts of jobs are interned. Any thread may use it.
public final class JobRequest {
    /// Facts about the cluster that a submission depends on.
    ///
    /// @param largestNode GPUs of the largest node; 0 if unknown
    /// @param containers whether a container runtime is available
    /// @param lasting whether it is read for a pool: larger nodes may join as long as it lasts
    public record Context(
            int defaultPriority, int largestNode, boolean containers, boolean lasting) {
        public Context(int defaultPriority, int largestNode, boolean containers) {
            this(defaultPriority, largestNode, containers, false);
        }

        /// The same facts for the replicas of a pool.
        public Context ofPool() {
            return new Context(defaultPriority, largestNode, containers, true);
        }
    }

    /// A valid submission.
    ///
    /// @param held whether the job waits for a release before it may be scheduled
    /// @param exceedsNodes whether a warning says that no node has enough GPUs for a task
    public record Submission(JobSpec spec, boolean held, boolean exceedsNodes) {}

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DEFAULT_GRACE = Interruption.DEFAULT.grace();

    private final Interner<String, TenantId> tenants = new Interner<>(1 << 12, TenantId::new);
    private final Interner<String, String> kinds = Interner.ofEqual(1 << 12);
    private final Interner<List<Role>, List<Role>> roles = Interner.ofEqual(1 << 14);
    private final Interner<List<Proximity>, List<Proximity>> nears = Interner.ofEqual(1 << 8);
    private final Interner<Payload, Payload> payloads = Interner.ofEqual(1 << 13);
    private final Interner<Labels, Labels> labels = Interner.ofEqual(1 << 13);
    private final Interner<Duration, Duration> limits = Interner.ofEqual(1 << 12);
    private final Interner<CarbonPreference, CarbonPreference> carbons = Interner.ofEqual(1 << 10);
    private final Interner<Interruption, Interruption> interruptions = Interner.ofEqual(1 << 10);

    public Parsed<Submission, Problem> read(JsonTree.Mapping body, Context context) {
        var problems = new ArrayList<Problem>();
        var warnings = new ArrayList<String>();
        var requestFields = new RequestFields(body, problems);
        String tenant = requestFields.text("tenant_id", Tenant.DEFAULT.name(), RequestBounds.NAME);
        if (tenant.isEmpty()) {
            requestFields.problem(
                    "tenant_id",
                    "tenant_id is empty",
                    "name a tenant, or leave it out for " + Tenant.DEFAULT);
        }
        String name = requestFields.text("name", "", RequestBounds.NAME);
        String kind = requestFields.text("kind", "", RequestBounds.NAME);
        int priority =
                requestFields.integer(
                        "priority",
                        context.defaultPriority(),
                        -RequestBounds.MOST_PRIORITY,
                        RequestBounds.MOST_PRIORITY);
        var tasks = new TaskReader(requestFields, context, warnings);
        List<Role> parts = tasks.roles();
        List<Proximity> near = near(requestFields, tasks.near());
        Duration limit = limit(requestFields);
        Interruption onLoss = onLoss(requestFields);
        JobDeadline deadline = new DeadlineReader(requestFields).deadline();
        Payload payload =
                new PayloadReader(requestFields, context.containers(), warnings).payload();
        Labels marks =
                requestFields.labels(
                        "labels", RequestBounds.LABELS, RequestBounds.KEY, RequestBounds.VALUE);
        CarbonPreference carbon =
                CarbonPreferenceReader.read(requestFields.object("carbon"), warnings);
        boolean held = requestFields.flag("held", false);
        warnings.addAll(requestFields.unknown());
        if (!problems.isEmpty()) {
            return new Parsed.Invalid<>(problems);
        }
        var spec =
                JobSpec.builder(tenants.of(tenant), roles.of(parts))
                        .name(name.isEmpty() ? "job" : name)
                        .priority(priority)
                        .kind(kinds.of(kind.isEmpty() ? kindOf(name) : kind))
                        .near(nears.of(near))
                        .limit(limits.of(limit))
                        .onLoss(interruptions.of(onLoss))
                        .payload(PayloadReader.small(payload) ? payloads.of(payload) : payload)
                        .labels(marks.isEmpty() ? Labels.NONE : labels.of(marks))
                        .deadline(deadline)
                        .carbon(carbons.of(carbon))
                        .build();
        return new Parsed.Valid<>(new Submission(spec, held, tasks.exceedsNodes()), warnings);
    }

    /// The levels that all tasks should share (`near`), and those that they must share (`within`).
    /// The scheduler checks whether the levels exist.
    private static List<Proximity> near(RequestFields requestFields, List<Proximity> oneNode) {
        List<String> preferred =
                requestFields.textOrTexts("near", RequestBounds.LEVELS, RequestBounds.NAME);
        List<String> required =
                requestFields.textOrTexts("within", RequestBounds.LEVELS, RequestBounds.NAME);
        if (preferred.isEmpty() && required.isEmpty()) {
            return oneNode;
        }
        var near = new LinkedHashSet<Proximity>(oneNode);
        required.forEach(level -> near.add(new Proximity(level, true)));
        preferred.forEach(level -> near.add(new Proximity(level, false)));
        return List.copyOf(near);
    }

    private static Duration limit(RequestFields requestFields) {
        Duration most = Duration.ofMinutes(RequestBounds.MOST_MINUTES);
        return requestFields.has("max_runtime_seconds")
                ? requestFields.duration("max_runtime_seconds", Duration.ZERO, SECOND, most)
                : requestFields.duration(
                        "max_runtime_minutes", Duration.ZERO, Duration.ofMinutes(1), most);
    }

    private static Interruption onLoss(RequestFields requestFields) {
        Duration grace =
                requestFields.duration(
                        "grace_seconds",
                        DEFAULT_GRACE,
                        SECOND,
                        Duration.ofSeconds(RequestBounds.MOST_GRACE_SECONDS));
        return new Interruption(
                grace,
                requestFields.flag("checkpoint_enabled", false),
                requestFields.flag("requeue", true));
    }

    /// Jobs whose names differ only in a number at the end are of one kind: `train-17` is a
    /// `train`. A job without a name has no kind.
    private static String kindOf(String name) {
        int end = name.length();
        while (end > 0 && isCounter(name.charAt(end - 1))) {
            end--;
        }
        return name.substring(0, end);
    }

    private static boolean isCounter(char c) {
        return c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' || c == '#';
    }
}
