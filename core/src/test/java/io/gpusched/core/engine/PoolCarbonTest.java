package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;
import static io.gpusched.core.kit.PoolBuilder.aPool;
import static io.gpusched.core.kit.PoolBuilder.seen;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Command;
import io.gpusched.core.event.Report;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.PoolBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.Market;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.pool.CarbonRules;
import io.gpusched.core.pool.PoolId;
import io.gpusched.core.pool.ReplicaLoad;
import io.gpusched.core.state.PoolEntry;
import io.gpusched.core.state.ReplicaStatus;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// When the carbon rules of a pool hold it back, and where its replicas run.
final class PoolCarbonTest {
    private static final PoolId CHAT = new PoolId("chat");
    private static final Duration HOUR = Duration.ofHours(1);
    private static final int SLOW = 1_500;

    /// It is midnight there.
    private final Scene scene = new Scene("priority", PoolBuilder.settings());

    private long sequence;

    PoolCarbonTest() {
        scene.join(
                aNode("eu-1: 8×A100").label("region", "eu").build(),
                aNode("no-1: 8×A100").label("region", "no").build(),
                aNode("old-1: 8×V100").label("region", "old").build());
    }

    private void forecast(String region, Integer... grams) {
        var forecast = new RegionForecast(region, scene.now(), HOUR, List.of(grams));
        scene.tell(new Command.PutForecast(forecast, "me"));
    }

    private void put(PoolBuilder pool, CarbonRules rules) {
        scene.tell(new Command.PutPool(pool.carbon(rules).build(), "me"));
    }

    private static CarbonRules within(int grams, String... regions) {
        return new CarbonRules(List.of(regions), grams, -1, 0);
    }

    /// @param from in hours, UTC
    private static CarbonRules clean(int from, int hours) {
        return new CarbonRules(List.of(), 0, from * 60, hours * 60);
    }

    private PoolEntry chat() {
        return Objects.requireNonNull(scene.engine().state().pools().find(CHAT));
    }

    private PoolDecision decision() {
        return PoolSizing.of(scene.engine(), scene.now()).decide(chat());
    }

    /// The size after so many sessions were reported.
    private int serve(int sessions, int firstToken) {
        report(sessions, firstToken);
        scene.pass(Duration.ofSeconds(5));
        report(sessions, firstToken);
        return chat().desired();
    }

    private void report(int sessions, int firstToken) {
        var loads = new ArrayList<ReplicaLoad>();
        for (ReplicaStatus status : chat().replicas()) {
            if (scene.phase(status.job()).equals("Starting")) {
                scene.runs(status.job());
            }
            loads.add(seen(status.job(), true, 1));
        }
        var load = PoolBuilder.load(++sequence, 0, sessions, firstToken, loads);
        scene.tell(new Report.PoolLoad(CHAT, load));
    }

    private List<String> places() {
        return chat().replicas().stream()
                .map(status -> scene.where(status.job()).replaceAll("-1.*", ""))
                .toList();
    }

    @Test
    void aPoolGrowsOnlyWhilePowerIsCleanWhereItsReplicasCouldRun() {
        forecast("eu", 300, 300, 90);
        forecast("no", 250, 250, 250);
        forecast("old", 10, 10, 10);
        put(aPool().of(a100()).from(2, 8), within(100));
        assertThat(serve(5, 0)).as("min is reached at once").isEqualTo(2);
        assertThat(decision().rule()).isEqualTo("carbon");
        assertThat(decision().reason())
                .isEqualTo(
                        "the pool grows only where power has at most 100 g CO2 per kWh, and eu has"
                                + " 300, no has 250; expected again from 2026-01-01T02:00:00Z");
        scene.pass(HOUR.multipliedBy(2));
        assertThat(serve(5, 0)).isEqualTo(5);
        assertThat(places().subList(2, 5)).as("only eu is clean").containsOnly("eu");
    }

    private static JobBuilder a100() {
        return aJob().gpus(1).model("A100");
    }

    @Test
    void withoutAForecastTheMarketsCount() {
        scene.tell(new Command.SetMarket(new Market("region", "eu", 1, 300, false), "me"));
        put(aPool().of(a100()).from(1, 8), within(200));
        assertThat(serve(4, 0)).isEqualTo(1);
        scene.tell(new Command.SetMarket(new Market("region", "no", 1, 150, false), "me"));
        assertThat(serve(4, 0)).isEqualTo(4);
    }

    @Test
    void whereNothingIsKnownNothingIsHeldBack() {
        put(aPool().from(1, 8), within(1));
        assertThat(serve(4, 0)).isEqualTo(4);
    }

    @Test
    void cleanHoursMayReachAcrossMidnight() {
        put(aPool().from(1, 8), clean(22, 8));
        assertThat(serve(2, 0)).as("00:00 is clean").isEqualTo(2);
        scene.pass(HOUR.multipliedBy(6).minusSeconds(30));
        assertThat(serve(3, 0)).as("05:59 is").isEqualTo(3);
        scene.pass(HOUR);
        assertThat(serve(4, 0)).as("06:59 is not").isEqualTo(3);
        assertThat(decision().reason())
                .isEqualTo("the pool grows only in its clean hours, 22:00 to 06:00 UTC");
        scene.pass(HOUR.multipliedBy(15).plusMinutes(1));
        assertThat(serve(4, 0)).as("22:00 is").isEqualTo(4);
    }

    @Test
    void cleanHoursByDay() {
        put(aPool().from(0, 8), clean(9, 8));
        assertThat(serve(2, 0)).isZero();
        scene.pass(HOUR.multipliedBy(9));
        assertThat(serve(2, 0)).isEqualTo(2);
        scene.pass(HOUR.multipliedBy(8));
        assertThat(serve(2, 0)).as("what runs is kept").isEqualTo(2);
        assertThat(serve(3, 0)).isEqualTo(2);
    }

    @Test
    void aPoolThatMissesItsObjectiveGrowsWhateverPowerCosts() {
        forecast("eu", 300, 300);
        forecast("no", 300, 300);
        put(aPool().of(a100()).from(1, 8).slo(1_000), within(100));
        assertThat(serve(3, 900)).isEqualTo(1);
        assertThat(serve(3, SLOW)).isEqualTo(3);
        report(4, SLOW);
        assertThat(decision().steps())
                .contains(
                        "carbon does not hold the pool back, because it is urgent:"
                                + " the first token takes 1500 ms, the objective is 1000");
        put(aPool().of(a100()).from(1, 8), within(100));
        assertThat(serve(6, SLOW)).as("no objective, never urgent").isEqualTo(3);
    }

    @Test
    void replicasRunInThePreferredRegions() {
        put(aPool().from(3, 8), within(0, "no", "eu"));
        assertThat(places()).containsOnly("no");
        put(aPool().from(8, 16).named("chat"), within(0, "no", "eu"));
        put(aPool().from(12, 16), within(0, "no", "eu"));
        assertThat(places()).hasSize(12);
        assertThat(places().stream().filter("no"::equals)).hasSize(8);
        assertThat(places().stream().filter("eu"::equals)).hasSize(4);
    }

    @Test
    void cleanRegionsComeBeforePreferredOnesThatAreNot() {
        forecast("eu", 100, 100);
        forecast("no", 300, 300);
        put(aPool().of(a100()).from(3, 8), within(200, "no", "eu"));
        assertThat(places()).containsOnly("eu");
    }

    @Test
    void aReplicaHasNoCarbonRulesOfItsOwn() {
        var answer = scene.tell(new Command.PutPool(aPool().of(a100().slack(HOUR)).build(), "me"));
        assertThat(answer.toString()).contains("replica.carbon", "carbon of the pool");
    }
}
