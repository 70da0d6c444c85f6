package io.gpusched.server;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.learn.LearnerImage;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.state.StateImage;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigException;
import io.gpusched.server.config.SchedulerSection;
import io.gpusched.server.plugin.LoadedPlugins;
import io.gpusched.store.Snapshots;
import io.gpusched.store.SqlJournal;
import io.gpusched.wire.codec.Snapshot;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Two engines at the end of the journal: one to decide, one to follow. A third one, for questions,
/// is copied from them after the start.
///
/// @param replayed how many events lay between the snapshot it began with and that end
record RecoveredEngines(Engine engine, Engine mirror, long replayed) {
    private static final Logger LOG = LoggerFactory.getLogger(RecoveredEngines.class);

    static RecoveredEngines from(
            SqlJournal journal, Snapshots snapshots, Config config, LoadedPlugins plugins) {
        EngineSettings settings = learning(config, plugins);
        Policy policy = policy(config.scheduler(), settings.policy());
        // Rules may keep what they worked out, and the two engines live on different threads.
        Policy mirrored = policy(config.scheduler(), settings.policy());
        Snapshot snapshot = newest(journal, snapshots);
        Engine engine = begin(snapshot, policy, settings);
        if (engine.lastBatch() == 0) {
            snapshot = beginning(journal);
            engine = begin(snapshot, policy, settings);
        }
        Engine mirror = begin(engine.lastBatch() == 0 ? null : snapshot, mirrored, settings);
        return new RecoveredEngines(engine, mirror, replay(journal, engine, mirror));
    }

    private static long replay(SqlJournal journal, Engine engine, Engine mirror) {
        var replayed = new AtomicLong();
        try (var beside = new ParallelReplay(mirror)) {
            journal.replay(
                    engine.lastBatch(),
                    batch -> {
                        beside.apply(batch);
                        engine.apply(batch);
                        replayed.addAndGet(batch.size());
                    });
        }
        return replayed.get();
    }

    /// Copies the engine that follows as it is now. The copy becomes an engine when it is asked
    /// for, which takes a while.
    Supplier<Engine> copy(Config config, LoadedPlugins plugins) {
        StateImage image = mirror.image();
        LearnerImage learned = mirror.learner().image();
        long digest = mirror.digest();
        EngineSettings settings = learning(config, plugins);
        Policy policy = policy(config.scheduler(), settings.policy());
        return () -> {
            Engine copy = Engine.restore(image, learned, policy, settings);
            Check.that(copy.digest() == digest, "the copy of batch %s differs", image.batch());
            return copy;
        };
    }

    /// Runs are learned from whether or not that is planned with now: a policy that is chosen later
    /// may use what was learned, and answers to questions use it in any case.
    private static EngineSettings learning(Config config, LoadedPlugins plugins) {
        EngineSettings settings = settings(config, plugins);
        return settings.with(settings.predictionSettings().learning());
    }

    /// What a pruned journal begins with; null when nothing was ever deleted from it.
    private static @Nullable Snapshot beginning(SqlJournal journal) {
        try (var reader = journal.reader()) {
            return reader.beginning();
        }
    }

    private static @Nullable Snapshot newest(SqlJournal journal, Snapshots snapshots) {
        try (var reader = journal.reader()) {
            return snapshots.newest(reader, journal.head());
        }
    }

    /// An engine at the snapshot; at the very beginning when there is none, or when it does not
    /// lead to the state it was taken of: snapshots only save time, so then everything is replayed.
    private static Engine begin(
            @Nullable Snapshot snapshot, Policy policy, EngineSettings settings) {
        if (snapshot != null) {
            long batch = snapshot.image().batch();
            try {
                Engine restored =
                        Engine.restore(snapshot.image(), snapshot.learned(), policy, settings);
                if (restored.digest() == snapshot.digest()) {
                    return restored;
                }
                LOG.warn("the snapshot of batch {} leads elsewhere; all is replayed", batch);
            } catch (RuntimeException e) {
                LOG.warn("the snapshot of batch {} cannot be used; all is replayed", batch, e);
            }
        }
        return new Engine(policy, settings);
    }

    /// Checks what can only be checked with the plug-ins at hand.
    static void check(Config config, LoadedPlugins plugins) {
        PolicySettings rules = settings(config, plugins).policy();
        policy(config.scheduler(), rules);
        String shadow = config.scheduler().shadowPolicy();
        if (!shadow.isEmpty() && Policies.named(shadow, rules) == null) {
            throw unknown("scheduler.shadow_policy", shadow, rules);
        }
    }

    /// What the configuration says.
    static EngineSettings settings(Config config, LoadedPlugins plugins) {
        SchedulerSection section = config.scheduler();
        return EngineSettings.builder()
                .policy(
                        new PolicySettings(
                                section.agingPointsPerMinute(),
                                section.preemption(),
                                section.checkpointEvery(),
                                section.thermal(),
                                config.placement()
                                        .placement()
                                        .placingTogether(config.learning().scores().batches()),
                                plugins.rules(),
                                section.agesHeld()))
                .maxWaiting(section.maxQueueSize())
                .assumedRuntime(section.assumedRuntime())
                .topologyLevels(config.topology().topologyLevels())
                .fairShareSettings(section.fairShareSettings())
                .idle(section.idle())
                .predictionSettings(config.learning().predictionSettings())
                .faults(section.faults())
                .gpuMemoryPerGpu(section.gpuMemoryPerGpu())
                .payloads(section.payloads())
                .build();
    }

    private static Policy policy(SchedulerSection section, PolicySettings settings) {
        Policy policy = Policies.named(section.policy(), settings);
        if (policy == null) {
            throw unknown("scheduler.policy", section.policy(), settings);
        }
        return policy;
    }

    private static ConfigException unknown(String key, String found, PolicySettings settings) {
        List<String> names = Policies.names(settings);
        return new ConfigException(
                "%s: expected one of %s, found \"%s\"; the nearest is %s"
                        .formatted(
                                key,
                                String.join(", ", names),
                                found,
                                SpellingSuggestion.closest(found, names)));
    }
}
