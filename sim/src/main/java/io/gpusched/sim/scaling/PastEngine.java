package io.gpusched.sim.scaling;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.event.Batch;
import io.gpusched.core.event.Event;
import io.gpusched.sim.whatif.SchedulerConfig;

import org.jspecify.annotations.Nullable;

/// An engine that follows a journal, with the settings of each scheduler that took charge of it.
final class PastEngine {
    private final SchedulerConfig.Known configs;
    private @Nullable Engine engine;
    private SchedulerConfig config = SchedulerConfig.DEFAULT;

    /// @param engine the ledger before the first batch that is read; null for an empty one
    PastEngine(SchedulerConfig.Known configs, @Nullable Engine engine) {
        this.configs = configs;
        this.engine = engine;
    }

    /// The engine as it is before the batch, with the settings under which the batch was made.
    Engine before(Batch batch) {
        for (Event fact : batch.facts()) {
            if (fact instanceof Event.EngineStarted e) {
                takesCharge(configs.of(e.fingerprint()));
            }
        }
        Engine present = engine == null ? new Engine(config.toPolicy(), config.settings()) : engine;
        engine = present;
        return present;
    }

    private void takesCharge(@Nullable SchedulerConfig told) {
        if (told == null || told.equals(config)) {
            return;
        }
        config = told;
        if (engine != null) {
            engine =
                    Engine.restore(
                            engine.image(),
                            engine.learner().image(),
                            config.toPolicy(),
                            config.settings());
        }
    }

    /// The number of the last batch that was applied.
    long lastBatch() {
        return engine == null ? 0 : engine.lastBatch();
    }

    @Nullable Engine engine() {
        return engine;
    }
}
