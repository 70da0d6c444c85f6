package io.gpusched.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.FaultRules;
import io.gpusched.core.model.IdleRules;
import io.gpusched.sim.whatif.PairedDifferences;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// The settings of a scheduler without any configuration.
final class DefaultsTest {
    @Test
    void theDefaultsOfTheSchedulerAreThoseThatTheDocumentsPromise() {
        Config config = read(Map.of());
        assertThat(config.scheduler())
                .isEqualTo(
                        new SchedulerSection(
                                "priority",
                                Duration.ofSeconds(1),
                                2_000_000,
                                true,
                                true,
                                true,
                                75.0,
                                100,
                                new PriorityCaps(1_000, 5_000, 10_000, 1_000_000),
                                10,
                                false,
                                Duration.ofHours(24),
                                Duration.ofMinutes(30),
                                FairShareSettings.DEFAULT,
                                IdleRules.DEFAULT,
                                FaultRules.DEFAULT,
                                false,
                                "",
                                SchedulerSection.payloads(0, 0, Runtime.getRuntime().maxMemory()),
                                rules(),
                                new LearnedOrderSection("", Duration.ofHours(24)),
                                CarbonPreference.NONE));
    }

    private static PolicyRules rules() {
        return new PolicyRules(
                PairedDifferences.Objective.WAIT,
                new PolicyRules.Fallback(
                        true, "", Duration.ofSeconds(1), 5, 1, true, 200, Duration.ofHours(1)),
                new PolicyRules.Promotion(false, 500, Duration.ofHours(24), Duration.ofHours(24)));
    }

    @Test
    void theConfiguredPolicyIsTheFallbackUnlessItIsLearned() {
        PolicyRules.Fallback fallback = read(Map.of()).scheduler().policyRules().fallback();
        assertThat(fallback.policyFor("fair")).isEqualTo("fair");
        assertThat(fallback.policyFor("learned")).isEqualTo("priority");
        assertThat(fallback.policyFor("learned-mixed")).isEqualTo("priority");
        assertThat(fallback.policyFor("learnedByAPlugin")).isEqualTo("learnedByAPlugin");
        Config config = read(Map.of("GPU_SCHEDULER_SCHEDULER_FALLBACK_POLICY", "sjf"));
        assertThat(config.scheduler().policyRules().fallback().policyFor("fair")).isEqualTo("sjf");
    }

    @Test
    void theDefaultsAreThoseThatTheDocumentsPromise() {
        Config config = read(Map.of());

        assertThat(config.environment()).isEqualTo("development");
        assertThat(config.dataDir()).isEqualTo(Path.of("data"));
        assertThat(config.database())
                .isEqualTo(
                        new DatabaseSection(
                                false,
                                Path.of("data"),
                                "localhost",
                                5432,
                                "postgres",
                                "postgres",
                                "gpu_scheduler",
                                "disable",
                                25,
                                500_000));
        assertThat(config.agent())
                .isEqualTo(
                        new AgentSection(
                                Duration.ofSeconds(5),
                                Duration.ofSeconds(10),
                                Duration.ofMinutes(10)));
        assertThat(config.metrics()).isEqualTo(new MetricsSection(true, 9091, "/metrics", false));
        assertThat(config.log()).isEqualTo(new LogSection("info", false));
        assertThat(config.remarks()).isEmpty();
    }

    @Test
    void theDefaultPortsAreThoseThatTheDocumentsPromise() {
        assertThat(read(Map.of()).api())
                .isEqualTo(
                        new ApiSection(
                                "127.0.0.1",
                                8080,
                                9090,
                                false,
                                Path.of(""),
                                Path.of(""),
                                false,
                                List.of(),
                                List.of(),
                                0,
                                1024 * 1024,
                                false));
    }

    private static Config read(Map<String, String> environment) {
        return ConfigReader.read(Arguments.of(), environment);
    }
}
