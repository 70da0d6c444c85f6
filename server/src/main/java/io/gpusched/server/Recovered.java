package io.gpusched.server;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.config.ConfigFault;
import io.gpusched.server.config.SchedulerSection;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Two engines at the end of the journal: one to decide, one to follow.
record Recovered(Engine engine, Engine mirror) {
    private static final Logger LOG = LoggerFactory.getLogger(Recovered.class);

    static Recovered from(SqlJournal journal, Snapshots snapshots, SchedulerSection section) {
        var settings = settings(section);
        Policy policy = policy(section, settings.policy());
        Snapshot snapshot = newest(journal, snapshots);
        Engine engine = begin(snapshot, policy, settings);
        Engine mirror =
                engine.lastBatch() == 0
                        ? begin(null, policy, settings)
                        : begin(snapshot, policy, settings);
        journal.replay(
                engine.lastBatch(),
                batch -> {
                    engine.apply(batch);
                    mirror.apply(batch);
                });
        return new Recovered(engine, mirror);
    }

    private static @Nullable Snapshot newest(SqlJournal journal, Snapshots snapshots) {
        try (var reader = journal.reader()) {
            return snapshots.newest(reader, journal.head());
        }
    }

    /// An engine at the snapshot; at the very beginning when there is none, or when it does not
    /// lead to the state it was taken of: then everything is replayed.
    private static Engine begin(
            @Nullable Snapshot snapshot, Policy policy, EngineSettings settings) {
        if (snapshot != null) {
            Engine restored = Engine.restore(snapshot.image(), policy, settings);
            if (restored.digest() == snapshot.digest()) {
                return restored;
            }
            LOG.warn(
                    "the snapshot of batch {} leads elsewhere and is not used; all is replayed",
                    snapshot.image().batch());
        }
        return new Engine(policy, settings);
    }

    static EngineSettings settings(SchedulerSection section) {
        return new EngineSettings(
                new PolicySettings(
                        section.agingPointsPerMinute(), section.preemption(), section.thermal()),
                section.maxQueueSize(),
                section.assumedRuntime(),
                false,
                section.fairShare());
    }

    private static Policy policy(SchedulerSection section, PolicySettings settings) {
        Policy policy = Policies.named(section.policy(), settings);
        if (policy == null) {
            throw new ConfigFault(
                    "scheduler.policy: expected one of %s, found \"%s\""
                            .formatted(String.join(", ", Policies.NAMES), section.policy()));
        }
        return policy;
    }
}
