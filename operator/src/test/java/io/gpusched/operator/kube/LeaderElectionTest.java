package io.gpusched.operator.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;

import io.gpusched.operator.kube.fake.FakeApiServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

@Timeout(60)
final class LeaderElectionTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final FakeApiServer server = FakeApiServer.start();
    private final HttpKubeApi api = new HttpKubeApi(server.config());
    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void end() {
        api.close();
        server.close();
    }

    private LeaseClaim claim(String identity) {
        return new LeaseClaim(
                api, LeaseSettings.of("default", "operator", identity), () -> now.get());
    }

    private void pass(long seconds) {
        now.updateAndGet(before -> before.plusSeconds(seconds));
    }

    private ObjectNode lease() {
        return server.require(ResourceType.LEASES, "default", "operator");
    }

    @Test
    void theFirstTakesTheLeaseAndKeepsIt() {
        LeaseClaim a = claim("a");
        LeaseClaim b = claim("b");
        assertThat(a.attempt()).isTrue();
        assertThat(b.attempt()).isFalse();
        pass(10);
        assertThat(a.attempt()).isTrue();
        pass(10);
        assertThat(b.attempt()).isFalse();
        assertThat(lease().path("spec").path("holderIdentity").asText()).isEqualTo("a");
        assertThat(lease().path("spec").path("renewTime").asText())
                .isEqualTo("2026-01-01T00:00:10.000000Z");
    }

    @Test
    void aLeaseThatIsNotRenewedIsTakenAfterItsDuration() {
        LeaseClaim b = claim("b");
        assertThat(claim("a").attempt()).isTrue();
        assertThat(b.attempt()).isFalse();
        pass(14);
        assertThat(b.attempt()).isFalse();
        pass(1);
        assertThat(b.attempt()).isTrue();
        assertThat(lease().path("spec").path("leaseTransitions").asInt()).isEqualTo(1);
    }

    @Test
    void theClockOfTheHolderIsNotBelieved() {
        assertThat(claim("a").attempt()).isTrue();
        pass(3600);
        // An hour behind by its time stamp, but only just seen.
        LeaseClaim b = claim("b");
        assertThat(b.attempt()).isFalse();
        pass(15);
        assertThat(b.attempt()).isTrue();
    }

    @Test
    void aReleasedLeaseIsTakenAtOnce() {
        LeaseClaim a = claim("a");
        assertThat(a.attempt()).isTrue();
        a.release();
        assertThat(claim("b").attempt()).isTrue();
    }

    @Test
    void theNextProcessLeadsWhenTheFirstIsClosed() throws InterruptedException {
        LeaderElection a = election("a", Duration.ofSeconds(15));
        a.start();
        assertThat(next()).isEqualTo("a elected");
        assertThat(a.isLeader()).isTrue();
        LeaderElection b = election("b", Duration.ofSeconds(15));
        b.start();
        a.close();
        assertThat(next()).isEqualTo("a lost");
        assertThat(next()).isEqualTo("b elected");
        assertThat(a.isLeader()).isFalse();
        b.close();
        assertThat(next()).isEqualTo("b lost");
    }

    @Test
    void aLeaderThatIsCutOffGivesUpBeforeOthersTakeOver() throws InterruptedException {
        LeaderElection a = election("a", Duration.ofSeconds(4));
        a.start();
        assertThat(next()).isEqualTo("a elected");
        Instant cut = Instant.now();
        try (var held = server.faults().hold("GET", ".*/leases/operator")) {
            assertThat(held).isNotNull();
            assertThat(next()).isEqualTo("a lost");
            assertThat(Duration.between(cut, Instant.now())).isLessThan(Duration.ofSeconds(4));
            assertThat(a.isLeader()).isFalse();
        }
        assertThat(next()).isEqualTo("a elected");
        a.close();
    }

    @Test
    void aLeaseTakenByAnotherIsLostAtOnce() throws InterruptedException {
        LeaderElection a = election("a", Duration.ofSeconds(15));
        a.start();
        assertThat(next()).isEqualTo("a elected");
        ObjectNode stolen = lease().deepCopy();
        ((ObjectNode) stolen.path("spec")).put("holderIdentity", "thief");
        server.plant(ResourceType.LEASES, stolen);
        assertThat(next()).isEqualTo("a lost");
        a.close();
    }

    private LeaderElection election(String identity, Duration lease) {
        return new LeaderElection(
                api,
                new LeaseSettings(
                        "default",
                        "operator",
                        identity,
                        lease,
                        lease.dividedBy(4),
                        lease.dividedBy(100)),
                new LeaderElection.Listener() {
                    @Override
                    public void elected() {
                        heard.add(identity + " elected");
                    }

                    @Override
                    public void lost() {
                        heard.add(identity + " lost");
                    }
                });
    }

    private String next() throws InterruptedException {
        String line = heard.poll(30, TimeUnit.SECONDS);
        return line == null ? "nothing" : line;
    }
}
