package io.gpusched.core.policy.gate;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.TenantBuilder.aTenant;
import static io.gpusched.core.kit.TestCluster.aCluster;
import static io.gpusched.core.kit.rule.RetryConditions.tenant;
import static io.gpusched.core.kit.rule.RuleAssertions.assertThat;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Event;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.TestCluster;
import io.gpusched.core.model.Claim;
import io.gpusched.core.model.ClaimHolder;
import io.gpusched.core.model.GpuRequest;
import io.gpusched.core.model.Grant;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.NodeId;
import io.gpusched.core.model.Resources;
import io.gpusched.core.model.Slot;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;

final class QuotaGateTest {
    private final QuotaGate gate = new QuotaGate(true);

    @Test
    void theLastOfTheQuotaIsEnoughAndOneMoreIsNot() {
        TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a").limit(4));
        cluster.running(aJob().of("a").gpus(3), "n1[0-2]");
        assertThat(gate).on(aJob().of("a").gpus(1), cluster).letsPass();
        assertThat(gate)
                .on(aJob().of("a").gpus(2), cluster)
                .holdsBack("quota exceeded for tenant a: GPUs requested=2, quota=4, current=3")
                .by("quota")
                .liftedBy(tenant("a"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GPUs            | 1000 | 1 | 2
                    GPU memory MB   | 1000 | 1000 | 1001
                    CPU cores       | 4000 | 4 | 5
                    memory MB       | 1000 | 1000 | 1001
                    """)
    void everyResourceHasItsOwnLimit(String title, long limit, int most, int more) {
        TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a").limit(only(title, limit)));
        assertThat(gate).on(asking(title, most), cluster).letsPass();
        assertThat(gate)
                .on(asking(title, more), cluster)
                .holdsBack(
                        "quota exceeded for tenant a: %s requested=%d, quota=%d, current=0"
                                .formatted(title, more, most))
                .liftedBy(tenant("a"));
    }

    @Test
    void runningJobsAreCounted() {
        var two = new Limits(ANY, ANY, ANY, ANY, 2);
        TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a").limit(two));
        cluster.running(aJob().of("a"), "n1[0]");
        assertThat(gate).on(aJob().of("a"), cluster).letsPass();
        cluster.running(aJob().of("a"), "n1[1]");
        assertThat(gate)
                .on(aJob().of("a"), cluster)
                .holdsBack(
                        "quota exceeded for tenant a: concurrent jobs requested=1, quota=2,"
                                + " current=2")
                .liftedBy(tenant("a"));
    }

    @Test
    void partsOfGpusCountAsParts() {
        TestCluster cluster = aCluster("n1: 8×A100-80GB").with(aTenant("a").limit(1));
        cluster.running(aJob().of("a").asking(GpuRequest.shares(500, 0, 1)), "n1[0]");
        assertThat(gate)
                .on(aJob().of("a").asking(GpuRequest.shares(500, 0, 1)), cluster)
                .letsPass();
        assertThat(gate)
                .on(aJob().of("a").asking(GpuRequest.shares(501, 0, 1)), cluster)
                .holdsBack(
                        "quota exceeded for tenant a: GPUs requested=0.501, quota=1,"
                                + " current=0.5");
    }

    @Test
    void theLimitOfATenantAboveHoldsForAllBelow() {
        TestCluster cluster =
                aCluster("n1: 8×A100")
                        .with(
                                aTenant("dept").limit(4),
                                aTenant("a").under("dept"),
                                aTenant("b").under("dept"));
        cluster.running(aJob().of("b").gpus(3), "n1[0-2]");
        assertThat(gate).on(aJob().of("a").gpus(1), cluster).letsPass();
        assertThat(gate)
                .on(aJob().of("a").gpus(2), cluster)
                .holdsBack("quota exceeded for tenant dept: GPUs requested=2, quota=4, current=3")
                .liftedBy(tenant("dept"));
    }

    @Test
    void quotaIsKeptForTheFirstJobThatWaitsForIt() {
        TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a").limit(8));
        cluster.running(aJob().of("a").gpus(4), "n1[0-3]");
        JobId large = cluster.waiting(aJob().of("a").gpus(8));
        JobId small = cluster.waiting(aJob().of("a").gpus(1));
        JobId other = cluster.waiting(aJob().of("a").gpus(0));
        JobId first = cluster.waiting(aJob().of("a").gpus(1).priority(200));
        assertThat(gate)
                .on(large, cluster)
                .holdsBack("quota exceeded for tenant a: GPUs requested=8, quota=8, current=4");
        assertThat(gate)
                .on(small, cluster)
                .holdsBack(
                        "waits behind "
                                + large
                                + " of the same tenant, which needs the quota first")
                .by("quota")
                .liftedBy(tenant("a"));
        assertThat(gate).on(other, cluster).letsPass();
        assertThat(gate).on(first, cluster).letsPass();
        assertThat(new QuotaGate(false)).on(small, cluster).letsPass();
    }

    @Test
    void aJobOfAnotherTenantIsNotNamed() {
        TestCluster cluster =
                aCluster("n1: 8×A100")
                        .with(
                                aTenant("dept").limit(8),
                                aTenant("a").under("dept"),
                                aTenant("b").under("dept"));
        cluster.running(aJob().of("b").gpus(4), "n1[0-3]");
        cluster.waiting(aJob().of("b").gpus(8));
        assertThat(gate)
                .on(aJob().of("a").gpus(1), cluster)
                .holdsBack("waits behind another job under dept, which needs the quota first")
                .liftedBy(tenant("dept"));
    }

    @Test
    void quotaIsKeptForAJobWithAReservation() {
        TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a").limit(4));
        JobId reserved = cluster.waiting(aJob().of("a").gpus(4));
        JobId small = cluster.waiting(aJob().of("a").gpus(1));
        assertThat(gate).on(small, cluster).letsPass();
        claim(cluster, reserved, Claim.Kind.RESERVATION);
        assertThat(gate)
                .on(small, cluster)
                .holdsBack(
                        "waits behind "
                                + reserved
                                + " of the same tenant, which needs the quota first")
                .liftedBy(tenant("a"));
        assertThat(gate).on(reserved, cluster).letsPass();
    }

    @Test
    void aJobForWhichOthersAreStoppedCountsAsStarted() {
        TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a").limit(4));
        JobId starts = cluster.waiting(aJob().of("a").gpus(3));
        claim(cluster, starts, Claim.Kind.ROOM);
        assertThat(gate).on(starts, cluster).letsPass();
        assertThat(gate).on(aJob().of("a").gpus(1), cluster).letsPass();
        assertThat(gate)
                .on(aJob().of("a").gpus(2), cluster)
                .holdsBack("quota exceeded for tenant a: GPUs requested=2, quota=4, current=3");
    }

    @Test
    void aTenantWithoutLimitsIsNeverHeldBack() {
        TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a"));
        cluster.waiting(aJob().of("a").gpus(64));
        assertThat(gate).on(aJob().of("a").gpus(64), cluster).letsPass();
    }

    @Test
    void aJobThatCouldNeverFitIsAProblemWhateverIsInUse() {
        TestCluster cluster = aCluster("n1: 8×A100").with(aTenant("a").limit(4));
        cluster.running(aJob().of("a").gpus(3), "n1[0-2]");
        assertThat(QuotaGate.neverFits(aJob().of("a").gpus(4).spec(), cluster.state())).isNull();
        assertThat(QuotaGate.neverFits(aJob().of("a").gpus(5).spec(), cluster.state()))
                .isEqualTo(
                        new Problem(
                                Problem.Code.QUOTA,
                                "gpu_count",
                                "quota exceeded for tenant a: GPUs requested=5, quota=4, current=3",
                                "ask for at most 4 GPUs, or have the quota of a raised"));
    }

    private static final long ANY = Limits.UNLIMITED;

    private static Limits only(String title, long limit) {
        return switch (title) {
            case "GPUs" -> new Limits(limit, ANY, ANY, ANY, ANY);
            case "GPU memory MB" -> new Limits(ANY, limit, ANY, ANY, ANY);
            case "CPU cores" -> new Limits(ANY, ANY, limit, ANY, ANY);
            default -> new Limits(ANY, ANY, ANY, limit, ANY);
        };
    }

    private static JobBuilder asking(String title, int amount) {
        return switch (title) {
            case "GPUs" -> aJob().of("a").gpus(amount);
            case "GPU memory MB" -> aJob().of("a").gpuMemoryMiB(amount);
            case "CPU cores" -> aJob().of("a").cores(amount);
            default -> aJob().of("a").memoryMiB(amount);
        };
    }

    private static void claim(TestCluster cluster, JobId job, Claim.Kind kind) {
        var slot = new Slot(new NodeId("n1"), 0, 0, new Grant.Whole(0xf), Resources.cores(1, 0));
        cluster.apply(
                new Event.ClaimMade(
                        cluster.now(),
                        new Claim(
                                cluster.state().nextClaim(),
                                new ClaimHolder.OfJob(job),
                                kind,
                                List.of(slot),
                                cluster.now(),
                                cluster.now().plusSeconds(3600),
                                "test")));
    }
}
