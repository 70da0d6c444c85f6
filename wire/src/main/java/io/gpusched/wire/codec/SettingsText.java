package io.gpusched.wire.codec;

import io.gpusched.core.engine.EngineSettings;
import io.gpusched.core.learn.PredictionSettings;
import io.gpusched.core.model.Check;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.IdleRules;
import io.gpusched.core.model.TopologyLevels;
import io.gpusched.core.policy.LearnedSettings;
import io.gpusched.core.policy.PlacementSettings;
import io.gpusched.core.policy.Plugins;
import io.gpusched.core.policy.PolicySettings;
import io.gpusched.core.policy.RankingModel;
import io.gpusched.core.policy.ScoreWeights;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Converts the settings that decisions depend on to one line of text and back. A scheduler records
/// it in the journal when it starts, so that a replay can make the same decisions.
///
///     policy=fair; ageing=10.0; preemption=true; placer=best-fit; …
public final class SettingsText {
    private static final String LEARNED = "learned";
    private static final String NO_MODEL = "none";

    /// @param plugins names of the plug-in rules in use; empty for none. The settings cannot hold
    /// the rules themselves
    /// @param model the name of the model that learned policies go by; empty for none. The settings
    /// cannot hold the model itself
    public record Read(String policy, EngineSettings settings, String plugins, String model) {
        /// The settings with this model, which is the recorded one if the names are equal.
        public EngineSettings with(RankingModel present) {
            PolicySettings rules = settings.policy();
            return settings.with(rules.with(rules.learned().with(present)));
        }
    }

    private SettingsText() {}

    public static String write(String policy, EngineSettings settings, String plugins) {
        var to = new LinkedHashMap<String, Object>();
        PolicySettings rules = settings.policy();
        ScoreWeights weights = rules.placement().weights();
        to.put("policy", policy);
        to.put("ageing", rules.pointsPerMinute());
        to.put("ages-held", rules.agesHeld());
        to.put("preemption", rules.preemption());
        to.put("checkpoints", rules.checkpointEvery());
        to.put("thermal", rules.thermal());
        to.put("placer", rules.placement().placer());
        to.put(
                "weights",
                joined(
                        weights.availability(),
                        weights.topology(),
                        weights.modelCache(),
                        weights.cost(),
                        weights.dataLocality()));
        to.put("scored", rules.placement().mostScored());
        to.put("together", rules.placement().together());
        to.put("waiting", settings.maxWaiting());
        to.put("assumed", settings.assumedRuntime());
        to.put("levels", levels(settings.topologyLevels()));
        to.put("half-life", settings.fairShareSettings().halfLife());
        to.put("adjusts", settings.fairShareSettings().adjusts());
        IdleRules idle = settings.idle();
        to.put("idle", joined(idle.threshold(), idle.after(), idle.reclaims(), idle.grace()));
        PredictionSettings learned = settings.predictionSettings();
        to.put(
                "predictions",
                joined(learned.learns(), learned.plans(), learned.planned(), learned.asNeeded()));
        FaultRules faults = settings.faults();
        to.put(
                "faults",
                joined(
                        faults.cordonAfter(),
                        faults.window(),
                        faults.avoidFor(),
                        faults.forgiveAfter()));
        to.put("gpu-memory", settings.gpuMemoryPerGpu() ? "per_gpu" : "per_job");
        LearnedSettings learnedOrder = rules.learned();
        RankingModel model = learnedOrder.model();
        to.put(
                LEARNED,
                joined(model == null ? NO_MODEL : model.name(), learnedOrder.starvationBound()));
        to.put("plugins", plugins.replaceAll("[;=\\s]+", " "));
        return to.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining("; "));
    }

    /// Parses the text of [#write]; null for any other text, such as that of older releases.
    public static @Nullable Read read(String text) {
        Map<String, String> from = new LinkedHashMap<>();
        for (String part : text.split("; ", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                from.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        try {
            return from.containsKey("half-life") ? read(from) : null;
        } catch (IllegalArgumentException | DateTimeException | Check.Broken unknown) {
            return null;
        }
    }

    private static Read read(Map<String, String> from) {
        double[] weights =
                Arrays.stream(parts(from, "weights")).mapToDouble(Double::parseDouble).toArray();
        String[] idle = parts(from, "idle");
        String[] learned = parts(from, "predictions");
        if (weights.length != 5 || idle.length != 4 || learned.length < 3 || learned.length > 4) {
            throw new IllegalArgumentException("a part is missing");
        }
        // Older journals do not record the fourth part; all their schedulers had it.
        boolean asNeeded = learned.length == 3 || Boolean.parseBoolean(learned[3]);
        var placement =
                new PlacementSettings(
                        one(from, "placer"),
                        new ScoreWeights(
                                weights[0], weights[1], weights[2], weights[3], weights[4]),
                        Integer.parseInt(one(from, "scored")),
                        Boolean.parseBoolean(one(from, "together")));
        var rules =
                new PolicySettings(
                        Double.parseDouble(one(from, "ageing")),
                        Boolean.parseBoolean(one(from, "preemption")),
                        Duration.parse(one(from, "checkpoints")),
                        Boolean.parseBoolean(one(from, "thermal")),
                        placement,
                        Plugins.NONE,
                        // Schedulers that did not record it counted all time.
                        Boolean.parseBoolean(from.getOrDefault("ages-held", "true")),
                        new LearnedSettings(
                                null,
                                from.containsKey(LEARNED)
                                        ? Duration.parse(parts(from, LEARNED)[1])
                                        : LearnedSettings.USUAL_BOUND));
        var settings =
                EngineSettings.builder()
                        .policy(rules)
                        .maxWaiting(Long.parseLong(one(from, "waiting")))
                        .assumedRuntime(Duration.parse(one(from, "assumed")))
                        .topologyLevels(levels(one(from, "levels")))
                        .fairShareSettings(
                                new FairShareSettings(
                                        Duration.parse(one(from, "half-life")),
                                        Boolean.parseBoolean(one(from, "adjusts"))))
                        .idle(
                                new IdleRules(
                                        Double.parseDouble(idle[0]),
                                        Duration.parse(idle[1]),
                                        Boolean.parseBoolean(idle[2]),
                                        Duration.parse(idle[3])))
                        .predictionSettings(
                                new PredictionSettings(
                                        Boolean.parseBoolean(learned[0]),
                                        Boolean.parseBoolean(learned[1]),
                                        Double.parseDouble(learned[2]),
                                        asNeeded))
                        .faults(faults(from))
                        .gpuMemoryPerGpu(
                                from.getOrDefault("gpu-memory", "per_job").equals("per_gpu"))
                        .build();
        return new Read(one(from, "policy"), settings, one(from, "plugins"), model(from));
    }

    /// Journals of older releases have none.
    private static String model(Map<String, String> from) {
        String name = from.containsKey(LEARNED) ? parts(from, LEARNED)[0] : NO_MODEL;
        return name.equals(NO_MODEL) ? "" : name;
    }

    /// Journals of older releases have none and are read with the defaults.
    private static FaultRules faults(Map<String, String> from) {
        if (!from.containsKey("faults")) {
            return FaultRules.DEFAULT;
        }
        String[] faults = parts(from, "faults");
        return new FaultRules(
                Integer.parseInt(faults[0]),
                Duration.parse(faults[1]),
                Duration.parse(faults[2]),
                Duration.parse(faults[3]));
    }

    private static String one(Map<String, String> from, String key) {
        String value = from.get(key);
        if (value == null) {
            throw new IllegalArgumentException(key + " is missing");
        }
        return value;
    }

    private static String[] parts(Map<String, String> from, String key) {
        return one(from, key).split(",", -1);
    }

    private static String joined(Object... all) {
        return Arrays.stream(all).map(Object::toString).collect(Collectors.joining(","));
    }

    /// `zone:a|b,rack:c`, without the level of the node.
    private static String levels(TopologyLevels topologyLevels) {
        return topologyLevels.all().subList(0, topologyLevels.size() - 1).stream()
                .map(level -> level.name() + ":" + String.join("|", level.labels()))
                .collect(Collectors.joining(","));
    }

    private static TopologyLevels levels(String text) {
        var all = new ArrayList<TopologyLevels.Level>();
        for (String part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon < 0) {
                throw new IllegalArgumentException("a level without labels: " + part);
            }
            List<String> labels = List.of(part.substring(colon + 1).split("\\|", -1));
            all.add(new TopologyLevels.Level(part.substring(0, colon), labels));
        }
        return TopologyLevels.of(all);
    }
}
