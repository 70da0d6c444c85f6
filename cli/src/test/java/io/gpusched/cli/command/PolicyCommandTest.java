package io.gpusched.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.cli.Shell;
import io.gpusched.cli.Stand;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// `gpu-cli policy`, `gpu-cli shadow promote` and `gpu-cli events`.
final class PolicyCommandTest {
    private static final String POLICY =
            """
            {"changed":true,"policy":"learned","configured":"priority","by":"scheduler",
             "since":"2026-01-05T12:00:00.123Z","cause":"promotion","reason":"it is better",
             "previous":"priority","fallback":{"policy":"priority","guarding":true,
             "compares":true},
             "promotion":{"enabled":true,"objective":"wait","paused_until":null},
             "shadow":{"policy":"priority","running":true,"verdict":"worse"}}
            """;

    private final Stand stand = new Stand();

    @AfterEach
    void close() {
        stand.close();
    }

    @Test
    void thePolicyInForceIsShown() {
        stand.says("GET /api/v1/policy", POLICY);

        assertThat(Shell.at(stand).run("policy").out())
                .contains("Policy:      learned\n")
                .contains("Configured:  priority\n")
                .contains("Since:       2026-01-05T12:00:00Z\n")
                .contains("By:          scheduler (promotion)\n")
                .contains("Reason:      it is better\n")
                .contains("Fallback:    priority (the guard watches learned)\n")
                .contains("Promotion:   by rule, objective wait\n")
                .contains("Shadow:      priority (worse)\n");
        assertThat(Shell.at(stand).run("policy", "-o", "name").out()).isEqualTo("learned\n");
    }

    @Test
    void aGuardThatCannotCompareSaysSo() {
        stand.says("GET /api/v1/policy", POLICY.replace("compares\":true", "compares\":false"));

        assertThat(Shell.at(stand).run("policy").out())
                .contains(
                        "Fallback:    priority (the guard watches learned, but does not compare the"
                                + " two)\n");
    }

    @Test
    void aPolicyIsSetWithItsReason() {
        stand.says("PUT /api/v1/policy", POLICY);

        var outcome = Shell.at(stand).run("policy", "set", "learned", "--reason", "try it");

        assertThat(outcome.out())
                .isEqualTo(
                        "learned is in force in place of priority; if it fails, priority replaces"
                                + " it\n");
        assertThat(stand.onlyAsked().body())
                .isEqualTo("{\"policy\":\"learned\",\"reason\":\"try it\"}");
    }

    @Test
    void aDryRunSaysWhatWouldChange() {
        stand.says(
                "PUT /api/v1/policy",
                "{\"changed\":true,\"dry_run\":true,\"policy\":\"fair\",\"wanted\":\"sjf\"}");

        assertThat(Shell.at(stand).run("policy", "set", "sjf", "--dry-run").out())
                .isEqualTo("sjf would replace fair\n");
        assertThat(stand.lines()).containsExactly("PUT /api/v1/policy?dry_run=true");
    }

    @Test
    void thePolicyInForceStays() {
        stand.says("PUT /api/v1/policy", "{\"changed\":false,\"policy\":\"sjf\"}");

        assertThat(Shell.at(stand).run("policy", "set", "sjf").out())
                .isEqualTo("sjf is in force already\n");
    }

    @Test
    void wrongWordsAreWrongUsage() {
        assertThat(Shell.at(stand).run("policy", "fair").err())
                .contains("expected set, found 'fair'");
        assertThat(Shell.at(stand).run("policy", "set").err()).contains("missing POLICY");
        assertThat(Shell.at(stand).run("policy", "--reason", "x").err())
                .contains("missing set POLICY");
        assertThat(Shell.at(stand).run("shadow", "demote").err())
                .contains("expected promote, found 'demote'");
        assertThat(Shell.at(stand).run("shadow", "--force").err()).contains("missing promote");
        assertThat(stand.asked()).isEmpty();
    }

    @Test
    void theShadowIsPromoted() {
        stand.says("POST /api/v1/shadow/promote", POLICY);

        var outcome = Shell.at(stand).run("shadow", "promote", "--force", "--reason", "a test");

        assertThat(outcome.out()).startsWith("learned is in force in place of priority");
        assertThat(stand.onlyAsked().body()).isEqualTo("{\"force\":true,\"reason\":\"a test\"}");
    }

    @Test
    void intervalsOfTheShadowAreShownWithTheirVerdict() {
        stand.says(
                "GET /api/v1/shadow",
                """
                {"enabled":true,"running":true,"policy":"fair","resyncs":2,
                 "last_resync":"20000 batches waited for it","seen":{"behind_seconds":3,
                 "live":{"all":{},"tenants":{}},"shadow":{"all":{},"tenants":{}},"starts":{},
                 "differences":{
                  "wait_seconds":{"jobs":812,"mean":-41.2,"low":-63.9,"high":-18.5,
                   "verdict":"better"},
                  "slowdown":{"jobs":7,"mean":0.5,"low":null,"high":null,
                   "verdict":"undecided"}}}}
                """);

        var outcome = Shell.at(stand).run("shadow");

        assertThat(outcome.out())
                .contains("Difference per job, shadow minus live, with its 95 % interval")
                .contains("OBJECTIVE  JOBS  MEAN    FROM    TO      VERDICT")
                .contains("wait       812   -41.2s  -63.9s  -18.5s  better")
                .contains("slowdown   7     0.5     -       -       undecided");
        assertThat(outcome.err())
                .contains("started again 2 times; the last time because 20000 batches waited");
    }

    @Test
    void changesOfThePolicyAreEvents() {
        stand.says(
                "GET /api/v1/events",
                """
                {"events":[{"at":"2026-01-05T12:00:00.5Z","kind":"policy",
                 "message":"priority in place of learned by scheduler (fallback): late"}],"total":1}
                """);

        assertThat(Shell.at(stand).run("events", "--no-headers").out())
                .isEqualTo(
                        "2026-01-05T12:00:00Z  policy  -  priority in place of learned by scheduler"
                                + " (fallback): late\n");
    }
}
