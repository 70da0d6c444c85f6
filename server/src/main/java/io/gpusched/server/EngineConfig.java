package io.gpusched.server;

import io.gpusched.core.engine.Engine;
import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.engine.Policies;
import io.gpusched.core.model.SpellingSuggestion;
import io.gpusched.core.policy.Policy;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.learned.ScoreModel;
import io.gpusched.server.config.Config;
import io.gpusched.server.config.ConfigException;
import io.gpusched.server.config.SchedulerSection;
import io.gpusched.server.plugin.LoadedPlugins;
import io.gpusched.server.plugin.PluginJars;
import io.gpusched.sim.whatif.SchedulerConfig;
import io.gpusched.sim.whatif.ShadowReplay;
import io.gpusched.wire.codec.SettingsText;

import java.util.List;

/// The policy and the engine settings that follow from the configuration, the plug-ins and the
/// model of the learned policies.
record EngineConfig(Config config, LoadedPlugins plugins, ScoreModel model) {
    /// Loads the plug-ins and the model that the configuration names.
    static EngineConfig load(Config config) {
        return new EngineConfig(
                config,
                PluginJars.load(config.placement(), config.scheduler().policy()),
                config.scheduler().learned().load());
    }

    /// Throws a [ConfigException] if a configured policy does not exist. Plug-ins may define
    /// policies, so this is known only after they are loaded.
    void check() {
        policy();
        check("scheduler.shadow_policy", config.scheduler().shadowPolicy());
        check("scheduler.fallback_policy", config.scheduler().policyRules().fallback().policy());
    }

    private void check(String key, String policy) {
        if (!policy.isEmpty() && Policies.named(policy, settings().policy()) == null) {
            throw unknown(key, policy);
        }
    }

    /// A new instance of the configured policy. Rules may cache what they computed, so each engine
    /// needs an instance of its own.
    Policy policy() {
        Policy policy = Policies.named(config.scheduler().policy(), settings().policy());
        if (policy == null) {
            throw unknown("scheduler.policy", config.scheduler().policy());
        }
        return policy;
    }

    EngineSettings settings() {
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
                                section.agesHeld(),
                                section.learned().settings(model)))
                .maxWaiting(section.maxQueueSize())
                .assumedRuntime(section.assumedRuntime())
                .topologyLevels(config.topology().topologyLevels())
                .fairShareSettings(section.fairShareSettings())
                .idle(section.idle())
                .predictionSettings(config.learning().predictionSettings())
                .faults(section.faults())
                .gpuMemoryPerGpu(section.gpuMemoryPerGpu())
                .carbon(section.carbon())
                .payloads(section.payloads())
                .build();
    }

    /// The settings of engines that follow the journal. They learn from finished runs even if the
    /// policy in force does not use predictions: a policy chosen later may use them, and the score
    /// API always does.
    EngineSettings learningSettings() {
        EngineSettings settings = settings();
        return settings.with(settings.predictionSettings().learning());
    }

    /// The policy and settings in force, as what-if and the shadow policy need them.
    SchedulerConfig schedulerConfig() {
        return new SchedulerConfig(config.scheduler().policy(), settings());
    }

    /// A copy of the engine's state, from which a shadow policy begins.
    ShadowReplay.Beginning beginning(Engine engine) {
        SchedulerConfig configured = schedulerConfig();
        String chosen = engine.state().policy();
        var inForce =
                new SchedulerConfig(
                        chosen.isEmpty() ? configured.policy() : chosen, configured.settings());
        return new ShadowReplay.Beginning(engine.image(), engine.learner().image(), inForce);
    }

    /// Everything that decisions depend on besides the journal, as text. The journal records it, so
    /// that what-if can repeat the decisions.
    String fingerprint() {
        boolean none = config.placement().plugins().isEmpty() && plugins.jars().isEmpty();
        return SettingsText.write(
                config.scheduler().policy(),
                settings(),
                none ? "" : config.placement().plugins() + " " + plugins.jars());
    }

    private ConfigException unknown(String key, String found) {
        List<String> names = Policies.names(settings().policy());
        return new ConfigException(
                "%s: expected one of %s, found \"%s\"; the nearest is %s"
                        .formatted(
                                key,
                                String.join(", ", names),
                                found,
                                SpellingSuggestion.closest(found, names)));
    }
}
