package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Input;
import io.gpusched.core.event.Problem;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.AgentId;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import java.time.Duration;

/// Whoever is refused hears which field is wrong and what to do instead, and doing that helps.
final class CommandHandlerTest {
    private final Scene scene = Scene.with(aNode("n1").build());

    @Test
    void aTenantThatIsNotThereCanBeMade() {
        assertThat(refusal(submission(aJob().of("team"))))
                .isEqualTo(
                        new Problem(
                                Problem.Code.UNKNOWN_TENANT,
                                "tenant_id",
                                "tenant team does not exist",
                                "create it, or use the tenant `default`"));
        scene.tenant("team", Limits.NONE, false);
        scene.submit(aJob().of("team"));
    }

    @Test
    void anInactiveTenantCanBeActivated() {
        put(tenant("team", null, false));
        assertThat(refusal(submission(aJob().of("team"))))
                .isEqualTo(
                        new Problem(
                                Problem.Code.WRONG_STATE,
                                "tenant_id",
                                "tenant team is not active",
                                "ask an administrator to activate it"));
        accepted(new Command.PutTenant(tenant("team", null, true), false, "admin"));
        scene.submit(aJob().of("team"));
    }

    @Test
    void aKeyThatWasUsedForAnotherBodyNamesTheJobItMade() {
        accepted(new Command.Submit(aJob().spec(), "k", 1, false, "me"));
        assertThat(refusal(new Command.Submit(aJob().spec(), "k", 2, false, "me")))
                .isEqualTo(
                        new Problem(
                                Problem.Code.KEY_REUSED,
                                "Idempotency-Key",
                                "this key was used for job-1 with another body",
                                "use a new key for a new job"));
        accepted(new Command.Submit(aJob().spec(), "l", 2, false, "me"));
    }

    /// Nothing in the request is wrong here, so no field is named.
    @Test
    void aFullQueueTakesJobsAgainWhenOneHasLeft() {
        var small =
                new Scene(
                        "priority",
                        EngineSettings.builder()
                                .maxWaiting(1)
                                .assumedRuntime(Duration.ofHours(1))
                                .build());
        JobId waits = small.submit(aJob());
        assertThat(refusal(small, submission(aJob())))
                .isEqualTo(
                        new Problem(
                                Problem.Code.QUEUE_FULL,
                                "",
                                "queue is full (max size: 1)",
                                "try again when jobs have started, or have the limit raised"));
        small.tell(new Command.Cancel(waits, "me"));
        small.submit(aJob());
    }

    @Test
    void ofAJobThatHasEndedAllIsRefusedWithTheSameWayOut() {
        JobId job = scene.submit(aJob());
        scene.runs(job);
        scene.completes(job);
        for (Input asked :
                new Input[] {
                    new Command.Cancel(job, "me"),
                    new Command.Hold(job, "me"),
                    new Command.Release(job, "me"),
                    new Command.Reprioritise(job, 1, "me")
                }) {
            Problem problem = refusal(asked);
            assertThat(problem.code()).isEqualTo(Problem.Code.WRONG_STATE);
            assertThat(problem.field()).isEqualTo("state");
            assertThat(problem.message()).startsWith("cannot ").contains(" job-1: ");
            assertThat(problem.hint()).contains("to run it again, submit it again");
        }
    }

    @Test
    void aRunningJobIsNeitherHeldNorReleased() {
        JobId job = scene.submit(aJob());
        scene.runs(job);
        assertThat(refusal(new Command.Hold(job, "me")))
                .isEqualTo(
                        new Problem(
                                Problem.Code.WRONG_STATE,
                                "state",
                                "cannot hold job-1: only waiting jobs can be held",
                                "cancel it and submit it again to run it later"));
        assertThat(refusal(new Command.Release(job, "me")))
                .isEqualTo(
                        new Problem(
                                Problem.Code.WRONG_STATE,
                                "state",
                                "cannot release job-1: only held jobs can be released",
                                "nothing needs to be done, it has left the queue already"));
    }

    @Test
    void whatIsNotKnownIsNamedWithTheListToLookIn() {
        var job = new JobId(7);
        for (Input asked :
                new Input[] {
                    new Command.Cancel(job, "me"),
                    new Command.Hold(job, "me"),
                    new Command.Release(job, "me"),
                    new Command.Reprioritise(job, 1, "me")
                }) {
            assertThat(refusal(asked))
                    .isEqualTo(
                            new Problem(
                                    Problem.Code.UNKNOWN_JOB,
                                    "job_id",
                                    "Job not found",
                                    "job-7 is not known; list the jobs"));
        }
        var node = new NodeId("n9");
        for (Input asked :
                new Input[] {
                    new Command.Cordon(node, "me"),
                    new Command.Uncordon(node, "me"),
                    new Command.Drain(node, true, "me"),
                    new Command.RemoveNode(node, "me")
                }) {
            assertThat(refusal(asked))
                    .isEqualTo(
                            new Problem(
                                    Problem.Code.UNKNOWN_NODE,
                                    "node_id",
                                    "Node not found",
                                    "n9 is not known; list the nodes"));
        }
    }

    @Test
    void aTenantIsMadeOnceAndChangedOnlyWhereItIs() {
        Problem twice =
                refusal(new Command.PutTenant(Tenant.unlimited(Tenant.DEFAULT), true, "me"));
        assertThat(twice)
                .isEqualTo(
                        new Problem(
                                Problem.Code.EXISTS,
                                "id",
                                "tenant default exists",
                                "choose another id"));
        Problem gone = refusal(new Command.PutTenant(tenant("team", null, true), false, "me"));
        assertThat(gone.code()).isEqualTo(Problem.Code.UNKNOWN_TENANT);
        assertThat(gone.field()).isEqualTo("tenant_id");
        assertThat(gone.hint()).startsWith("create it");
        assertThat(refusal(new Command.RemoveTenant(new TenantId("team"), "me"))).isEqualTo(gone);
    }

    @Test
    void aParentThatCannotBeIsAnsweredWithOneThatCan() {
        put(tenant("research", null, true));
        Problem unknown = refusal(new Command.PutTenant(tenant("x", "reserch", true), true, "me"));
        assertThat(unknown)
                .isEqualTo(
                        new Problem(
                                Problem.Code.INVALID,
                                "parent_id",
                                "tenant reserch does not exist",
                                "the nearest is research"));
        put(tenant("x", "research", true));

        Problem itself = refusal(new Command.PutTenant(tenant("research", "x", true), false, "me"));
        assertThat(itself.field()).isEqualTo("parent_id");
        assertThat(itself.message()).contains("cannot be part of itself");
        assertThat(itself.hint())
                .isEqualTo("leave it out, or name an existing tenant that is not below this one");
        Problem deeper = refusal(new Command.PutTenant(tenant("x", "x", true), false, "me"));
        assertThat(deeper.hint()).startsWith("leave it as it is, research");
    }

    @Test
    void aTenantGoesWhenNothingNeedsItAnyMore() {
        put(tenant("top", null, true));
        put(tenant("below", "top", true));
        JobId job = scene.submit(aJob().of("below"));
        for (String needed : new String[] {"default", "top", "below"}) {
            Problem problem = refusal(new Command.RemoveTenant(new TenantId(needed), "me"));
            assertThat(problem)
                    .isEqualTo(
                            new Problem(
                                    Problem.Code.WRONG_STATE,
                                    "tenant_id",
                                    "tenant " + needed + " is still needed",
                                    "cancel its jobs and remove its pools and the tenants below it"
                                            + " first; `default` always stays"));
        }
        scene.runs(job);
        scene.completes(job);
        accepted(new Command.RemoveTenant(new TenantId("below"), "me"));
        accepted(new Command.RemoveTenant(new TenantId("top"), "me"));
    }

    @Test
    void aNodeGoesWhenItIsEmptyAndItsAgentIsAway() {
        var node = new NodeId("n1");
        JobId job = scene.submit(aJob());
        scene.runs(job);
        assertThat(refusal(new Command.RemoveNode(node, "me")))
                .isEqualTo(
                        new Problem(
                                Problem.Code.WRONG_STATE,
                                "state",
                                "node n1 runs 1 task",
                                "drain it, and when nothing runs there stop its agent"));
        accepted(new Command.Drain(node, true, "me"));
        scene.completes(job);
        Problem up = refusal(new Command.RemoveNode(node, "me"));
        assertThat(up.field()).isEqualTo("state");
        assertThat(up.message()).isEqualTo("node n1 is up: its agent agent has it");
        assertThat(up.hint()).startsWith("drain it and stop its agent first");
        scene.tell(new Report.Silent(new AgentId("agent")));
        accepted(new Command.RemoveNode(node, "me"));
    }

    @Test
    void aMarketNeedsALabelAValueAndAPrice() {
        Problem label = refusal(new Command.SetMarket(new Market("", "true", 1, 0, true), "me"));
        assertThat(label.field()).isEqualTo("label");
        assertThat(label.hint()).contains("cloud.google.com/gke-spot and true");
        Problem value = refusal(new Command.SetMarket(new Market("spot", "", 1, 0, true), "me"));
        assertThat(value.field()).isEqualTo("value");
        assertThat(value.hint()).isEqualTo(label.hint());
        Problem price =
                refusal(new Command.SetMarket(new Market("spot", "true", -1, 0, true), "me"));
        assertThat(price.field()).isEqualTo("price");
        assertThat(price.hint()).isEqualTo("the nearest is 0");
        accepted(new Command.SetMarket(new Market("spot", "true", 0, 0, true), "me"));
    }

    @Test
    void anUnknownPolicyIsAnsweredWithThoseThereAre() {
        Problem problem = refusal(new Command.SetPolicy("luck", "me"));
        assertThat(problem.code()).isEqualTo(Problem.Code.UNKNOWN_POLICY);
        assertThat(problem.field()).isEqualTo("policy");
        assertThat(problem.hint()).startsWith("choose one of ");
        for (String known : problem.hint().substring("choose one of ".length()).split(", ")) {
            accepted(new Command.SetPolicy(known, "me"));
        }
    }

    private static Input submission(JobBuilder job) {
        return new Command.Submit(job.spec(), "", 0, false, "me");
    }

    private static Tenant tenant(String name, @Nullable String parent, boolean active) {
        return new Tenant(
                new TenantId(name),
                parent == null ? null : new TenantId(parent),
                Limits.ZERO,
                Limits.NONE,
                1,
                PreemptionRules.DEFAULT,
                active,
                Labels.NONE);
    }

    private void put(Tenant tenant) {
        accepted(new Command.PutTenant(tenant, true, "me"));
    }

    private void accepted(Input asked) {
        assertThat(scene.tell(asked)).isInstanceOf(Answer.Accepted.class);
    }

    private Problem refusal(Input asked) {
        return refusal(scene, asked);
    }

    private static Problem refusal(Scene scene, Input asked) {
        long before = scene.engine().lastBatch();
        Answer answer = scene.tell(asked);
        assertThat(answer).isInstanceOf(Answer.Rejected.class);
        assertThat(scene.engine().lastBatch()).as("nothing is recorded").isEqualTo(before);
        return ((Answer.Rejected) answer).problems().getFirst();
    }
}
