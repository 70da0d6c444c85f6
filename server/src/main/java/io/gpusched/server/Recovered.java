package io.gpusched.server;

import io.gpusched.core.cell.Journal;
import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.server.config.ConfigFault;
import io.gpusched.server.config.SchedulerSection;

/// Two engines at the end of the journal: one to decide, one to follow.
record Recovered(Engine engine, Engine mirror) {
    static Recovered from(Journal journal, SchedulerSection section) {
        var settings = settings(section);
        Policy policy = policy(section, settings.policy());
        var engine = new Engine(policy, settings);
        var mirror = new Engine(policy, settings);
        journal.replay(
                0,
                batch -> {
                    engine.apply(batch);
                    mirror.apply(batch);
                });
        return new Recovered(engine, mirror);
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
