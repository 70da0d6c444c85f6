package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.FairShareSettings;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Labels;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.PreemptionRules;
import io.gpusched.core.model.Tenant;
import io.gpusched.core.model.TenantId;
import io.gpusched.core.tenants.TenantShare;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// Who gets the GPUs when tenants take turns.
final class FairShareTest {
    /// A tenant of which only what matters is said.
    private static final class Team {
        private final String id;
        private String parent = "";
        private long guaranteed;
        private long limit = Limits.UNLIMITED;
        private double weight = 1;

        Team(String id) {
            this.id = id;
        }

        Team under(String name) {
            parent = name;
            return this;
        }

        Team guaranteed(int gpus) {
            guaranteed = gpus * 1000L;
            return this;
        }

        Team limit(int gpus) {
            limit = gpus * 1000L;
            return this;
        }

        Team weight(double it) {
            weight = it;
            return this;
        }

        Answer joins(Scene scene) {
            var unlimited = Limits.UNLIMITED;
            var tenant =
                    new Tenant(
                            new TenantId(id),
                            parent.isEmpty() ? null : new TenantId(parent),
                            new Limits(guaranteed, 0, 0, 0, 0),
                            new Limits(limit, unlimited, unlimited, unlimited, unlimited),
                            weight,
                            PreemptionRules.DEFAULT,
                            true,
                            Labels.NONE);
            boolean isNew = scene.engine().state().tenants().find(tenant.id()) == null;
            return scene.tell(new Command.PutTenant(tenant, isNew, "tester"));
        }
    }

    private static Scene eightGpus(Team... teams) {
        return eightGpus(FairShareSettings.DEFAULT, teams);
    }

    private static Scene eightGpus(FairShareSettings rules, Team... teams) {
        var settings = EngineSettings.builder().maxWaiting(1000).fairShareSettings(rules).build();
        var scene = new Scene("fair", settings);
        for (Team team : teams) {
            assertThat(team.joins(scene)).isInstanceOf(Answer.Accepted.class);
        }
        scene.join(aNode("n1").build());
        return scene;
    }

    private static List<JobId> submit(Scene scene, String tenant, int jobs, int gpus) {
        var all = new ArrayList<JobId>();
        for (int i = 0; i < jobs; i++) {
            all.add(scene.submit(aJob().of(tenant).gpus(gpus)));
        }
        return all;
    }

    private static long held(Scene scene, String tenant) {
        return scene.engine().state().tenants().usage(new TenantId(tenant)).milliGpus() / 1000;
    }

    private static TenantShare share(Scene scene, String tenant) {
        return scene.engine().state().tenantShares(scene.now()).stream()
                .filter(row -> row.tenant().id().name().equals(tenant))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void freeGpusAreSharedByWeight() {
        Scene scene = eightGpus(new Team("a"), new Team("b").weight(3));
        JobId all = scene.submit(aJob().gpus(8).priority(1000));
        submit(scene, "a", 8, 1);
        submit(scene, "b", 8, 1);

        scene.completes(all);

        assertThat(held(scene, "a")).isEqualTo(2);
        assertThat(held(scene, "b")).isEqualTo(6);
    }

    @Test
    void whoHadMuchLatelyComesLater() {
        Scene scene = eightGpus(new Team("a"), new Team("b"));
        JobId before = scene.submit(aJob().of("a").gpus(8));
        scene.runs(before);
        scene.pass(Duration.ofDays(7));
        JobId other = scene.submit(aJob().gpus(8));
        submit(scene, "a", 4, 2);
        submit(scene, "b", 4, 2);
        scene.completes(before);
        scene.completes(other);

        // `a` held 4 of 8 on average; so `b` may hold 4 more than `a`.
        assertThat(held(scene, "a")).isEqualTo(2);
        assertThat(held(scene, "b")).isEqualTo(6);
        assertThat(share(scene, "a").status()).isEqualTo(TenantShare.Status.OVER);
    }

    @Test
    void whatWasUsedCountsHalfAfterAHalfLife() {
        Scene scene = eightGpus(new Team("a"));
        JobId job = scene.submit(aJob().of("a").gpus(8));
        scene.pass(Duration.ofDays(7));
        assertThat(share(scene, "a").lately()).isCloseTo(0.5, within());
        scene.completes(job);
        scene.pass(Duration.ofDays(7));
        assertThat(share(scene, "a").lately()).isCloseTo(0.25, within());
        assertThat(share(scene, "a").now()).isZero();
    }

    @Test
    void eachLevelSharesWhatItHas() {
        Scene scene =
                eightGpus(
                        new Team("left"),
                        new Team("right"),
                        new Team("l1").under("left"),
                        new Team("l2").under("left").weight(3));
        JobId all = scene.submit(aJob().gpus(8).priority(1000));
        for (String tenant : List.of("l1", "l2", "right")) {
            submit(scene, tenant, 8, 1);
        }
        scene.completes(all);

        assertThat(held(scene, "right")).isEqualTo(4);
        assertThat(held(scene, "left")).isEqualTo(4);
        assertThat(held(scene, "l1")).isEqualTo(1);
        assertThat(held(scene, "l2")).isEqualTo(3);
        assertThat(share(scene, "l2").target()).isCloseTo(3 / 12.0, within());
    }

    @Test
    void aTenantBelowItsGuaranteeTakesBackWhatIsBorrowed() {
        Scene scene = eightGpus(new Team("a").guaranteed(4), new Team("b").guaranteed(2));
        List<JobId> borrowed = submit(scene, "b", 4, 2);
        JobId urgent = borrowed.getFirst();
        scene.tell(new Command.Reprioritise(urgent, 5000, "tester"));
        assertThat(share(scene, "b").status()).isEqualTo(TenantShare.Status.BORROWING);

        List<JobId> mine = submit(scene, "a", 3, 2);

        List<String> phases = borrowed.stream().map(scene::phase).toList();
        assertThat(phases).filteredOn("Stopping"::equals).hasSize(2);
        assertThat(scene.phase(urgent)).as("the most important stays").isEqualTo("Starting");
        borrowed.stream()
                .filter(job -> scene.phase(job).equals("Stopping"))
                .toList()
                .forEach(job -> scene.ends(job, Exit.How.STOPPED, 0));
        assertThat(held(scene, "a")).isEqualTo(4);
        assertThat(held(scene, "b")).isEqualTo(4);
        assertThat(scene.phase(mine.getLast())).as("beyond the guarantee").isEqualTo("Waiting");
        assertThat(share(scene, "a").turn()).isPositive();
    }

    @Test
    void nobodyIsTakenBelowItsGuarantee() {
        Scene scene = eightGpus(new Team("a").guaranteed(4), new Team("b").guaranteed(6));
        List<JobId> theirs = submit(scene, "b", 2, 4);
        JobId mine = submit(scene, "a", 1, 4).getFirst();
        assertThat(scene.phase(mine)).isEqualTo("Waiting");
        assertThat(theirs).allMatch(job -> scene.phase(job).equals("Starting"));
    }

    @Test
    void aSharedLimitIsKeptForGuarantees() {
        Scene scene =
                eightGpus(
                        new Team("all").limit(6),
                        new Team("a").under("all").guaranteed(4),
                        new Team("b").under("all"));
        submit(scene, "b", 6, 1);
        assertThat(held(scene, "b")).isEqualTo(2);
        submit(scene, "a", 4, 1);
        assertThat(held(scene, "a")).isEqualTo(4);
    }

    @Test
    void weightsFollowWhatWasReallyUsedWithinBounds() {
        var rules = new FairShareSettings(Duration.ofDays(1), true);
        Scene scene = eightGpus(rules, new Team("busy"), new Team("lazy"));
        JobId job = scene.submit(aJob().of("busy").gpus(8));
        scene.runs(job);
        scene.pass(Duration.ofDays(1));
        assertThat(share(scene, "busy").adjusted()).isCloseTo(Math.sqrt(3), within());
        assertThat(share(scene, "busy").reason())
                .isEqualTo("held 300 % of its share lately, so 1.73 times its weight");
        assertThat(share(scene, "lazy").adjusted()).isEqualTo(0.5);
        assertThat(scene.phase(job)).isEqualTo("Running");
    }

    @Test
    void whatCannotHoldIsRefusedWithTheField() {
        Scene scene =
                eightGpus(
                        new Team("top").limit(6),
                        new Team("mid").under("top").guaranteed(4),
                        new Team("low").under("mid"));
        assertThat(field(new Team("top").limit(6).under("low").joins(scene)))
                .isEqualTo("parent_id");
        assertThat(problem(new Team("other").under("top").guaranteed(3).joins(scene)).hint())
                .isEqualTo("the nearest that fits is 2");
        assertThat(field(new Team("top").limit(3).joins(scene))).isEqualTo("max_gpus");
    }

    private static String field(Answer answer) {
        return problem(answer).field();
    }

    private static Problem problem(Answer answer) {
        assertThat(answer).isInstanceOf(Answer.Rejected.class);
        return Objects.requireNonNull((Answer.Rejected) answer).problems().getFirst();
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.data.Offset.offset(1e-9);
    }
}
