package io.gpusched.core.kit;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Payload;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.CostRules;
import io.gpusched.core.pool.LocalityRules;
import io.gpusched.core.pool.Pool;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.PoolLoad;
import io.gpusched.core.pool.QueueRule;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.pool.ScaleBehavior;
import io.gpusched.core.pool.ScalingRules;
import io.gpusched.core.pool.ScheduledSize;
import io.gpusched.core.pool.ServingRules;
import io.gpusched.core.pool.Slo;
import io.gpusched.core.scale.PoolSignals;
import io.gpusched.core.scale.Recommendation;
import io.gpusched.core.scale.Scaler;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Builds pools and reports of their load; everything has a default.
public final class PoolBuilder {
    /// A law that recommends as many replicas as sessions were reported.
    public static final String SESSIONS = "sessions";

    private static final Duration SECOND = Duration.ofSeconds(1);

    private String name = "chat";
    private String model = "";
    private String law = SESSIONS;
    private JobBuilder replica = JobBuilder.aJob().gpus(1);
    private int min;
    private int max = 8;
    private int warmPercent;
    private int port;
    private boolean rolling = true;
    private Slo slo = Slo.NONE;
    private CarbonRules carbon = CarbonRules.NONE;
    private CostRules cost = CostRules.NONE;
    private Duration drain = ServingRules.NONE.drain();
    private LocalityRules locality = LocalityRules.NONE;
    private String script = "";
    private @Nullable QueueRule queue;
    private List<ScheduledSize> schedules = List.of();
    private ScaleBehavior down =
            new ScaleBehavior(Duration.ZERO, ScaleBehavior.Select.LARGEST, List.of());

    private PoolBuilder() {}

    /// Settings of an engine that knows the law of these pools.
    public static EngineSettings settings() {
        var plugins = new Plugins(List.of(), List.of(), List.of(), List.of(new SessionsScaler()));
        EngineSettings usual = EngineSettings.DEFAULT;
        return usual.with(usual.policy().with(plugins));
    }

    private static final class SessionsScaler implements Scaler {
        @Override
        public String name() {
            return SESSIONS;
        }

        @Override
        public Recommendation recommend(PoolSignals signals) {
            var oldest = signals.now().minus(signals.pool().scaling().staleAfter());
            int sessions = signals.load().since(oldest).sessions();
            return new Recommendation(sessions, SESSIONS, sessions + " sessions are active");
        }
    }

    public static PoolBuilder aPool() {
        return new PoolBuilder();
    }

    public PoolBuilder named(String value) {
        name = value;
        return this;
    }

    public PoolBuilder model(String value) {
        model = value;
        return this;
    }

    public PoolBuilder law(String value) {
        law = value;
        return this;
    }

    public PoolBuilder of(JobBuilder value) {
        replica = value;
        return this;
    }

    public PoolBuilder from(int fewest, int most) {
        min = fewest;
        max = most;
        return this;
    }

    public PoolBuilder warm(int percent) {
        warmPercent = percent;
        return this;
    }

    public PoolBuilder port(int value) {
        port = value;
        return this;
    }

    /// Replicas keep the template with which they started.
    public PoolBuilder withoutUpdate() {
        rolling = false;
        return this;
    }

    /// The longest time to the first token.
    public PoolBuilder slo(int millis) {
        slo = new Slo(millis, 0, 0, 990);
        return this;
    }

    public PoolBuilder carbon(CarbonRules value) {
        carbon = value;
        return this;
    }

    public PoolBuilder cost(CostRules value) {
        cost = value;
        return this;
    }

    /// How long a replica that stops may finish its requests.
    public PoolBuilder drain(Duration value) {
        drain = value;
        return this;
    }

    /// What a replica executes.
    public PoolBuilder script(String value) {
        script = value;
        return this;
    }

    /// Scales by the messages of a queue.
    public PoolBuilder queue(QueueRule value) {
        law = "queue";
        queue = value;
        return this;
    }

    public PoolBuilder schedule(ScheduledSize value) {
        schedules = List.of(value);
        return this;
    }

    public PoolBuilder down(ScaleBehavior value) {
        down = value;
        return this;
    }

    public PoolBuilder locality(LocalityRules value) {
        locality = value;
        return this;
    }

    public Pool build() {
        var scaling =
                new ScalingRules(
                        law,
                        List.of(),
                        0,
                        queue,
                        schedules,
                        new ScaleBehavior(Duration.ZERO, ScaleBehavior.Select.LARGEST, List.of()),
                        down,
                        Duration.ofMinutes(5),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(30));
        var none = ServingRules.NONE;
        var serving =
                new ServingRules(
                        port,
                        none.healthPath(),
                        none.metricsPath(),
                        drain,
                        "",
                        none.affinityFor(),
                        none.loadTime(),
                        rolling);
        return new Pool(
                new PoolId(name),
                model,
                replica.spec().withLimit(Duration.ZERO).withPayload(payload()),
                min,
                max,
                warmPercent,
                slo,
                scaling,
                cost,
                carbon,
                locality,
                serving);
    }

    private Payload payload() {
        return script.isEmpty()
                ? Payload.NOTHING
                : new Payload(script, List.of(), List.of(), Labels.NONE, "", "");
    }

    /// A report of one gateway.
    ///
    /// @param sessions what the law of these tests goes by
    public static PoolLoad load(long sequence, int held, int sessions, List<ReplicaLoad> replicas) {
        return load(sequence, held, sessions, 0, replicas);
    }

    /// @param firstToken how long 95 % of first tokens took at most, in milliseconds
    public static PoolLoad load(
            long sequence, int held, int sessions, int firstToken, List<ReplicaLoad> replicas) {
        return new PoolLoad(
                "gateway",
                sequence,
                SECOND,
                held,
                0,
                0,
                0,
                held,
                0,
                sessions,
                0,
                0,
                0,
                0,
                0,
                firstToken,
                replicas);
    }

    public static List<ReplicaLoad> ready(List<JobId> jobs, int running) {
        var all = new ArrayList<ReplicaLoad>();
        jobs.forEach(job -> all.add(seen(job, true, running)));
        return all;
    }

    public static ReplicaLoad seen(JobId job, boolean ready, int running) {
        return new ReplicaLoad(job, ready, running, 0, 0, 0, 0, 0, 0, 0);
    }
}
