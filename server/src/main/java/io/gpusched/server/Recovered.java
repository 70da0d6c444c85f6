package io.gpusched.server;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.state.StateImage;
import io.gpusched.server.config.ConfigFault;
import io.gpusched.server.config.SchedulerSection;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;

/// Two engines at the end of the journal: one to decide, one to follow.
record Recovered(Engine engine, Engine mirror) {
    static Recovered from(SqlJournal journal, Snapshots snapshots, SchedulerSection section) {
        var settings = settings(section);
        Policy policy = policy(section, settings.policy());
        StateImage image = newest(journal, snapshots);
        Engine engine = begin(image, policy, settings);
        Engine mirror = begin(image, policy, settings);
        journal.replay(
                engine.lastBatch(),
                batch -> {
                    engine.apply(batch);
                    mirror.apply(batch);
                });
        return new Recovered(engine, mirror);
    }

    private static @Nullable StateImage newest(SqlJournal journal, Snapshots snapshots) {
        try (var reader = journal.reader()) {
            Snapshot snapshot = snapshots.newest(reader, journal.head());
            return snapshot == null ? null : snapshot.image();
        }
    }

    private static Engine begin(
            @Nullable StateImage image, Policy policy, EngineSettings settings) {
        return image == null
                ? new Engine(policy, settings)
                : Engine.restore(image, policy, settings);
    }

    static EngineSettings settings(SchedulerSection section) {
        return new EngineSettings(
                new PolicySettings(
                        section.agingPointsPerMinute(), section.preemption(), section.thermal()),
                section.maxQueueSize(),
                section.assumedRuntime(),
                false);
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
