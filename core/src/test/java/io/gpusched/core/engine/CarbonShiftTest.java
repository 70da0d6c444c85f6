package io.gpusched.core.engine;

import static io.gpusched.core.kit.JobBuilder.aJob;
import static io.gpusched.core.kit.NodeBuilder.aNode;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpusched.core.event.Answer;
import io.gpusched.core.event.Command;
import io.gpusched.core.event.Problem;
import io.gpusched.core.kit.JobBuilder;
import io.gpusched.core.kit.Scene;
import io.gpusched.core.model.CarbonPreference;
import io.gpusched.core.model.Exit;
import io.gpusched.core.model.JobId;
import io.gpusched.core.model.Limits;
import io.gpusched.core.model.RegionForecast;
import io.gpusched.core.policy.PlacementSettings;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// Batch jobs that wait for clean power, by forecasts in the ledger.
final class CarbonShiftTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private final Scene scene = Scene.with(aNode("n1: 8×A100").build());

    private static void forecast(Scene on, String region, Integer... grams) {
        var forecast = new RegionForecast(region, on.now(), HOUR, List.of(grams));
        assertThat(on.tell(new Command.PutForecast(forecast, "me")))
                .isInstanceOf(Answer.Accepted.class);
    }

    private void forecast(Integer... grams) {
        forecast(scene, "default", grams);
    }

    private static JobBuilder job(int slackHours) {
        return aJob().gpus(1).limit(HOUR).slack(HOUR.multipliedBy(slackHours));
    }

    private static String why(Scene scene, JobId job) {
        return scene.explainer().explain(job).toString();
    }

    private Problem refusal(Command command) {
        return ((Answer.Rejected) scene.tell(command)).problems().getFirst();
    }

    private Problem refusal(Duration slot, Instant from, Integer... grams) {
        return refusal(
                new Command.PutForecast(
                        new RegionForecast("eu", from, slot, List.of(grams)), "me"));
    }

    @Test
    void aJobStartsWhenPowerIsCleanestWithinItsSlack() {
        forecast(300, 280, 120, 290, 90);
        JobId job = scene.submit(job(3));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        assertThat(why(scene, job))
                .contains("cleaner from 2026-01-01T02:00:00Z: 120 instead of 300 g/kWh");
        scene.pass(HOUR.multipliedBy(2).minusSeconds(1));
        assertThat(scene.phase(job)).isEqualTo("Waiting");
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.phase(job)).isEqualTo("Starting");
    }

    @Test
    void aJobThatSaysNothingIsNotHeldBackUnlessTheClusterHasARule() {
        forecast(300, 100, 100, 100);
        JobId plain = scene.submit(aJob().limit(HOUR));
        assertThat(scene.phase(plain)).isEqualTo("Starting");
        var usual = new CarbonPreference(HOUR.multipliedBy(6), 0, List.of(), 50);
        var ruled = new Scene("priority", EngineSettings.DEFAULT.with(usual));
        ruled.join(aNode("n1: 8×A100").build());
        forecast(ruled, "default", 300, 100, 100, 100);
        JobId held = ruled.submit(aJob().priority(50).limit(HOUR));
        JobId urgent = ruled.submit(aJob().priority(51).limit(HOUR));
        JobId refuses = ruled.submit(aJob().priority(50).limit(HOUR).slack(Duration.ZERO));
        assertThat(List.of(ruled.phase(held), ruled.phase(urgent), ruled.phase(refuses)))
                .containsExactly("Waiting", "Starting", "Starting");
        ruled.tell(new Command.Reprioritise(held, 51, "me"));
        assertThat(ruled.phase(held)).as("it became urgent").isEqualTo("Starting");
    }

    @Test
    void aNewForecastWakesHeldJobsAndARemovedOneFreesThem() {
        forecast(300, 300, 100, 300);
        JobId early = scene.submit(job(3));
        scene.pass(Duration.ofMinutes(30));
        forecast(100, 300, 300);
        assertThat(scene.phase(early)).isEqualTo("Starting");
        forecast(300, 100, 300);
        JobId next = scene.submit(job(3));
        assertThat(scene.phase(next)).isEqualTo("Waiting");
        scene.tell(new Command.RemoveForecast("default", "me"));
        assertThat(scene.phase(next)).isEqualTo("Starting");
    }

    @Test
    void aJobThatNamesALimitTakesTheFirstPowerWithinIt() {
        forecast(300, 190, 200, 50);
        var contents = new CarbonPreference(HOUR.multipliedBy(3), 200, List.of(), 1000);
        JobId content = scene.submit(aJob().limit(HOUR).carbon(contents));
        assertThat(why(scene, content)).contains("190 instead of 300");
        var strict = new CarbonPreference(HOUR.multipliedBy(3), 10, List.of(), 1000);
        JobId never = scene.submit(aJob().limit(HOUR).carbon(strict));
        assertThat(why(scene, never)).as("the cleanest there is").contains("50 instead of 300");
    }

    /// Six orders, thirty jobs each: the class of a job must not keep it beyond its own slack.
    @ParameterizedTest
    @ValueSource(strings = {"priority", "fifo-strict", "random", "sjf", "las", "fair-skip"})
    void noJobIsHeldBackBeyondItsSlack(String policy) {
        var settings = EngineSettings.DEFAULT;
        var crowd = new Scene(policy, settings);
        crowd.join(aNode("n1: 64×A100").build());
        var grams = new ArrayList<>(Collections.nCopies(48, 300));
        grams.set(40, 10);
        grams.set(5, 200);
        forecast(crowd, "default", grams.toArray(Integer[]::new));
        var jobs = new ArrayList<JobId>();
        for (int i = 0; i < 30; i++) {
            jobs.add(crowd.submit(job(1 + i % 7)));
            crowd.pass(Duration.ofMinutes(11));
        }
        crowd.pass(HOUR.multipliedBy(12));
        for (int i = 0; i < 30; i++) {
            var run = crowd.run(jobs.get(i));
            Instant latest = crowd.job(jobs.get(i)).submitted().plus(HOUR.multipliedBy(1 + i % 7));
            assertThat(run.placed()).as("%s by %s", jobs.get(i), policy).isBeforeOrEqualTo(latest);
        }
    }

    @Test
    void jobsOfOneShapeAndDifferentWishesAreTriedEach() {
        forecast(300, 280, 120, 290, 90);
        forecast(scene, "eu", 100, 300, 300, 300, 300);
        JobId held = scene.submit(job(4));
        JobId shorter = scene.submit(job(1));
        JobId plain = scene.submit(aJob().gpus(1).limit(HOUR));
        var eu = new CarbonPreference(HOUR.multipliedBy(4), 0, List.of("eu"), 1000);
        JobId elsewhere = scene.submit(aJob().gpus(1).limit(HOUR).carbon(eu));
        assertThat(List.of(scene.phase(held), scene.phase(plain), scene.phase(elsewhere)))
                .containsExactly("Waiting", "Starting", "Starting");
        assertThat(why(scene, shorter)).contains("280 instead of 300");
        assertThat(why(scene, held)).contains("90 instead of 300");
    }

    @Test
    void aHeldJobReservesNothing() {
        forecast(300, 300, 300, 100, 300, 300);
        JobId runs = scene.submit(aJob().gpus(8).limit(HOUR.multipliedBy(2)));
        scene.runs(runs);
        JobId held =
                scene.submit(aJob().gpus(8).priority(900).limit(HOUR).slack(HOUR.multipliedBy(4)));
        assertThat(scene.engine().state().claims()).isEmpty();
        scene.completes(runs);
        JobId longer = scene.submit(aJob().gpus(8).limit(HOUR.multipliedBy(48)).priority(1));
        assertThat(scene.phase(longer)).isEqualTo("Starting");
        assertThat(scene.phase(held)).isEqualTo("Waiting");
    }

    @Test
    void aHeldJobKeepsNoQuotaFromOthers() {
        var limit = new Limits(4_000, Limits.UNLIMITED, Limits.UNLIMITED, Limits.UNLIMITED, 100);
        scene.tenant("team", limit, true);
        JobId runs = scene.submit(aJob().of("team").gpus(2).limit(HOUR.multipliedBy(9)));
        scene.runs(runs);
        forecast(300, 300, 300, 100, 300, 300);
        JobId held = scene.submit(job(4).of("team").gpus(4));
        JobId small = scene.submit(aJob().of("team").gpus(2).limit(HOUR));
        assertThat(scene.phase(held)).isEqualTo("Waiting");
        assertThat(scene.phase(small)).isEqualTo("Starting");
        scene.runs(small);
        scene.pass(HOUR.multipliedBy(4));
        JobId later = scene.submit(aJob().of("team").gpus(1).limit(HOUR));
        scene.completes(small);
        assertThat(scene.phase(later))
                .as("from the end of its slack on, the held job is first")
                .isEqualTo("Waiting");
    }

    @Test
    void aJobThatHasRunIsNotHeldBackAgain() {
        scene.tenant("team", 8, true);
        forecast(100, 300, 300, 50, 300, 300);
        JobId low =
                scene.submit(
                        aJob().of("team")
                                .gpus(8)
                                .priority(0)
                                .saving()
                                .limit(HOUR)
                                .slack(HOUR.multipliedBy(2)));
        scene.runs(low);
        JobId high = scene.submit(aJob().gpus(8).priority(9_000).limit(HOUR));
        assertThat(scene.phase(low)).isEqualTo("Stopping");
        scene.ends(low, Exit.How.STOPPED, 0);
        assertThat(scene.phase(high)).isEqualTo("Starting");
        forecast(300, 300, 100, 300);
        scene.runs(high);
        scene.completes(high);
        assertThat(scene.phase(low)).isEqualTo("Starting");
    }

    @Test
    void aRestartContinuesAsIfItHadNotHappened() {
        forecast(300, 280, 120, 290, 90);
        forecast(scene, "eu", 20, 30);
        JobId job = scene.submit(job(3));
        var engine = scene.engine();
        Engine restored = Engine.restore(engine.image(), engine.policy(), EngineSettings.DEFAULT);
        assertThat(restored.digest()).isEqualTo(engine.digest());
        assertThat(restored.state().carbon().all()).isEqualTo(engine.state().carbon().all());
        assertThat(restored.state().job(job)).isEqualTo(engine.state().job(job));
        for (Engine each : List.of(engine, restored)) {
            Cycle early = each.begin(scene.now().plus(HOUR));
            each.takeTurns(early);
            assertThat(early.end().events()).isEmpty();
            Cycle cycle = each.begin(scene.now().plus(HOUR.multipliedBy(2)));
            each.takeTurns(cycle);
            assertThat(cycle.end().events()).hasSize(1);
        }
        assertThat(restored.digest()).isEqualTo(engine.digest());
    }

    @Test
    void aWarningSaysThatNoForecastCovers() {
        var command = new Command.Submit(job(3).spec(), "", 0, false, "me");
        assertThat(((Answer.Accepted) scene.tell(command)).warnings())
                .singleElement()
                .asString()
                .contains("no carbon forecast covers");
    }

    @ParameterizedTest
    @ValueSource(strings = {"best-fit", "five-term", "gpu-packing", "learned"})
    void jobsAndReplicasPreferRegionsInTheirOrder(String placer) {
        var usual = EngineSettings.DEFAULT;
        var placement = PlacementSettings.DEFAULT.withPlacer(placer);
        var world = new Scene("priority", usual.with(usual.policy().with(placement)));
        world.join(
                aNode("a: 2×A100").label("region", "us").build(),
                aNode("b: 8×A100").label("topology.kubernetes.io/region", "eu").build(),
                aNode("c: 4×A100").label("region", "no").build(),
                aNode("d: 2×A100").build());
        var prefers = CarbonPreference.in(List.of("no", "eu"));
        var places = new ArrayList<String>();
        for (int gpus : List.of(2, 2, 2, 4, 2, 4)) {
            JobId job = world.submit(aJob().gpus(gpus).carbon(prefers));
            places.add(world.where(job).replaceAll("\\[.*", ""));
        }
        assertThat(places.subList(0, 5)).containsExactly("c", "c", "b", "b", "b");
        JobId plain = world.submit(aJob().gpus(2));
        assertThat(world.where(plain)).as("no preference, no difference").startsWith("a");
    }

    @Test
    void aForecastThatCannotBeRightIsRefusedWithARemedy() {
        Instant now = scene.now();
        assertThat(refusal(Duration.ofMinutes(4), now, 1).field()).isEqualTo("slot_minutes");
        assertThat(refusal(Duration.ofHours(25), now, 1).message())
                .isEqualTo("expected slots of 5 to 1440 minutes, found PT25H");
        assertThat(refusal(HOUR, now, 1, -2).message())
                .isEqualTo("expected 0 to 100000 grams of CO2 per kWh, found -2 in slot 2");
        assertThat(refusal(HOUR, now.minus(HOUR), 1).message())
                .isEqualTo("the forecast ended at " + now + ", it is " + now);
        assertThat(refusal(HOUR, now.plus(Duration.ofDays(15)), 1).field()).isEqualTo("from");
        Integer[] many = Collections.nCopies(24 * 14 + 1, 1).toArray(Integer[]::new);
        assertThat(refusal(HOUR, now, many).message())
                .isEqualTo("expected at most 14 days, which are 336 slots, found 337");
        assertThat(refusal(new Command.RemoveForecast("eu", "me")).code())
                .isEqualTo(Problem.Code.UNKNOWN_REGION);
        assertThat(scene.engine().state().carbon().isEmpty()).isTrue();
    }

    @Test
    void theSameForecastAgainChangesNothing() {
        forecast(300, 200);
        long batch = scene.engine().lastBatch();
        forecast(300, 200);
        assertThat(scene.engine().lastBatch()).isEqualTo(batch);
    }
}
