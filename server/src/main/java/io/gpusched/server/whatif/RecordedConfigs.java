package io.gpusched.server.whatif;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.RankingModel;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.wire.codec.SettingsText;

import org.jspecify.annotations.Nullable;

/// Reads the policy and settings of earlier schedulers from the fingerprints that they recorded in
/// the journal. Plug-ins and the model of the learned policies are those loaded now: older ones are
/// not kept.
public final class RecordedConfigs implements SchedulerConfig.Known {
    private final Plugins plugins;
    private final RankingModel model;

    public RecordedConfigs(Plugins plugins, RankingModel model) {
        this.plugins = plugins;
        this.model = model;
    }

    @Override
    public @Nullable SchedulerConfig of(String fingerprint) {
        SettingsText.Read read = SettingsText.read(fingerprint);
        return read == null ? null : new SchedulerConfig(read.policy(), with(read.with(model)));
    }

    private EngineSettings with(EngineSettings settings) {
        return settings.with(settings.policy().with(plugins));
    }
}
