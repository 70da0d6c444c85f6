package io.gpusched.wire.request;

import io.gpusched.core.event.Problem;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Reads requests that create or change a tenant. In a new tenant, an absent quota is unlimited and
/// 0 allows nothing. In a change, an absent field stays as it is, and `null` removes a quota.
///
/// Fields that the core does not use (e-mail, prices, tier, …) go into the profile under their
/// public names. The server bounds priorities by the tier.
public final class TenantRequest {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");
    private static final List<String> TIERS = List.of("low", "medium", "high", "critical");
    private static final List<String> TEXTS =
            List.of("name", "email", "organization", "notify_email");
    private static final List<String> FLAGS =
            List.of(
                    "billing_enabled",
                    "notify_on_start",
                    "notify_on_complete",
                    "notify_on_failure");
    private static final List<String> NUMBERS = List.of("priority_decay", "cost_per_gpu_hour");

    private static final double LEAST_WEIGHT = 1e-6;
    private static final double MOST_WEIGHT = 1e6;

    private final Tenant before;
    private final RequestFields requestFields;
    private final List<Problem> problems;

    private TenantRequest(Tenant before, JsonTree.Mapping body) {
        this.before = before;
        this.problems = new ArrayList<>();
        this.requestFields = new RequestFields(body, problems);
    }

    /// Reads a new tenant.
    ///
    /// @param given the id if the request names none
    public static Parsed<Tenant, Problem> create(JsonTree.Mapping body, TenantId given) {
        return new TenantRequest(Tenant.unlimited(given), body).created();
    }

    /// Applies the changes of the request to a tenant.
    public static Parsed<Tenant, Problem> change(JsonTree.Mapping body, Tenant before) {
        return new TenantRequest(before, body).read(before.id());
    }

    private Parsed<Tenant, Problem> created() {
        String id = requestFields.text("id", before.id().name(), 128);
        if (!ID.matcher(id).matches()) {
            requestFields.problem(
                    "id",
                    "id must be letters, digits, dots, dashes and underscores, found \""
                            + id
                            + "\"",
                    "leave it out to get a generated id");
            id = before.id().name();
        }
        if (requestFields.text("name", "", RequestBounds.NAME).isBlank() && problems.isEmpty()) {
            requestFields.problem("name", "a tenant needs a name", "add \"name\": \"Research\"");
        }
        return read(new TenantId(id));
    }

    private Parsed<Tenant, Problem> read(TenantId id) {
        Limits limit = limits();
        var rules =
                new PreemptionRules(
                        requestFields.flag("allow_preemption", before.rules().mayBePreempted()),
                        requestFields.flag("can_preempt_others", before.rules().mayPreempt()),
                        requestFields.integer(
                                "max_preemptions",
                                before.rules().mostPerJob(),
                                0,
                                RequestBounds.MOST_PREEMPTIONS));
        Limits guaranteed = guaranteed(limit);
        double weight = weight();
        boolean active = requestFields.flag("active", before.active());
        TenantId parent = parent(id);
        var profile = profile();
        var warnings = requestFields.unknown();
        if (!problems.isEmpty()) {
            return new Parsed.Invalid<>(problems);
        }
        return new Parsed.Valid<>(
                new Tenant(
                        id, parent, guaranteed, limit, weight, rules, active, new Labels(profile)),
                warnings);
    }

    private Limits limits() {
        Limits known = before.limit();
        return new Limits(
                quota("max_gpus", known.milliGpus(), 1000),
                quota("max_gpu_memory_mb", known.gpuMemoryMiB(), 1),
                quota("max_cpu_cores", known.milliCpu(), 1000),
                quota("max_memory_mb", known.memoryMiB(), 1),
                quota("max_concurrent_jobs", known.runningJobs(), 1));
    }

    private long quota(String key, long known, long unit) {
        long given = requestFields.whole(key, -1, 0, RequestBounds.MOST_QUOTA);
        if (requestFields.isNull(key)) {
            return Limits.UNLIMITED;
        }
        return given < 0 ? known : given * unit;
    }

    /// Only GPUs are guaranteed; `null` removes the guarantee.
    private Limits guaranteed(Limits limit) {
        String key = "guaranteed_gpus";
        long known = before.guaranteed().milliGpus();
        long given = requestFields.whole(key, -1, 0, RequestBounds.MOST_QUOTA);
        long milliGpus = requestFields.isNull(key) ? 0 : given < 0 ? known : given * 1000;
        if (given >= 0 && milliGpus > limit.milliGpus()) {
            long most = limit.milliGpus() / 1000;
            requestFields.problem(
                    key,
                    "guaranteed_gpus must be at most max_gpus, which is %d, found %d"
                            .formatted(most, given),
                    "the nearest is " + most);
        }
        return new Limits(milliGpus, 0, 0, 0, 0);
    }

    private double weight() {
        String key = "fair_share_weight";
        double weight =
                requestFields.number(key, before.weight(), -Double.MAX_VALUE, Double.MAX_VALUE);
        double nearest = Math.clamp(weight, LEAST_WEIGHT, MOST_WEIGHT);
        if (weight != nearest) {
            requestFields.problem(
                    key,
                    "fair_share_weight must be over 0 and at most %s, found %s"
                            .formatted(number(MOST_WEIGHT), number(weight)),
                    weight > MOST_WEIGHT
                            ? "the nearest is " + number(nearest)
                            : "1 is usual; half of it is 0.5");
            return before.weight();
        }
        return weight;
    }

    private static String number(double number) {
        return new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString();
    }

    private @Nullable TenantId parent(TenantId self) {
        String parent = requestFields.text("parent_id", "", 128);
        if (requestFields.isNull("parent_id")) {
            return null;
        }
        if (parent.equals(self.name())) {
            requestFields.problem(
                    "parent_id", "a tenant cannot be its own parent", "name another tenant");
        }
        return parent.isEmpty() ? before.parent() : new TenantId(parent);
    }

    private SequencedMap<String, String> profile() {
        var profile = new TreeMap<>(before.profile().entries());
        for (String key : TEXTS) {
            put(profile, key, requestFields.text(key, "", RequestBounds.VALUE));
        }
        for (String key : FLAGS) {
            put(profile, key, Boolean.toString(requestFields.flag(key, false)));
        }
        for (String key : NUMBERS) {
            put(profile, key, Double.toString(requestFields.number(key, 0, 0, 1e9)));
        }
        String tier = requestFields.text("priority_tier", "medium", RequestBounds.NAME);
        if (!TIERS.contains(tier)) {
            requestFields.problem(
                    "priority_tier",
                    "priority_tier must be low, medium, high or critical, found \"" + tier + "\"",
                    "leave it out for medium");
        }
        put(profile, "priority_tier", tier);
        return profile;
    }

    private void put(Map<String, String> profile, String key, String value) {
        if (requestFields.isNull(key)) {
            profile.remove(key);
        } else if (requestFields.has(key)) {
            profile.put(key, value);
        }
    }
}
