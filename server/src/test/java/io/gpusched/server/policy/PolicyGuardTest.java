package io.gpusched.server.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Event;
import io.gpusched.core.model.PolicyCause;
import io.gpusched.server.config.PolicyRules;
import io.gpusched.sim.whatif.MeanInterval;
import io.gpusched.sim.whatif.PairedDifferences;
import io.gpusched.sim.whatif.PairedDifferences.Objective;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/// When the guard falls back or promotes; the test decides what time it is.
final class PolicyGuardTest {
    private static final Instant NOON = Instant.parse("2026-01-05T12:00:00Z");
    private static final MeanInterval BETTER = new MeanInterval(500, -9, -12, -6);
    private static final MeanInterval WORSE = new MeanInterval(500, 9, 6, 12);
    private static final MeanInterval UNDECIDED = new MeanInterval(500, -1, -3, 1);

    private static PolicyRules rules(boolean promotes) {
        return new PolicyRules(
                Objective.WAIT,
                new PolicyRules.Fallback(
                        true, "", Duration.ofMillis(100), 3, 2, true, 200, Duration.ofMinutes(30)),
                new PolicyRules.Promotion(
                        promotes, 400, Duration.ofHours(2), Duration.ofHours(24)));
    }

    private static PolicyInForce.Status inForce(String policy) {
        return new PolicyInForce.Status(policy, "priority", List.of());
    }

    private static PolicyGuard.Shadow shadow(String policy, MeanInterval waiting) {
        return new PolicyGuard.Shadow(policy, new PairedDifferences(waiting, UNDECIDED, UNDECIDED));
    }

    private static PolicyGuard watching(String policy) {
        var guard = new PolicyGuard(rules(true));
        assertThat(guard.check(NOON, inForce(policy), PolicyGuard.Shadow.NONE)).isNull();
        return guard;
    }

    private static void late(PolicyGuard guard, int cycles) {
        for (int i = 0; i < cycles; i++) {
            guard.cycleTook(1, Duration.ofMillis(150 + i));
        }
    }

    @Test
    void lateDecisionsLeadToTheFallback() {
        PolicyGuard guard = watching("learned");
        late(guard, 2);
        assertThat(guard.check(NOON, inForce("learned"), PolicyGuard.Shadow.NONE)).isNull();
        late(guard, 1);

        assertThat(guard.check(NOON, inForce("learned"), PolicyGuard.Shadow.NONE))
                .isEqualTo(
                        new PolicyGuard.Change(
                                "priority",
                                "decisions of learned are late: 3 in a row took more than 100 ms,"
                                        + " the longest 151 ms",
                                PolicyCause.FALLBACK));
    }

    @Test
    void aCycleInTimeEndsTheRow() {
        PolicyGuard guard = watching("learned");
        late(guard, 2);
        guard.cycleTook(1, Duration.ofMillis(1));
        late(guard, 2);
        assertThat(guard.check(NOON, inForce("learned"), PolicyGuard.Shadow.NONE)).isNull();
    }

    @Test
    void aCycleWithNothingToDoDoesNotEndTheRow() {
        PolicyGuard guard = watching("learned");
        late(guard, 2);
        guard.cycleTook(0, Duration.ofMillis(1));
        late(guard, 1);
        assertThat(guard.check(NOON, inForce("learned"), PolicyGuard.Shadow.NONE)).isNotNull();
    }

    @Test
    void aRowThatEndedBeforeTheNextCheckCounts() {
        PolicyGuard guard = watching("learned");
        late(guard, 3);
        guard.cycleTook(1, Duration.ofMillis(1));
        assertThat(guard.check(NOON, inForce("learned"), PolicyGuard.Shadow.NONE)).isNotNull();
    }

    @Test
    void invalidRankingsLeadToTheFallback() {
        PolicyGuard guard = watching("learned");
        guard.rankedInvalidly(1);
        assertThat(guard.check(NOON, inForce("learned"), PolicyGuard.Shadow.NONE)).isNull();
        guard.rankedInvalidly(1);

        var change =
                Objects.requireNonNull(
                        guard.check(NOON, inForce("learned"), PolicyGuard.Shadow.NONE));
        assertThat(change.policy()).isEqualTo("priority");
        assertThat(change.reason()).isEqualTo("learned ranked jobs invalidly 2 times");
    }

    @Test
    void theFallbackPolicyItselfIsNotWatched() {
        PolicyGuard guard = watching("priority");
        late(guard, 10);
        guard.rankedInvalidly(10);
        assertThat(guard.check(NOON, inForce("priority"), PolicyGuard.Shadow.NONE)).isNull();
    }

    @Test
    void aNewPolicyIsNotJudgedByTheOldOne() {
        PolicyGuard guard = watching("learned");
        late(guard, 3);
        assertThat(guard.check(NOON, inForce("sjf"), PolicyGuard.Shadow.NONE)).isNull();
    }

    @Test
    void aFallbackPolicyThatIsBetterForLongEnoughReplacesThePolicyInForce() {
        PolicyGuard guard = watching("learned");
        var better = shadow("priority", BETTER);
        assertThat(guard.check(NOON, inForce("learned"), better)).isNull();
        assertThat(guard.check(minutes(29), inForce("learned"), better)).isNull();

        assertThat(guard.check(minutes(30), inForce("learned"), better))
                .isEqualTo(
                        new PolicyGuard.Change(
                                "priority",
                                "mean wait under priority is lower than under learned by 9.00 s"
                                        + " (95 % interval 6.00 to 12.00, 500 jobs)",
                                PolicyCause.FALLBACK));
    }

    @Test
    void anInterruptionBeginsTheTimeAnew() {
        PolicyGuard guard = watching("learned");
        guard.check(NOON, inForce("learned"), shadow("priority", BETTER));
        guard.check(minutes(20), inForce("learned"), shadow("priority", UNDECIDED));
        guard.check(minutes(21), inForce("learned"), shadow("priority", BETTER));
        assertThat(guard.check(minutes(40), inForce("learned"), shadow("priority", BETTER)))
                .isNull();
        assertThat(guard.check(minutes(51), inForce("learned"), shadow("priority", BETTER)))
                .isNotNull();
    }

    @Test
    void tooFewJobsOrAWorseShadowChangeNothing() {
        PolicyGuard guard = watching("learned");
        var few = shadow("priority", new MeanInterval(199, -9, -12, -6));
        guard.check(NOON, inForce("learned"), few);
        assertThat(guard.check(minutes(600), inForce("learned"), few)).isNull();
        guard.check(NOON, inForce("learned"), shadow("priority", WORSE));
        assertThat(guard.check(minutes(999), inForce("learned"), shadow("priority", WORSE)))
                .isNull();
    }

    @Test
    void aShadowThatIsBetterForLongEnoughIsPromoted() {
        PolicyGuard guard = watching("priority");
        guard.check(NOON, inForce("priority"), shadow("learned", BETTER));
        assertThat(guard.check(minutes(119), inForce("priority"), shadow("learned", BETTER)))
                .isNull();

        var change =
                Objects.requireNonNull(
                        guard.check(minutes(120), inForce("priority"), shadow("learned", BETTER)));
        assertThat(change.policy()).isEqualTo("learned");
        assertThat(change.cause()).isEqualTo(PolicyCause.PROMOTION);
    }

    @Test
    void nothingIsPromotedUnlessThatIsEnabled() {
        var guard = new PolicyGuard(rules(false));
        guard.check(NOON, inForce("priority"), shadow("learned", BETTER));
        assertThat(guard.check(minutes(9999), inForce("priority"), shadow("learned", BETTER)))
                .isNull();
    }

    @Test
    void nothingIsPromotedForADayAfterAFallback() {
        var fallback =
                new Event.PolicyChanged(
                        NOON, "priority", "scheduler", "late", PolicyCause.FALLBACK, "priority");
        var status = new PolicyInForce.Status("priority", "priority", List.of(fallback));
        var guard = new PolicyGuard(rules(true));
        guard.check(NOON, status, shadow("learned", BETTER));

        assertThat(guard.check(minutes(24 * 60 - 1), status, shadow("learned", BETTER))).isNull();
        assertThat(guard.check(minutes(24 * 60), status, shadow("learned", BETTER))).isNotNull();
    }

    @Test
    void anotherShadowPolicyMustShowItsOwnAdvantage() {
        PolicyGuard guard = watching("priority");
        guard.check(NOON, inForce("priority"), shadow("learned", BETTER));
        assertThat(guard.check(minutes(300), inForce("priority"), shadow("sjf", BETTER))).isNull();
    }

    private static Instant minutes(long after) {
        return NOON.plus(Duration.ofMinutes(after));
    }
}
